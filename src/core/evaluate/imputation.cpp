#include "core/evaluate/imputation.h"

#include <algorithm>
#include <numeric>

#include "bisector/random.h"
#include "core/linalg/soft_weights.h"
#include "core/linalg/vectors.h"
#include "core/util/normal_draws.h"

namespace bisector::detail {

void Draws::fill(std::uint64_t seed, std::size_t row, std::size_t measurement, std::size_t samples,
                 std::size_t features) {
  Random random(derived_seed(derived_seed(seed, row), measurement));
  uniforms.resize(samples);
  for (double& value : uniforms) value = random.uniform();
  if (noise.rows() != samples || noise.cols() != features) noise = Matrix(samples, features);
  util::fill_normal(random, {noise.view().data(), samples * features});
}

DonorRows::DonorRows(const DensityEstimate& density, Imputer imputer)
    : density_(&density),
      imputer_(imputer),
      features_(density.points().cols(), density.points().rows()),
      mean_(linalg::row_mean(density.points().view())) {
  for (std::size_t n = 0; n < features_.cols(); ++n) {
    for (std::size_t d = 0; d < features_.rows(); ++d) features_(d, n) = density.points()(n, d);
  }
}

void KeptDistances::keep(const DonorRows& background, std::size_t feature, double x) {
  if (background.imputer() != Imputer::conditional) return;
  const auto values = background.feature(feature);
  for (std::size_t n = 0; n < squared_.size(); ++n)
    squared_[n] += (x - values[n]) * (x - values[n]);
}

void PointDistribution::reset(const DonorRows& background, const KeptDistances& kept) {
  linalg::soft_weights(kept.squared(), background.scale(), cumulated_);
  cumulated_.resize(kept.squared().size());
  std::partial_sum(cumulated_.begin(), cumulated_.end(), cumulated_.begin());
}

std::size_t PointDistribution::pick(double uniform) const {
  const double total = cumulated_.back();
  auto found = std::upper_bound(cumulated_.begin(), cumulated_.end(), uniform * total);
  // Rounding may bring a uniform number just below 1 up to the total, which no point exceeds. The
  // last point with a positive probability is then taken.
  if (found == cumulated_.end())
    found = std::lower_bound(cumulated_.begin(), cumulated_.end(), total);
  return static_cast<std::size_t>(found - cumulated_.begin());
}

void impute(const DonorRows& background, std::span<const double> x,
            std::span<const std::size_t> removed, const KeptDistances& kept,
            ImputationWorkspace& workspace, MatrixView<double> imputed) {
  const Draws& draws = workspace.draws;
  const Imputer imputer = background.imputer();
  const Matrix& points = background.points();
  if (imputer == Imputer::conditional) workspace.distribution.reset(background, kept);
  const auto donor = [&](double uniform) -> std::span<const double> {
    if (imputer == Imputer::mean) return background.mean();
    if (imputer == Imputer::conditional) return points.row(workspace.distribution.pick(uniform));
    return points.row(static_cast<std::size_t>(uniform * static_cast<double>(points.rows())));
  };
  const double noise = imputer == Imputer::conditional ? background.bandwidth() : 0.0;
  for (std::size_t s = 0; s < imputed.rows(); ++s) {
    const auto values = donor(draws.uniforms[s]);
    const auto row = imputed.row(s);
    std::ranges::copy(x, row.begin());
    for (const std::size_t d : removed) row[d] = values[d] + noise * draws.noise(s, d);
  }
}

}  // namespace bisector::detail
