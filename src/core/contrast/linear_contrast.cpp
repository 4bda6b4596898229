// Contrasts of machines with a kernel of the dot product. Such a kernel is no function of a
// distance, so there are no pools, and g is f.

#include "core/contrast/implementations.h"

#include <memory>
#include <optional>
#include <vector>

#include "core/contrast/contrast.h"
#include "core/linalg/dot_pass.h"

namespace bisector::detail {
namespace {

class LinearContrast final : public Contrast {
 public:
  LinearContrast(const Model& model, Model::ClassPair pair, double level, unsigned threads);

  std::vector<RowDecision> decide(const RowTile& tile) const override {
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
  void gradients(ExplainedOutput, const RowTile& tile,
                 MatrixView<double> gradients) const override {
    pass_->gradients(tile.rows, 0, gradients);
  }
  std::optional<std::size_t> exact_nodes() const override {
    if (term_.form == KernelForm::sigmoid) return kSigmoidNodes;
    return static_cast<std::size_t>(term_.shape + 1.0) / 2;  // the gradient's degree is one less
  }

 private:
  /// The integral of a sigmoid's gradient is not exact at any number of nodes.
  static constexpr std::size_t kSigmoidNodes = 32;

  Model::ClassPair pair_;
  double intercept_, level_;
  std::unique_ptr<const linalg::DotPass> pass_;
  KernelTerm term_;
};

LinearContrast::LinearContrast(const Model& model, Model::ClassPair pair, double level,
                               unsigned threads)
    : Contrast(model, threads), pair_(pair), level_(level), term_(model.kernel()->terms()[0]) {
  const KernelMachine machine = model.pair_machine(pair);
  intercept_ = machine.intercept();
  pass_ = std::make_unique<const linalg::DotPass>(
      machine.shared_points(), machine.kernel(),
      Matrix(machine.coefficients().size(), 1, machine.coefficients()));
}

}  // namespace

std::unique_ptr<const Contrast> make_linear_contrast(const Model& model, Model::ClassPair pair,
                                                     double level, unsigned threads) {
  return std::make_unique<const LinearContrast>(model, pair, level, threads);
}

}  // namespace bisector::detail
