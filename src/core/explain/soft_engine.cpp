#include "core/explain/soft_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/soft_points.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

// Moments around the points' mean lose as many digits as their terms exceed the relevance; past
// these ratios a row would miss 1e-9 (1e-4 in single precision) of its largest relevance.
constexpr double kTolerated = 1e5, kToleratedSingle = 300.0;

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// The exponents e_k = log alpha_k - gamma |x - u_k|^2 of a pool, then of the virtual point, but
/// for -gamma |x - c|^2, which they share: log alpha_k + gamma (2 (x - c) - (u_k - c)) (u_k - c).
/// The center c is x itself, or for a far-away x, whose square would swallow all else, a place
/// near the points.
std::vector<double> exponents(const SoftPool& pool, double gamma, std::span<const double> row,
                              std::span<const double> center, double virtual_exponent) {
  std::vector<double> e;
  for (std::size_t n = 0; n < pool.indices.size(); ++n) {
    double sum = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double u = pool.points(n, d) - center[d];
      sum += (2.0 * (row[d] - center[d]) - u) * u;
    }
    e.push_back(pool.log_weights[n] + gamma * sum);
  }
  if (virtual_exponent > kNothing)
    e.push_back(virtual_exponent + gamma * linalg::squared_distance(row, center));
  return e;
}

double log_sum_exp(std::span<const double> e) {
  const double largest = *std::ranges::max_element(e);
  double sum = 0.0;
  for (const double value : e) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

std::vector<double> softmax(std::span<const double> e, double factor) {
  std::vector<double> p(e.size());
  const double largest = *std::ranges::max_element(e);
  double sum = 0.0;
  for (std::size_t k = 0; k < e.size(); ++k) sum += p[k] = std::exp(factor * (e[k] - largest));
  for (double& value : p) value /= sum;
  return p;
}

std::vector<PoolMember> members(const SoftPool& pool, bool with_intercept) {
  std::vector<PoolMember> who(pool.indices.begin(), pool.indices.end());
  if (with_intercept) who.push_back(std::nullopt);
  return who;
}

}  // namespace

SoftEngine::SoftEngine(SoftContrast contrast, RelevanceRule rule, SoftEngineOptions options)
    : contrast_(std::move(contrast)),
      center_(contrast_.mean()),
      radius_(contrast_.radius(center_)),
      rule_(std::move(rule)),
      options_(std::move(options)),
      positive_(make_pass(contrast_.positive, contrast_.positive_intercept())),
      negative_(make_pass(contrast_.negative, contrast_.negative_intercept())) {}

SoftPoolPass SoftEngine::make_pass(const SoftPool& pool,
                                   std::optional<double> log_intercept) const {
  // Copies of rule and center, so that the pass stays good when the engine moves.
  const PointValues values = [rule = rule_, center = center_](std::span<const double> centred,
                                                              std::span<double> out) {
    rule.values(centred, center, out);
  };
  return SoftPoolPass(pool, contrast_.gamma, log_intercept, center_, radius_, rule_.columns(),
                      values, options_.pools);
}

Matrix SoftEngine::moment_difference(MatrixView<const double> points) const {
  // A point's first values are its coordinates, so that many columns are the first moments.
  const std::size_t features = points.cols();
  const Matrix centred = centered(points, center_);
  const auto positive = positive_.run(centred.view(), features);
  const auto negative = negative_.run(centred.view(), features);
  Matrix difference(points.rows(), features);
  for (std::size_t r = 0; r < points.rows(); ++r) {
    for (std::size_t d = 0; d < features; ++d)
      difference(r, d) = positive[r].mean[d] - negative[r].mean[d];
  }
  return difference;
}

