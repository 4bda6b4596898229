#include "core/neuralize/soft_pools.h"

#include <cmath>

namespace bisector::detail {

double SoftPools::g(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) const {
  return contrast_.output(positive.log_sum + positive.offset, negative.log_sum + negative.offset,
                          log_ratio(positive, negative));
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
  const double log_share = row.log_sum - contrast_.log_total;
  const double slope = contrast_.kernel.log_slope(contrast_.kernel.inverse(log_share));
  return std::exp(row.log_slope - contrast_.log_total - slope);
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
