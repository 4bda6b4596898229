#include "core/contrast/soft_contrast_function.h"

#include <algorithm>
#include <cmath>

#include "core/models/tiles.h"

namespace bisector::detail {

SoftContrastFunction::SoftContrastFunction(const Model& model,
                                           std::shared_ptr<const SoftPools> pools, unsigned threads)
    : model_(model), threads_(threads), pools_(std::move(pools)) {}

template <class Use>
void SoftContrastFunction::for_each_row(MatrixView<const double> rows, std::size_t columns,
                                        const Use& use) const {
  for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
    const Matrix centered_rows = centered(tile.rows, pools_->contrast().center);
    const auto positive = pools_->positive().run(centered_rows.view(), columns, tile.threads);
    const auto negative = pools_->negative().run(centered_rows.view(), columns, tile.threads);
    for (std::size_t r = 0; r < tile.count; ++r)
      use(tile.first + r, centered_rows.row(r), positive[r], negative[r]);
  });
}

void SoftContrastFunction::f(MatrixView<const double> rows, std::span<double> values) const {
  for_each_row(rows, 0, [&](std::size_t r, auto, const auto& positive, const auto& negative) {
    values[r] = pool_sum(positive) - pool_sum(negative);
  });
}

void SoftContrastFunction::g(MatrixView<const double> rows, std::span<double> values) const {
  for_each_row(rows, 0, [&](std::size_t r, auto, const auto& positive, const auto& negative) {
    values[r] = pools_->g(positive, negative);
  });
}

void SoftContrastFunction::f_gradient(MatrixView<const double> rows,
                                      MatrixView<double> gradients) const {
  const std::size_t features = model_.model_features();
  for_each_row(rows, features,
               [&](std::size_t r, auto x, const auto& positive, const auto& negative) {
                 std::vector<double> gradient(features);
                 pools_->half_gradient_of_f(x, positive, negative, gradient);
                 for (double& value : gradient) value *= 2.0;
                 pull_back(model_.input(), gradient, gradients.row(r));
               });
}

void SoftContrastFunction::g_gradient(MatrixView<const double> rows,
                                      MatrixView<double> gradients) const {
  const std::size_t features = model_.model_features();
  for_each_row(rows, features,
               [&](std::size_t r, auto x, const auto& positive, const auto& negative) {
                 std::vector<double> gradient(features);
                 pools_->half_gradient_of_g(x, positive, negative, gradient);
                 for (double& value : gradient) value *= 2.0;
                 pull_back(model_.input(), gradient, gradients.row(r));
               });
}

}  // namespace bisector::detail
