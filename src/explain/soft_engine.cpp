#include "explain/soft_engine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bisector/error.h"
#include "linalg/vectors.h"
#include "models/rows.h"

namespace bisector {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b)); either may be minus infinity, not both.
double log_add(double a, double b) {
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

std::vector<PoolMember> members(const SoftPool& pool, bool with_intercept) {
  std::vector<PoolMember> who(pool.indices.begin(), pool.indices.end());
  if (with_intercept) who.push_back(std::nullopt);
  return who;
}

}  // namespace

SoftEngine::SoftEngine(SoftContrast contrast, RelevanceRule rule, const SoftEngineOptions& options)
    : contrast_(std::move(contrast)),
      rule_(std::move(rule)),
      beta_(options.beta),
      ignore_intercept_(options.ignore_intercept),
      positive_(make_pass(contrast_.positive, contrast_.intercept > 0.0, options)),
      negative_(make_pass(contrast_.negative, contrast_.intercept < 0.0, options)) {}

SoftEngine::PoolPass SoftEngine::make_pass(const SoftPool& pool, bool has_intercept,
                                           const SoftEngineOptions& options) const {
  if (options.ignore_intercept && pool.indices.empty())
    throw InvalidModel("a pool holds the intercept alone, expected points when it is ignored");
  const double ratio = beta_ / contrast_.gamma;
  const double virtual_forward = has_intercept ? contrast_.log_intercept() : kNothing;
  PoolPass pass{std::nullopt, std::nullopt,
                has_intercept && !options.ignore_intercept ? ratio * virtual_forward : kNothing,
                virtual_forward};
  if (pool.indices.empty()) return pass;

  const Matrix centred = centered(pool.points.view(), rule_.center());
  Matrix values(centred.rows(), rule_.columns());
  for (std::size_t n = 0; n < centred.rows(); ++n) rule_.values(centred.row(n), values.row(n));
  // Responsibilities are softmax(-beta z) = softmax((beta / gamma) e): the same points with a
  // stiffer gamma and steeper log-weights.
  std::vector<double> steeper = pool.log_weights;
  for (double& value : steeper) value *= ratio;
  pass.weights.emplace(centred, std::move(steeper), beta_, std::move(values),
                       options.single_precision);
  if (ratio != 1.0)
    pass.forward.emplace(centred, pool.log_weights, contrast_.gamma, Matrix(centred.rows(), 0),
                         options.single_precision);
  return pass;
}

double SoftEngine::PoolPass::total(double log_sum_of_points) const {
  return virtual_forward > kNothing ? log_add(log_sum_of_points, virtual_forward)
                                    : log_sum_of_points;
}

/// A pool's log-sum-exp (for g) and mean values (for the relevance) at every row.
void SoftEngine::run(const PoolPass& pass, MatrixView<const double> centred,
                     std::vector<double>& log_sums, std::vector<linalg::SoftRow>& means) const {
  const std::size_t columns = rule_.columns();
  if (pass.weights) {
    pass.weights->run(centred, columns, means);
  } else {
    means.assign(centred.rows(), {kNothing, std::vector<double>(columns, 0.0)});
  }
  std::vector<linalg::SoftRow> forward;
  if (pass.forward) pass.forward->run(centred, 0, forward);
  std::vector<double> at_x(columns);
  for (std::size_t r = 0; r < centred.rows(); ++r) {
    log_sums[r] = pass.total(pass.forward ? forward[r].log_sum : means[r].log_sum);
    if (pass.virtual_weight == kNothing) continue;
    const double share =
        std::exp(pass.virtual_weight - log_add(means[r].log_sum, pass.virtual_weight));
    rule_.values(centred.row(r), at_x);
    for (std::size_t v = 0; v < columns; ++v)
      means[r].mean[v] = (1.0 - share) * means[r].mean[v] + share * at_x[v];
  }
}

void SoftEngine::explain(MatrixView<const double> input_rows, MatrixView<const double> rows,
                         MatrixView<double> relevance, std::span<double> g,
                         std::span<double> f) const {
  const Matrix centred = centered(rows, rule_.center());
  std::vector<double> positive_sums(rows.rows()), negative_sums(rows.rows());
  std::vector<linalg::SoftRow> positive_means, negative_means;
  run(positive_, centred.view(), positive_sums, positive_means);
  run(negative_, centred.view(), negative_sums, negative_means);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    g[r] = (positive_sums[r] - negative_sums[r]) / contrast_.gamma;
    f[r] = std::exp(positive_sums[r]) - std::exp(negative_sums[r]);
    rule_.relevance(input_rows.row(r), centred.row(r), positive_means[r].mean,
                    negative_means[r].mean, relevance.row(r));
  }
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
