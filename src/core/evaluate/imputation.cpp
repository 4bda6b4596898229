#include "core/evaluate/imputation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/random.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/vectors.h"
#include "core/util/draws.h"

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

namespace bisector::linalg {
namespace {

/// Several running minima side by side, which the compiler can keep in vector registers.
double smallest(std::span<const double> values) {
  std::array<double, 8> lanes;
  lanes.fill(std::numeric_limits<double>::infinity());
  std::size_t n = 0;
  for (; n + lanes.size() <= values.size(); n += lanes.size()) {
    for (std::size_t l = 0; l < lanes.size(); ++l)
      lanes[l] = values[n + l] < lanes[l] ? values[n + l] : lanes[l];
  }
  for (; n < values.size(); ++n) lanes[0] = std::min(lanes[0], values[n]);
  return *std::min_element(lanes.begin(), lanes.end());
}

}  // namespace

double WeightSum::log_sum(double scale) const { return std::log(sum) - scale * nearest; }

WeightSum soft_weights(std::span<const double> squared_distances, double scale,
                       AlignedVector<double>& weights) {
  const std::size_t count = squared_distances.size();
  const double nearest = smallest(squared_distances);
  weights.resize(round_up(count, PackedMatrix<double>::kWidth));
  // The difference first: it is exact for the nearest, and an overflow behind it is a weight of 0.
  for (std::size_t n = 0; n < count; ++n) weights[n] = scale * (nearest - squared_distances[n]);
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(count), weights.end(),
            std::numeric_limits<double>::lowest());
  return {nearest, simd::kernels<double>().exp_and_sum(weights.data(), 0.0, weights.size())};
}

}  // namespace bisector::linalg

namespace bisector {
namespace {

/// Independent of the draws of rows and imputed values, which share the seed.
constexpr std::uint64_t kHalves = 0x686c6166;

}  // namespace

DonorSplit split_donors(std::size_t rows, std::optional<Donors> wanted, std::uint64_t seed) {
  const bool is_large_enough = rows / 2 >= DonorSplit::kMinHalf;
  if (wanted == Donors::disjoint && !is_large_enough)
    throw InvalidInput(
        fmt::format("the background has {} rows, expected at least {} for disjoint "
                    "donors: the rules see one half, the other half imputes",
                    rows, 2 * DonorSplit::kMinHalf));
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (wanted == Donors::same || !is_large_enough) return {Donors::same, order, order};
  Random(derived_seed(seed, kHalves)).shuffle(std::span(order));
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(rows / 2);
  DonorSplit split{Donors::disjoint, {order.begin(), middle}, {middle, order.end()}};
  std::ranges::sort(split.rule);
  std::ranges::sort(split.imputation);
  return split;
}

}  // namespace bisector

namespace bisector::detail {

Matrix without_rows(MatrixView<const double> given, MatrixView<const double> removed) {
  const auto is_less = [](std::span<const double> a, std::span<const double> b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::map<std::span<const double>, std::size_t, decltype(is_less)> counts(is_less);
  for (std::size_t r = 0; r < removed.rows(); ++r) ++counts[removed.row(r)];
  std::vector<std::size_t> rest;
  for (std::size_t r = 0; r < given.rows(); ++r) {
    const auto found = counts.find(given.row(r));
    if (found == counts.end() || found->second == 0)
      rest.push_back(r);
    else
      --found->second;
  }
  if (rest.size() < 2)
    throw InvalidInput(
        fmt::format("{} of the {} rows of the rules' background are not among the donors, expected "
                    "at least two, or the same donors",
                    rest.size(), given.rows()));
  return gather_rows(given, rest);
}

}  // namespace bisector::detail
