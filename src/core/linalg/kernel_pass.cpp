#include "core/linalg/kernel_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of the panel width.
constexpr std::size_t kKernelTile = 264;

/// Below this part of |x|^2 + |u|^2 an inner product leaves too few digits of a distance.
constexpr double kCancelled = 1e-6;

constexpr double kPadding = -std::numeric_limits<double>::max() / 4;

bool is_plain_manhattan(const Distance& distance) {
  return distance.power() == 1.0 && distance.categories().empty() && !distance.is_cosine();
}

std::vector<double> zeros(std::size_t count) { return std::vector<double>(count, 0.0); }

}  // namespace

/// The points of a tile and, for every row, their distances; then weights in their place.
struct KernelPass::Tile {
  std::size_t first, count, padded;
  AlignedVector<double> scores;           // rows x kKernelTile
  AlignedVector<double> exponents, rest;  // of one row, terms x kKernelTile
  AlignedVector<double> panels;
  std::array<const double*, kKernelTile> points;

  double* of(std::size_t row) { return scores.data() + row * kKernelTile; }
  const double* of(std::size_t row) const { return scores.data() + row * kKernelTile; }
};

struct KernelPass::State {
  State(std::size_t rows, std::size_t value_columns)
      : largest(rows, -std::numeric_limits<double>::infinity()),
        values(rows, 0.0),
        slopes(rows, 0.0),
        columns(value_columns),
        stride(round_up(std::max<std::size_t>(columns, 1), PackedMatrix<double>::kWidth)),
        weighted(rows * stride, 0.0) {}

  std::vector<double> largest, values, slopes;
  std::size_t columns, stride;
  AlignedVector<double> weighted;

  std::span<double> row(std::size_t r) { return {weighted.data() + r * stride, columns}; }
  /// Makes `shift` the exponent that a row's sums are relative to.
  void rise(std::size_t r, double shift) {
    if (!(shift > largest[r])) return;
    const double shrink = std::exp(largest[r] - shift);
    values[r] *= shrink;
    slopes[r] *= shrink;
    for (double& value : row(r)) value *= shrink;
    largest[r] = shift;
  }
};

KernelPass::KernelPass(SharedPoints points, std::span<const double> log_weights,
                       const Kernel& kernel, Weights weights, std::optional<SharedMatrix> values)
    : points_(std::move(points)),
      panels_(points_, Panels::kept),
      kernel_(kernel),
      weights_(weights),
      values_(values),
      log_weights_(round_up(points_->size(), PointPanels<double>::kWidth), kPadding),
      squared_norms_(log_weights_.size(), 0.0) {
  std::ranges::copy(log_weights, log_weights_.begin());
  for (std::size_t n = 0; n < points_->size(); ++n) squared_norms_[n] = points_->squared_norm(n);
}

SoftmaxRows KernelPass::run(MatrixView<const double> rows, std::size_t columns) const {
  State state(rows.rows(), columns);
  Tile tile{};
  tile.scores.resize(rows.rows() * kKernelTile);
  tile.exponents.resize(kernel_.terms().size() * kKernelTile);
  tile.rest.resize(tile.exponents.size());
  for (tile.first = 0; tile.first < points_->size(); tile.first += kKernelTile) {
    tile.count = std::min(kKernelTile, points_->size() - tile.first);
    tile.padded = round_up(tile.count, PointPanels<double>::kWidth);
    for (std::size_t n = 0; n < tile.count; ++n) tile.points[n] = (*points_)[tile.first + n].data();
    set_distances(rows, tile);
    for (std::size_t r = 0; r < rows.rows(); ++r) weigh(tile, r, state);
    if (columns > 0) add_values(rows, tile, state);
  }
  SoftmaxRows result(rows.rows(), columns);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    result[r].log_sum = state.largest[r] + std::log(state.values[r]);
    result[r].log_slope = state.largest[r] + std::log(state.slopes[r]);
    const double total = weights_ == Weights::values ? state.values[r] : state.slopes[r];
    const auto weighted = state.row(r);
    for (std::size_t v = 0; v < columns; ++v) result[r].mean[v] = weighted[v] / total;
  }
  return result;
}

