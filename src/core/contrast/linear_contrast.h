// Contrasts of machines with a kernel of the dot product. Such a kernel is no function of a
// distance, so there are no pools, and g is f.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/contrast/contrast.h"
#include "core/linalg/dot_pass.h"

namespace bisector::detail {

class LinearContrast final : public Contrast {
 public:
  LinearContrast(const Model& model, Model::ClassPair pair, double level, unsigned threads);

  std::vector<RowDecision> decide(const RowTile& tile) const override;
  void gradients(ExplainedOutput output, const RowTile& tile,
                 MatrixView<double> gradients) const override;
  std::optional<std::size_t> exact_nodes() const override;

 private:
  /// The integral of a sigmoid's gradient is not exact at any number of nodes.
  static constexpr std::size_t kSigmoidNodes = 32;

  Model::ClassPair pair_;
  double intercept_, level_;
  std::unique_ptr<const linalg::DotPass> pass_;
  KernelTerm term_;
};

}  // namespace bisector::detail
