#include "core/linalg/kernel_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bisector/kernel_forms.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of the panel width.
constexpr std::size_t kKernelTile = 264;

/// Below this fraction of |x|^2 + |u|^2 a distance from an inner product has too few digits.
constexpr double kCancelled = 1e-6;

constexpr double kPadding = -std::numeric_limits<double>::max() / 4;

/// If the log-weights of a pool are within this range, the largest one bounds the exponents.
constexpr double kEven = 100.0;

/// The exponent that simd::Kernels::kernel_weights takes a kernel's value and slope from.
double exponent_of(const KernelTerm& term, double s) {
  return with_distance_form(term.form, [&](auto form) { return form.exponent(term, s); });
}

}  // namespace

/// The points of a tile and, for every row, their distances, which the weights replace later.
struct KernelPass::Tile {
  std::size_t first, count, padded;
  AlignedVector<double> scores;   // rows x kKernelTile
  AlignedVector<double> weights;  // of one row and a sum of terms
  const double* panels_at;

  std::span<double> of(std::size_t row) { return {scores.data() + row * kKernelTile, padded}; }
};

struct KernelPass::State {
  State(std::size_t rows, std::size_t value_columns)
      : largest(rows, -std::numeric_limits<double>::infinity()),
        values(rows, 0.0),
        slopes(rows, 0.0),
        columns(value_columns),
        stride(ValueProduct<double>::stride(columns)),
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

  SoftmaxRows result(bool by_values) {
    SoftmaxRows rows(largest.size(), columns);
    for (std::size_t r = 0; r < largest.size(); ++r) {
      rows[r].log_sum = largest[r] + std::log(values[r]);
      rows[r].log_slope = largest[r] + std::log(slopes[r]);
      const double total = by_values ? values[r] : slopes[r];
      for (std::size_t v = 0; v < columns; ++v) rows[r].mean[v] = row(r)[v] / total;
    }
    return rows;
  }
};

KernelPass::KernelPass(SharedPoints points, std::span<const double> log_weights,
                       const Kernel& kernel, Weights weights, std::optional<SharedMatrix> values)
    : points_(std::move(points)),
      panels_(points_, Panels::kept),
      kernel_(kernel),
      weights_(weights),
      log_weights_(round_up(points_->size(), PointPanels<double>::kWidth), kPadding),
      squared_norms_(log_weights_.size(), 0.0) {
  if (values || kernel_.distance().is_euclidean()) values_.emplace(points_, std::move(values), 2);
  std::ranges::copy(log_weights, log_weights_.begin());
  for (std::size_t n = 0; n < points_->size(); ++n) squared_norms_[n] = points_->squared_norm(n);
  for (const KernelTerm& term : kernel_.terms()) log_parts_.push_back(std::log(term.weight));
  if (log_weights.empty()) return;
  const auto [lowest, highest] = std::ranges::minmax(log_weights);
  if (highest - lowest <= kEven) largest_log_weight_ = highest;
}

SoftmaxRows KernelPass::run(MatrixView<const double> rows, std::size_t columns) const {
  State state(rows.rows(), columns);
  Tile tile{};
  tile.scores.resize(rows.rows() * kKernelTile);
  tile.weights.resize(kKernelTile);
  AlignedVector<double> buffer;  // unused, because these panels are kept
  for (tile.first = 0; tile.first < points_->size(); tile.first += kKernelTile) {
    tile.count = std::min(kKernelTile, points_->size() - tile.first);
    tile.padded = round_up(tile.count, PointPanels<double>::kWidth);
    tile.panels_at = panels_.tile(tile.first, tile.count, buffer);
    set_products(rows, tile);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (is_exponential())
        weigh_exponential(tile, r, state);
      else
        weigh(tile, r, set_squares(rows.row(r), tile, tile.of(r)), state);
    }
    if (columns > 0) add_values(rows, tile, state);
  }
  return state.result(weights_ == Weights::values || is_exponential());
}

/// The sums of the distances or, for Euclidean distances, the inner products.
void KernelPass::set_products(MatrixView<const double> rows, Tile& tile) const {
  const Distance& distance = kernel_.distance();
  if (distance.is_euclidean())
    return simd::kernels<double>().multiply(rows.data(), rows.stride(), rows.rows(), tile.panels_at,
                                            panels_.stride(), rows.cols(), tile.padded,
                                            tile.scores.data(), kKernelTile, false);
  if (has_kernel(distance))
    return kernel_sums(distance, rows, tile.panels_at, panels_.stride(), tile.padded,
                       tile.scores.data(), kKernelTile);
  std::array<const double*, kKernelTile> points;
  for (std::size_t n = 0; n < tile.count; ++n) points[n] = (*points_)[tile.first + n].data();
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto sums = tile.of(r);
    distance_sums(distance, rows.row(r), std::span(points).first(tile.count),
                  sums.first(tile.count));
    std::ranges::fill(sums.subspan(tile.count), 0.0);
  }
}

