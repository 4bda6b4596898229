// Straight ways from references to the rows: where path rules take their gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/method.h"
#include "core/linalg/softmax_reduction.h"

namespace bisector::detail {

/// What a rule wants of every contrast: so many steps, each from a reference among candidates. The
/// choice is balanced: its means and variances are close to those of all candidates on its side,
/// which so few at random would miss.
struct PathPlan {
  Matrix candidates;        // in the model's space
  Matrix input_candidates;  // the same before the preprocessing; empty where that mixes no features
  std::size_t steps;
  ReferenceSide side;
  std::uint64_t seed;  // of the steps' order
};

struct Paths {
  Matrix references, input_references;  // as the candidates
  std::vector<linalg::LineStep> steps;
  double base;  // the mean of g over the steps' references, where it is finite
};

/// The ways of one contrast to rows on either side of it.
class ContrastPaths {
 public:
  /// g of the contrast at points of the model's space, at most linalg::kRowTile.
  using Output = std::function<std::vector<double>(MatrixView<const double> points)>;

  ContrastPaths(const PathPlan& plan, const Output& output);

  /// To a row with this g.
  const Paths& to(double g) const { return below_ && !(g > 0.0) ? *below_ : above_; }

 private:
  Paths above_;
  std::optional<Paths> below_;  // none: the same
};

}  // namespace bisector::detail
