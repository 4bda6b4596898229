#include "core/neuralize/soft_function.h"

#include <algorithm>
#include <cmath>

#include "core/models/tiles.h"
#include "core/neuralize/pair_machine.h"

namespace bisector::detail {
namespace {

/// First moments alone.
void the_point_itself(std::span<const double> centred, std::span<double> values) {
  std::ranges::copy(centred, values.begin());
}

SoftPoolPass first_moments(const SoftPool& pool, double gamma, std::optional<double> log_intercept,
                           std::span<const double> center, double radius, bool single_precision) {
  return SoftPoolPass(pool, gamma, log_intercept, center, radius, center.size(), the_point_itself,
                      {gamma, false, single_precision});
}

}  // namespace

SoftFunction::SoftFunction(const Model& model, Model::ClassPair pair, double level,
                           bool single_precision, unsigned threads)
    : SoftFunction(model, neuralize(pair_machine(model, pair, level)), single_precision, threads) {}

SoftFunction::SoftFunction(const Model& model, const SoftContrast& contrast, bool single_precision,
                           unsigned threads)
    : model_(model),
      threads_(threads),
      gamma_(contrast.gamma),
      center_(contrast.mean()),
      positive_(first_moments(contrast.positive, gamma_, contrast.positive_intercept(), center_,
                              contrast.radius(center_), single_precision)),
      negative_(first_moments(contrast.negative, gamma_, contrast.negative_intercept(), center_,
                              contrast.radius(center_), single_precision)) {}

template <class Use>
void SoftFunction::for_each_row(MatrixView<const double> rows, std::size_t columns,
                                const Use& use) const {
  for_each_tile(model_, rows, threads_,
                [&](std::size_t first, std::size_t count, const Matrix& mapped) {
                  const Matrix centred = centered(mapped.view(), center_);
                  const auto positive = positive_.run(centred.view(), columns);
                  const auto negative = negative_.run(centred.view(), columns);
                  for (std::size_t r = 0; r < count; ++r)
                    use(first + r, centred.row(r), positive[r], negative[r]);
                });
}

void SoftFunction::f(MatrixView<const double> rows, std::span<double> values) const {
  for_each_row(rows, 0, [&](std::size_t r, auto, const auto& positive, const auto& negative) {
    values[r] = pool_sum(positive) - pool_sum(negative);
  });
}

void SoftFunction::g(MatrixView<const double> rows, std::span<double> values) const {
  for_each_row(rows, 0, [&](std::size_t r, auto, const auto& positive, const auto& negative) {
    values[r] = log_ratio(positive, negative) / gamma_;
  });
}

void SoftFunction::f_gradient(MatrixView<const double> rows, MatrixView<double> gradients) const {
  const std::size_t features = center_.size();
  for_each_row(rows, features,
               [&](std::size_t r, auto x, const auto& positive, const auto& negative) {
                 const double p = 2.0 * gamma_ * pool_sum(positive);
                 const double n = 2.0 * gamma_ * pool_sum(negative);
                 std::vector<double> gradient(features);
                 for (std::size_t d = 0; d < features; ++d)
                   gradient[d] = p * (positive.mean[d] - x[d]) - n * (negative.mean[d] - x[d]);
                 pull_back(model_.input(), gradient, gradients.row(r));
               });
}

void SoftFunction::g_gradient(MatrixView<const double> rows, MatrixView<double> gradients) const {
  const std::size_t features = center_.size();
  for_each_row(rows, features,
               [&](std::size_t r, auto, const auto& positive, const auto& negative) {
                 std::vector<double> gradient(features);
                 for (std::size_t d = 0; d < features; ++d)
                   gradient[d] = 2.0 * (positive.mean[d] - negative.mean[d]);
                 pull_back(model_.input(), gradient, gradients.row(r));
               });
}

}  // namespace bisector::detail