void KernelPass::set_distances(MatrixView<const double> rows, Tile& tile) const {
  const auto& kernels = simd::kernels<double>();
  const Distance& distance = kernel_.distance();
  if (!distance.is_euclidean() && !is_plain_manhattan(distance)) {
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      distance_sums(distance, rows.row(r), std::span(tile.points).first(tile.count),
                    {tile.of(r), tile.count});
      std::fill(tile.of(r) + tile.count, tile.of(r) + tile.padded, 0.0);
    }
    return;
  }
  const bool by_products = distance.is_euclidean();
  const auto run = by_products ? kernels.multiply : kernels.absolute_distances;
  run(rows.data(), rows.stride(), rows.rows(), panels_.tile(tile.first, tile.count, tile.panels),
      panels_.stride(), rows.cols(), tile.padded, tile.scores.data(), kKernelTile, false);
  for (std::size_t r = 0; by_products && r < rows.rows(); ++r) {
    const double norm = squared_norm(rows.row(r));
    const double* norms = squared_norms_.data() + tile.first;
    double* const s = tile.of(r);
    bool is_sharp = true;
    for (std::size_t k = 0; k < tile.padded; ++k) {
      const double size = norm + norms[k];
      s[k] = size - 2.0 * s[k];
      is_sharp = is_sharp && s[k] >= kCancelled * size;
    }
    if (!is_sharp) sharpen(rows.row(r), norm, tile, s);
  }
}

/// Small distances between large numbers, from the differences.
void KernelPass::sharpen(std::span<const double> row, double row_norm, const Tile& tile,
                         double* s) const {
  const std::vector<double>& center = points_->center();
  for (std::size_t k = 0; k < tile.count; ++k) {
    if (s[k] >= kCancelled * (row_norm + squared_norms_[tile.first + k])) continue;
    s[k] = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double difference = row[d] - (tile.points[k][d] - center[d]);
      s[k] += difference * difference;
    }
  }
  for (std::size_t k = tile.count; k < tile.padded; ++k) s[k] = std::max(s[k], 0.0);
}

/// Puts the weights of a row in the place of its distances, and adds them up.
void KernelPass::weigh(Tile& tile, std::size_t row, State& state) const {
  const auto& kernels = simd::kernels<double>();
  const auto& terms = kernel_.terms();
  double* const weights = tile.of(row);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < terms.size(); ++m)
    largest = std::max(largest,
                       kernels.kernel_exponents(terms[m], weights, log_weights_.data() + tile.first,
                                                tile.exponents.data() + m * kKernelTile,
                                                tile.rest.data() + m * kKernelTile, tile.padded));
  state.rise(row, largest);
  for (std::size_t m = 0; m < terms.size(); ++m) {
    double* const of_term = tile.exponents.data() + m * kKernelTile;
    const simd::KernelSums<double> sums = kernels.kernel_weights(
        terms[m], weights_ == Weights::slopes, tile.rest.data() + m * kKernelTile,
        state.largest[row], of_term, tile.padded);
    state.values[row] += sums.values;
    state.slopes[row] += sums.slopes;
    for (std::size_t k = 0; k < tile.padded; ++k)
      weights[k] = m == 0 ? of_term[k] : weights[k] + of_term[k];
  }
}

void KernelPass::add_values(MatrixView<const double> rows, const Tile& tile, State& state) const {
  if (means_from_rows()) {
    for (std::size_t r = 0; r < rows.rows(); ++r)
      add_parts(rows.row(r), tile, tile.of(r), state.row(r));
    return;
  }
  std::array<const double*, kKernelTile> starts = tile.points;
  for (std::size_t n = 0; values_ && n < tile.count; ++n)
    starts[n] = (*values_)->row(tile.first + n).data();
  const std::size_t width = values_ ? state.columns : rows.cols();
  const std::vector<double> center = values_ ? zeros(width) : points_->center();
  simd::kernels<double>().multiply_moments(
      tile.scores.data(), kKernelTile, rows.rows(), starts.data(), tile.count, center.data(), width,
      state.columns > width, state.weighted.data(), state.stride, true);
}

/// Adds the parts of the distances from a row, times their weights.
void KernelPass::add_parts(std::span<const double> row, const Tile& tile, const double* weights,
                           std::span<double> sums) const {
  const Distance& distance = kernel_.distance();
  const std::size_t features = row.size();
  const bool has_parts = sums.size() > features;
  if (is_plain_manhattan(distance)) {
    std::vector<double> first = zeros(features), second = zeros(features);
    simd::kernels<double>().add_absolute(weights, tile.points.data(), tile.count, row.data(),
                                         features, first.data(), second.data());
    for (std::size_t d = 0; d < features; ++d) {
      sums[d] += 0.5 * first[d];
      if (has_parts) sums[features + d] += second[d];
    }
    return;
  }
  const RowDistance from(distance, row);
  for (std::size_t k = 0; k < tile.count; ++k) {
    if (weights[k] > 0.0)
      from.add(tile.points[k], weights[k], sums.first(features), sums.subspan(features));
  }
}

void distance_sums(const Distance& distance, std::span<const double> row,
                   std::span<const double* const> points, std::span<double> out) {
  const RowDistance from(distance, row);
  for (std::size_t k = 0; k < points.size(); ++k) out[k] = from.sum(points[k]);
}

}  // namespace bisector::linalg