/// Replaces the result of set_products by the sums of a row's distances; returns the smallest.
double KernelPass::set_squares(std::span<const double> row, const Tile& tile,
                               std::span<double> s) const {
  const auto own = s.first(tile.count);
  double nearest = 0.0;
  if (kernel_.distance().is_euclidean()) {
    const double norm = squared_norm(row);
    const auto found = simd::kernels<double>().squares_from_products(
        s.data(), squared_norms_.data() + tile.first, norm, kCancelled, tile.count);
    if (!(found.margin >= 0.0)) sharpen(row, norm, tile, own);
    nearest = found.margin >= 0.0 ? found.distance : *std::ranges::min_element(own);
  } else {
    nearest = *std::ranges::min_element(own);
  }
  std::ranges::fill(s.subspan(tile.count), nearest);
  return nearest;
}

/// Computes distances that are small relative to the norms again, from the differences.
void KernelPass::sharpen(std::span<const double> row, double row_norm, const Tile& tile,
                         std::span<double> s) const {
  const std::vector<double>& center = points_->center();
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (s[k] >= kCancelled * (row_norm + squared_norms_[tile.first + k])) continue;
    const auto point = (*points_)[tile.first + k];
    s[k] = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double difference = row[d] - (point[d] - center[d]);
      s[k] += difference * difference;
    }
  }
}

/// A bound at or above the largest exponent of a row, close enough that no weight underflows.
double KernelPass::exponent_bound(const Tile& tile, std::span<const double> s,
                                  double nearest) const {
  double bound = -std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < log_parts_.size(); ++m) {
    const KernelTerm& term = kernel_.terms()[m];
    const double part = log_parts_[m];
    if (largest_log_weight_) {
      bound = std::max(bound, part + *largest_log_weight_ + exponent_of(term, nearest));
      continue;
    }
    for (std::size_t k = 0; k < tile.count; ++k)
      bound = std::max(bound, part + log_weights_[tile.first + k] + exponent_of(term, s[k]));
  }
  return bound;
}

/// Replaces the distances of a row by weights, and adds the weights up.
void KernelPass::weigh(Tile& tile, std::size_t row, double nearest, State& state) const {
  const auto& terms = kernel_.terms();
  const auto s = tile.of(row);
  state.rise(row, exponent_bound(tile, s, nearest));
  // The weights of a single term replace the distances; further terms still need the distances.
  double* const out = terms.size() == 1 ? s.data() : tile.weights.data();
  for (std::size_t m = 0; m < terms.size(); ++m) {
    const simd::KernelSums<double> sums = simd::kernels<double>().kernel_weights(
        terms[m], weights_ == Weights::slopes, s.data(), log_weights_.data() + tile.first,
        state.largest[row] - log_parts_[m], out, m > 0, tile.padded);
    state.values[row] += sums.values;
    state.slopes[row] += sums.slopes;
  }
  if (out != s.data()) std::copy_n(out, tile.padded, s.data());
}

/// The same for one exponential of the distances, whose slope is gamma times its value.
void KernelPass::weigh_exponential(Tile& tile, std::size_t row, State& state) const {
  const auto& kernels = simd::kernels<double>();
  const double gamma = kernel_.terms()[0].gamma;
  double* const s = tile.of(row).data();
  state.rise(row, kernels.scale_and_max(s, log_weights_.data() + tile.first, -gamma, tile.padded));
  const double sum = kernels.exp_and_sum(s, state.largest[row], tile.padded);
  state.values[row] += sum;
  state.slopes[row] += gamma * sum;
}

void KernelPass::add_values(MatrixView<const double> rows, Tile& tile, State& state) const {
  if (values_)
    return values_->add(tile.scores.data(), kKernelTile, rows.rows(), tile.first, tile.count,
                        state.columns, true, state.weighted.data());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    add_parts(rows.row(r), tile, tile.of(r).data(), state.row(r));
}

/// Adds the parts of the distances from a row, times their weights.
void KernelPass::add_parts(std::span<const double> row, const Tile& tile, const double* weights,
                           std::span<double> sums) const {
  const Distance& distance = kernel_.distance();
  const std::size_t features = row.size();
  const bool has_parts = sums.size() > features;
  if (is_plain_manhattan(distance)) {
    std::vector<double> first(features, 0.0), second(features, 0.0);
    simd::kernels<double>().add_absolute(weights, tile.panels_at, panels_.stride(), tile.padded,
                                         row.data(), features, first.data(), second.data());
    for (std::size_t d = 0; d < features; ++d) {
      sums[d] += 0.5 * first[d];
      if (has_parts) sums[features + d] += second[d];
    }
    return;
  }
  const RowDistance from(distance, row);
  for (std::size_t k = 0; k < tile.count; ++k) {
    if (weights[k] > 0.0)
      from.add((*points_)[tile.first + k].data(), weights[k], sums.first(features),
               sums.subspan(features));
  }
}

void distance_sums(const Distance& distance, std::span<const double> row,
                   std::span<const double* const> points, std::span<double> out) {
  const RowDistance from(distance, row);
  for (std::size_t k = 0; k < points.size(); ++k) out[k] = from.sum(points[k]);
}

}  // namespace bisector::linalg
