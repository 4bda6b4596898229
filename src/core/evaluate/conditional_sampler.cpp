#include "core/evaluate/conditional_sampler.h"

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "core/linalg/normal_draws.h"
#include "core/linalg/soft_weights.h"

namespace bisector::detail {

void Draws::fill(std::uint64_t seed, std::size_t row, std::size_t measurement, std::size_t samples,
                 std::size_t features) {
  Random random(derived_seed(derived_seed(seed, row), measurement));
  uniforms.resize(samples);
  for (double& value : uniforms) value = random.uniform();
  if (noise.rows() != samples || noise.cols() != features) noise = Matrix(samples, features);
  linalg::fill_normal(random, {noise.view().data(), samples * features});
}

Background::Background(const DensityEstimate& density)
    : density_(&density), features_(density.points().cols(), density.points().rows()) {
  for (std::size_t n = 0; n < features_.cols(); ++n) {
    for (std::size_t d = 0; d < features_.rows(); ++d) features_(d, n) = density.points()(n, d);
  }
}

void KeptDistances::keep(const Background& background, std::size_t feature, double x) {
  const auto values = background.feature(feature);
  for (std::size_t n = 0; n < squared_.size(); ++n)
    squared_[n] += (x - values[n]) * (x - values[n]);
}

void PointDistribution::reset(const Background& background, const KeptDistances& kept) {
  linalg::soft_weights(kept.squared(), background.scale(), cumulated_);
  cumulated_.resize(kept.squared().size());
  std::partial_sum(cumulated_.begin(), cumulated_.end(), cumulated_.begin());
}

std::size_t PointDistribution::pick(double uniform) const {
  const double total = cumulated_.back();
  auto found = std::upper_bound(cumulated_.begin(), cumulated_.end(), uniform * total);
  // Rounding can bring a uniform just below one up to the total, which no point is above: then it
  // is the last with a probability.
  if (found == cumulated_.end())
    found = std::lower_bound(cumulated_.begin(), cumulated_.end(), total);
  return static_cast<std::size_t>(found - cumulated_.begin());
}

void complete(const Background& background, std::span<const double> x,
              std::span<const std::size_t> removed, std::size_t point,
              std::span<const double> noise, std::span<double> completed) {
  const auto values = background.points().row(point);
  const double bandwidth = background.bandwidth();
  std::ranges::copy(x, completed.begin());
  for (const std::size_t d : removed) completed[d] = values[d] + bandwidth * noise[d];
}

}  // namespace bisector::detail
