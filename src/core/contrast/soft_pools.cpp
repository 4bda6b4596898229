#include "core/contrast/soft_pools.h"

#include <cmath>

namespace bisector::detail {

double SoftPools::g(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) const {
  if (contrast_.is_gaussian()) return log_ratio(positive, negative) / contrast_.gamma;
  return negative.effective - positive.effective;
}

void SoftPools::pull(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                     double positive_factor, const linalg::SoftmaxRow& negative,
                     double negative_factor, std::span<double> out) const {
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double x = means_from_rows() ? 0.0 : centered[d];
    out[d] = positive_factor * (positive.mean[d] - x) - negative_factor * (negative.mean[d] - x);
  }
}

double SoftPools::lever(const linalg::SoftmaxRow& row) const {
  return std::exp(row.log_slope - contrast_.log_total - contrast_.kernel.log_slope(row.effective));
}

void SoftPools::half_gradient_of_g(std::span<const double> centered,
                                   const linalg::SoftmaxRow& positive,
                                   const linalg::SoftmaxRow& negative,
                                   std::span<double> out) const {
  if (!contrast_.is_gaussian())
    return pull(centered, positive, lever(positive), negative, lever(negative), out);
  for (std::size_t d = 0; d < out.size(); ++d) out[d] = positive.mean[d] - negative.mean[d];
}

void SoftPools::half_gradient_of_f(std::span<const double> centered,
                                   const linalg::SoftmaxRow& positive,
                                   const linalg::SoftmaxRow& negative,
                                   std::span<double> out) const {
  const auto slope = [&](const linalg::SoftmaxRow& row) {
    return contrast_.is_gaussian() ? contrast_.gamma * pool_sum(row) : std::exp(row.log_slope);
  };
  pull(centered, positive, slope(positive), negative, slope(negative), out);
}

}  // namespace bisector::detail
