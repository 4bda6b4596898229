// Straight paths from references to the rows, along which path rules average gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/method.h"
#include "core/contrast/contrasts.h"
#include "core/linalg/lines.h"

namespace bisector::detail {

/// The number of steps of a rule, each from a reference among candidates. The choice is balanced:
/// the means and variances of the chosen references are close to those of all candidates on their
/// side. A random choice of so few would miss them.
struct PathPlan {
  Matrix candidates;        // in the model's space
  Matrix input_candidates;  // the same before the preprocessing; empty unless that mixes features
  std::size_t steps;
  ReferenceSide side;
  std::uint64_t seed;  // of the steps' order, and of the draw of the candidates
  ReferenceRows::Source source = ReferenceRows::Source::points;  // of the candidates
};

struct Paths {
  Matrix references, input_references;  // as the candidates
  Matrix starts;  // references relative to the contrast's center; empty: the references
  std::vector<linalg::LineStep> steps;
  double base;  // mean of g over the references of the steps at which it is finite

  linalg::Lines<double> lines() const {
    return {starts.rows() > 0 ? starts.view() : references.view(), steps};
  }
};

/// The paths of one contrast to rows on either side of it.
class ContrastPaths {
 public:
  ContrastPaths(const PathPlan& plan, const Contrasts& contrasts, Model::ClassPair pair);

  /// The paths to a row with this g.
  const Paths& to(double g) const { return below_ && !(g > 0.0) ? *below_ : above_; }

 private:
  Paths above_;
  std::optional<Paths> below_;  // empty: as above_
};

}  // namespace bisector::detail
