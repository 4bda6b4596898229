#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/evaluate/imputation.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/pairwise.h"
#include "core/models/checks.h"
#include "core/util/draws.h"
#include "core/util/parallel.h"

namespace bisector {

using namespace detail;

namespace {

constexpr double kTolerance = 1e-6;  // of the log-likelihood per point
constexpr std::size_t kMaxIterations = 1000;
/// A mean squared distance below this is rounding error of equal rows; do not divide by it.
constexpr double kSmallestSquare = 1e-200;
/// The distance of a point to itself, which leave-one-out omits. Its weight is 0, and so is the
/// product of weight and distance.
constexpr double kLeftOut = std::numeric_limits<double>::max() / 4;
constexpr std::size_t kRowsPerBlock = 64;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Four partial sums, so that additions do not wait for each other.
double dot(std::span<const double> a, std::span<const double> b) {
  double parts[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t n = 0;
  for (; n + 4 <= a.size(); n += 4) {
    for (std::size_t l = 0; l < 4; ++l) parts[l] += a[n + l] * b[n + l];
  }
  for (; n < a.size(); ++n) parts[0] += a[n] * b[n];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

/// The leave-one-out density of all points at any bandwidth, from their distances.
class LeaveOneOut {
 public:
  LeaveOneOut(const Matrix& points, unsigned threads)
      : features_(static_cast<double>(points.cols())),
        threads_(threads),
        distances_(linalg::squared_distances(points.view(), threads)) {
    for (std::size_t n = 0; n < size(); ++n) distances_(n, n) = kLeftOut;
  }

  double mean_squared_distance() const {
    const auto of_row = [&](std::size_t n) {
      const auto row = distances_.row(n);
      return sum(row.first(n)) + sum(row.subspan(n + 1));
    };
    double total = 0.0;
    for (std::size_t n = 0; n < size(); ++n) total += of_row(n) / others();
    return total / static_cast<double>(size());
  }

  struct Step {
    double log_likelihood;  // mean over the points
    double variance;        // next value of the fixed-point iteration
  };
  Step at(double variance) const {
    const double scale = 1.0 / (2.0 * variance);
    std::vector<double> log_sums(size()), mean_distances(size());
    const std::size_t blocks = (size() + kRowsPerBlock - 1) / kRowsPerBlock;
    util::parallel_for(blocks, threads_, [&] {
      return [&, weights = linalg::AlignedVector<double>()](std::size_t block) mutable {
        const std::size_t last = std::min(size(), (block + 1) * kRowsPerBlock);
        for (std::size_t n = block * kRowsPerBlock; n < last; ++n) {
          const auto row = distances_.row(n);
          const auto weighed = linalg::soft_weights(row, scale, weights);
          log_sums[n] = weighed.log_sum(scale);
          mean_distances[n] = dot(row, std::span(weights).first(row.size())) / weighed.sum;
        }
      };
    });
    const double count = static_cast<double>(size());
    const double normalization =
        0.5 * features_ * std::log(scale / std::numbers::pi) - std::log(others());
    return {sum(log_sums) / count + normalization, sum(mean_distances) / (count * features_)};
  }

 private:
  std::size_t size() const { return distances_.rows(); }
  double others() const { return static_cast<double>(size() - 1); }

  double features_;
  unsigned threads_;
  Matrix distances_;  // squared, N x N
};

Matrix checked_points(MatrixView<const double> rows) {
  if (rows.rows() < 2 || rows.cols() == 0)
    throw InvalidInput(
        fmt::format("the background is {} x {}, expected at least two rows with one feature",
                    rows.rows(), rows.cols()));
  require_numbers(rows, "the background");
  constexpr std::uint64_t seed = 0;
  return gather_rows(rows, util::sample_rows(rows.rows(), DensityEstimate::kMaxPoints, seed));
}

}  // namespace

DensityEstimate::DensityEstimate(MatrixView<const double> rows, unsigned threads)
    : points_(checked_points(rows)) {
  const LeaveOneOut fit(points_, threads);
  const double mean = fit.mean_squared_distance();
  const bool all_equal = mean < kSmallestSquare;
  // Equal rows have no deviation, so that of their features is taken as 1.
  const double typical = all_equal ? 1.0 : mean / (2.0 * static_cast<double>(points_.cols()));
  const double lowest = kLowestBandwidth * kLowestBandwidth * typical;
  // The next variance grows with the current one, so the sequence is monotone: for more than one
  // feature it decreases from this start to the largest fixed point below it.
  double variance = all_equal ? lowest : mean / 2.0;
  for (double change = 1.0; change >= kTolerance && iterations_ < kMaxIterations; ++iterations_) {
    const LeaveOneOut::Step step = fit.at(variance);
    change = iterations_ == 0 ? 1.0 : std::abs(step.log_likelihood - log_likelihood_);
    log_likelihood_ = step.log_likelihood;
    at_lowest_ = variance <= lowest;
    bandwidth_ = std::sqrt(variance);
    variance = std::max(step.variance, lowest);
  }
}

}  // namespace bisector
