#include "explain/soft_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "linalg/vectors.h"
#include "models/rows.h"

namespace bisector {
namespace {

// Moments around the points' mean lose as many digits as their terms exceed the relevance; past
// these ratios a row would miss 1e-9 (1e-4 in single precision) of its largest relevance.
constexpr double kTolerated = 1e5, kToleratedSingle = 300.0;

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b)); either may be minus infinity.
double log_add(double a, double b) {
  if (b == kNothing) return a;
  const double high = std::max(a, b), low = std::min(a, b);
  return high + std::log1p(std::exp(low - high));
}

/// The exponents e_k = log alpha_k - gamma |x - u_k|^2 of a pool, then of the virtual point.
std::vector<double> exponents(const SoftPool& pool, double gamma, std::span<const double> row,
                              double virtual_exponent) {
  std::vector<double> e;
  for (std::size_t n = 0; n < pool.indices.size(); ++n)
    e.push_back(pool.log_weights[n] - gamma * linalg::squared_distance(row, pool.points.row(n)));
  if (virtual_exponent > kNothing) e.push_back(virtual_exponent);
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

std::vector<double> mean_of_all(const SoftContrast& contrast) {
  std::vector<double> mean = linalg::row_mean(contrast.positive.points.view());
  const std::vector<double> other = linalg::row_mean(contrast.negative.points.view());
  const auto p = static_cast<double>(contrast.positive.indices.size());
  const auto n = static_cast<double>(contrast.negative.indices.size());
  for (std::size_t d = 0; d < mean.size(); ++d)
    mean[d] = (p * mean[d] + n * other[d]) / std::max(p + n, 1.0);
  return mean;
}

std::vector<PoolMember> members(const SoftPool& pool, bool with_intercept) {
  std::vector<PoolMember> who(pool.indices.begin(), pool.indices.end());
  if (with_intercept) who.push_back(std::nullopt);
  return who;
}

}  // namespace

SoftEngine::SoftEngine(SoftContrast contrast, RelevanceRule rule, const SoftEngineOptions& options)
    : contrast_(std::move(contrast)),
      rule_(std::move(rule)),
      center_(mean_of_all(contrast_)),
      tolerated_cancellation_(options.single_precision ? kToleratedSingle : kTolerated),
      beta_(options.beta),
      ignore_intercept_(options.ignore_intercept),
      positive_(make_pass(contrast_.positive, contrast_.intercept > 0.0, radius(), options)),
      negative_(make_pass(contrast_.negative, contrast_.intercept < 0.0, radius(), options)) {}

/// Both pools share the larger radius, and with it the route of a row.
double SoftEngine::radius() const {
  return std::max(linalg::largest_norm(centered(contrast_.positive.points.view(), center_).view()),
                  linalg::largest_norm(centered(contrast_.negative.points.view(), center_).view()));
}

SoftEngine::PoolPass SoftEngine::make_pass(const SoftPool& pool, bool has_intercept, double radius,
                                           const SoftEngineOptions& options) const {
  if (options.ignore_intercept && pool.indices.empty())
    throw InvalidModel("a pool holds the intercept alone, expected points when it is ignored");
  const double ratio = beta_ / contrast_.gamma;
  const double virtual_forward = has_intercept ? contrast_.log_intercept() : kNothing;
  PoolPass pass{std::nullopt, std::nullopt,
                has_intercept && !options.ignore_intercept ? ratio * virtual_forward : kNothing,
                virtual_forward};
  if (pool.indices.empty()) return pass;

  const Matrix centred = centered(pool.points.view(), center_);
  Matrix values(centred.rows(), rule_.columns());
  for (std::size_t n = 0; n < centred.rows(); ++n)
    rule_.values(centred.row(n), center_, values.row(n));
  // Responsibilities are softmax(-beta z) = softmax((beta / gamma) e): the same points with a
  // stiffer gamma and steeper log-weights.
  std::vector<double> steeper = pool.log_weights;
  for (double& value : steeper) value *= ratio;
  const linalg::SoftPass::Tolerance tolerance;
  pass.weights.emplace(centred.view(), steeper, beta_, values.view(), radius,
                       options.single_precision, tolerance);
  if (ratio != 1.0)
    pass.forward.emplace(centred.view(), pool.log_weights, contrast_.gamma,
                         MatrixView<const double>(nullptr, centred.rows(), 0), radius,
                         options.single_precision, tolerance);
  return pass;
}