void SoftEngine::explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
                         MatrixView<double> relevance, std::span<double> g,
                         std::span<double> f) const {
  const Matrix centred = centered(rows, center_);
  const auto positive = positive_.run(centred.view(), rule_.columns());
  const auto negative = negative_.run(centred.view(), rule_.columns());
  const Matrix along =
      options_.directions
          ? options_.directions(rows, [&](auto points) { return moment_difference(points); })
          : Matrix(rows.rows(), 0);
  const double tolerated = options_.pools.single_precision ? kToleratedSingle : kTolerated;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    g[r] = log_ratio(positive[r], negative[r]) / contrast_.gamma;
    f[r] = pool_sum(positive[r]) - pool_sum(negative[r]);
    const double cancellation =
        rule_.relevance({input_rows.row(r), centred.row(r), center_}, positive[r].mean,
                        negative[r].mean, along.row(r), relevance.row(r));
    // False for 0 / 0 and overflow, too.
    const bool is_exact_enough = cancellation <= tolerated;
    if (is_exact_enough) continue;
    const std::vector<double> place = close_center(rows.row(r), centred.row(r), positive[r].mean);
    std::vector<double> from_place(place.size());
    for (std::size_t d = 0; d < place.size(); ++d) from_place[d] = rows(r, d) - place[d];
    rule_.relevance({input_rows.row(r), from_place, place},
                    exact_mean(contrast_.positive, positive_, rows.row(r), place),
                    exact_mean(contrast_.negative, negative_, rows.row(r), place), along.row(r),
                    relevance.row(r));
  }
}

/// Where moments lose no digits although the pools' all but cancel: at x, which is among the points
/// then, or for a far-away x among those that weigh there.
std::vector<double> SoftEngine::close_center(std::span<const double> row,
                                             std::span<const double> centred,
                                             std::span<const double> positive_mean) const {
  std::vector<double> place(row.begin(), row.end());
  if (!linalg::is_far(radius_, std::sqrt(linalg::squared_norm(centred)))) return place;
  for (std::size_t d = 0; d < place.size(); ++d) place[d] = center_[d] + positive_mean[d];
  return place;
}

/// A pool's mean values around a center, point by point.
std::vector<double> SoftEngine::exact_mean(const SoftPool& pool, const SoftPoolPass& pass,
                                           std::span<const double> row,
                                           std::span<const double> center) const {
  const double virtual_exponent = pass.weighs_virtual_point() ? pass.virtual_exponent() : kNothing;
  const std::vector<double> p =
      softmax(exponents(pool, contrast_.gamma, row, center, virtual_exponent),
              options_.pools.beta / contrast_.gamma);
  std::vector<double> mean(rule_.columns(), 0.0), values(rule_.columns()), centred(row.size());
  for (std::size_t k = 0; k < p.size(); ++k) {
    const bool is_virtual = k == pool.indices.size();
    for (std::size_t d = 0; d < row.size(); ++d)
      centred[d] = (is_virtual ? row[d] : pool.points(k, d)) - center[d];
    rule_.values(centred, center, values);
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += p[k] * values[v];
  }
  return mean;
}

Network SoftEngine::network(std::span<const double> row) const {
  const double gamma = contrast_.gamma;
  const double norm = std::sqrt(linalg::squared_distance(row, center_));
  const std::span<const double> center = linalg::is_far(radius_, norm) ? center_ : row;
  const auto e_positive =
      exponents(contrast_.positive, gamma, row, center, positive_.virtual_exponent());
  const auto e_negative =
      exponents(contrast_.negative, gamma, row, center, negative_.virtual_exponent());
  Network network;
  network.positive = members(contrast_.positive, positive_.virtual_exponent() > kNothing);
  network.negative = members(contrast_.negative, negative_.virtual_exponent() > kNothing);
  network.detection = Matrix(e_positive.size(), e_negative.size());
  for (std::size_t i = 0; i < e_positive.size(); ++i) {
    for (std::size_t j = 0; j < e_negative.size(); ++j)
      network.detection(i, j) = (e_positive[i] - e_negative[j]) / gamma;
  }
  const double positive_sum = log_sum_exp(e_positive);
  for (const double e : e_negative) network.hidden.push_back((positive_sum - e) / gamma);
  network.g = (positive_sum - log_sum_exp(e_negative)) / gamma;
  const double ratio = options_.pools.beta / gamma;
  const auto weights = [&](std::vector<double> e, double virtual_exponent) {
    if (options_.pools.ignore_intercept && virtual_exponent > kNothing) e.back() = kNothing;
    return softmax(e, ratio);
  };
  network.positive_weights = weights(e_positive, positive_.virtual_exponent());
  network.negative_weights = weights(e_negative, negative_.virtual_exponent());
  return network;
}

}  // namespace bisector::detail
