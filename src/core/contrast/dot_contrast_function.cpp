#include "core/contrast/dot_contrast_function.h"

#include "core/contrast/pair_machine.h"
#include "core/models/tiles.h"

namespace bisector::detail {

DotContrastFunction::DotContrastFunction(const Model& model, Model::ClassPair pair, double level,
                                         unsigned threads)
    : model_(model), threads_(threads), term_(model.kernel()->terms()[0]) {
  const KernelMachine machine = pair_machine(model, pair, level);
  intercept_ = machine.intercept();
  pass_ = std::make_unique<const linalg::DotPass>(
      machine.shared_points(), machine.kernel(),
      Matrix(machine.coefficients().size(), 1, machine.coefficients()));
}

void DotContrastFunction::f(MatrixView<const double> rows, std::span<double> values) const {
  for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
    Matrix sums(tile.count, 1);
    pass_->sums(tile.rows, sums.view());
    for (std::size_t r = 0; r < tile.count; ++r) values[tile.first + r] = sums(r, 0) + intercept_;
  });
}

void DotContrastFunction::f_gradient(MatrixView<const double> rows,
                                     MatrixView<double> gradients) const {
  for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
    Matrix own(tile.count, model_.model_features());
    pass_->gradients(tile.rows, 0, own.view());
    for (std::size_t r = 0; r < tile.count; ++r)
      pull_back(model_.input(), own.row(r), gradients.row(tile.first + r));
  });
}

std::size_t DotContrastFunction::exact_nodes() const {
  if (term_.form == KernelForm::sigmoid) return kSigmoidNodes;
  return static_cast<std::size_t>(term_.shape + 1.0) / 2;  // the gradient's degree is one less
}

}  // namespace bisector::detail
