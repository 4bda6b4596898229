#include "core/contrast/linear_contrast.h"

namespace bisector::detail {

LinearContrast::LinearContrast(const Model& model, Model::ClassPair pair, double level,
                               unsigned threads)
    : Contrast(model, threads), pair_(pair), level_(level), term_(model.kernel()->terms()[0]) {
  const KernelMachine machine = model.pair_machine(pair);
  intercept_ = machine.intercept();
  pass_ = std::make_unique<const linalg::DotPass>(
      machine.shared_points(), machine.kernel(),
      Matrix(machine.coefficients().size(), 1, machine.coefficients()));
}

std::vector<RowDecision> LinearContrast::decide(const RowTile& tile) const {
  Matrix sums(tile.count, 1);
  pass_->sums(tile.rows, sums.view());
  std::vector<RowDecision> decided(tile.count);
  for (std::size_t r = 0; r < tile.count; ++r) {
    decided[r].value = sums(r, 0) + intercept_;
    decided[r].f = decided[r].g = decided[r].value - level_;
    decided[r].tie = decided[r].f == 0.0;
    decided[r].positive = pair_.positive;
    decided[r].negative = pair_.negative;
    decided[r].prediction = (pair_.positive == 0 ? decided[r].f : -decided[r].f) > 0.0 ? 0 : 1;
  }
  return decided;
}

void LinearContrast::gradients(ExplainedOutput, const RowTile& tile,
                               MatrixView<double> gradients) const {
  pass_->gradients(tile.rows, 0, gradients);
}

std::optional<std::size_t> LinearContrast::exact_nodes() const {
  if (term_.form == KernelForm::sigmoid) return kSigmoidNodes;
  return static_cast<std::size_t>(term_.shape + 1.0) / 2;  // the gradient's degree is one less
}

}  // namespace bisector::detail