std::vector<SoftEngine::PooledRow> SoftEngine::run(const PoolPass& pass,
                                                   MatrixView<const double> centred) const {
  const std::size_t columns = rule_.columns();
  std::vector<linalg::SoftRow> weighted, forward;
  if (pass.weights)
    pass.weights->run(centred, columns, weighted);
  else  // the virtual point is all there is
    weighted.assign(centred.rows(), {kNothing, 0.0, std::vector<double>(columns, 0.0)});
  if (pass.forward) pass.forward->run(centred, 0, forward);

  std::vector<PooledRow> pooled;
  std::vector<double> at_x(columns);
  for (std::size_t r = 0; r < centred.rows(); ++r) {
    const linalg::SoftRow& sums = pass.forward ? forward[r] : weighted[r];
    PooledRow row{log_add(sums.log_sum, pass.virtual_forward - sums.offset), sums.offset,
                  std::move(weighted[r].mean)};
    if (pass.virtual_weight > kNothing) {
      const double exponent = pass.virtual_weight - weighted[r].offset;
      const double share = std::exp(exponent - log_add(weighted[r].log_sum, exponent));
      rule_.values(centred.row(r), center_, at_x);
      for (std::size_t v = 0; v < columns; ++v)
        row.mean[v] = (1.0 - share) * row.mean[v] + share * at_x[v];
    }
    pooled.push_back(std::move(row));
  }
  return pooled;
}

void SoftEngine::explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
                         MatrixView<double> relevance, std::span<double> g,
                         std::span<double> f) const {
  const Matrix centred = centered(rows, center_);
  const std::vector<PooledRow> positive = run(positive_, centred.view());
  const std::vector<PooledRow> negative = run(negative_, centred.view());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const PooledRow &p = positive[r], &n = negative[r];
    // The offsets are equal, or one pool is the virtual point alone and its offset is zero.
    g[r] = ((p.log_sum - n.log_sum) + (p.offset - n.offset)) / contrast_.gamma;
    f[r] = std::exp(p.log_sum + p.offset) - std::exp(n.log_sum + n.offset);
    const double cancellation = rule_.relevance(input_rows.row(r), centred.row(r), center_, p.mean,
                                                n.mean, relevance.row(r));
    // Negated so that 0 / 0 and overflow count as cancellation too.
    if (!(cancellation <= tolerated_cancellation_))
      explain_exactly(input_rows.row(r), rows.row(r), relevance.row(r));
  }
}

/// A pool's mean values around the row itself, point by point.
std::vector<double> SoftEngine::exact_mean(const SoftPool& pool, const PoolPass& pass,
                                           std::span<const double> row) const {
  const bool with_virtual = pass.virtual_weight > kNothing;
  const auto e =
      exponents(pool, contrast_.gamma, row, with_virtual ? pass.virtual_forward : kNothing);
  const std::vector<double> p = softmax(e, beta_ / contrast_.gamma);
  std::vector<double> mean(rule_.columns(), 0.0), values(rule_.columns()), centred(row.size());
  for (std::size_t k = 0; k < p.size(); ++k) {
    const bool is_virtual = k == pool.indices.size();
    for (std::size_t d = 0; d < row.size(); ++d)
      centred[d] = is_virtual ? 0.0 : pool.points(k, d) - row[d];
    rule_.values(centred, row, values);
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += p[k] * values[v];
  }
  return mean;
}

void SoftEngine::explain_exactly(std::span<const double> input_row, std::span<const double> row,
                                 std::span<double> relevance) const {
  rule_.relevance(input_row, std::vector<double>(row.size(), 0.0), row,
                  exact_mean(contrast_.positive, positive_, row),
                  exact_mean(contrast_.negative, negative_, row), relevance);
}

Network SoftEngine::network(std::span<const double> row) const {
  const double gamma = contrast_.gamma;
  const auto e_positive = exponents(contrast_.positive, gamma, row, positive_.virtual_forward);
  const auto e_negative = exponents(contrast_.negative, gamma, row, negative_.virtual_forward);
  Network network;
  network.positive = members(contrast_.positive, positive_.virtual_forward > kNothing);
  network.negative = members(contrast_.negative, negative_.virtual_forward > kNothing);
  network.detection = Matrix(e_positive.size(), e_negative.size());
  for (std::size_t i = 0; i < e_positive.size(); ++i) {
    for (std::size_t j = 0; j < e_negative.size(); ++j)
      network.detection(i, j) = (e_positive[i] - e_negative[j]) / gamma;
  }
  const double positive_sum = log_sum_exp(e_positive);
  for (const double e : e_negative) network.hidden.push_back((positive_sum - e) / gamma);
  network.g = (positive_sum - log_sum_exp(e_negative)) / gamma;
  const double ratio = beta_ / gamma;
  const auto weights = [&](std::vector<double> e, double virtual_forward) {
    if (ignore_intercept_ && virtual_forward > kNothing) e.back() = kNothing;
    return softmax(e, ratio);
  };
  network.positive_weights = weights(e_positive, positive_.virtual_forward);
  network.negative_weights = weights(e_negative, negative_.virtual_forward);
  return network;
}

}  // namespace bisector
