// Contrasts of kernel machines: two soft pools and the virtual point of the intercept. One
// streaming pass per pool gives f, g and the moments of a tile.
//
// With F the sum of a pool (with the intercept's virtual point at x) and u its mean point,
//
//     f = F_P - F_N                 grad f = 2 gamma [F_P (u_P - x) - F_N (u_N - x)]
//     g = log(F_P / F_N) / gamma    grad g = 2 (u_P - u_N)
//
// for the Gaussian kernel. Other kernels have the slope of the pool's sum in the place of gamma F
// and, for g, its ratio to the slope at the effective distance. The virtual point moves with x, so
// it adds nothing to the gradients.

#include "core/contrast/implementations.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/contrast/contrast.h"
#include "core/contrast/pool_moments.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/kernel_pools.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

// Moments around the points' mean lose as many digits as their terms exceed the relevance. Beyond
// these ratios a row would miss 1e-9 (1e-4 in single precision) of its largest relevance.
constexpr double kTolerated = 1e5, kToleratedSingle = 300.0;

/// A row whose points add less than this fraction of the intercept is saturated.
constexpr double kSaturation = 1e-3;

/// The products of the references with the points serve at least this many rows.
constexpr std::size_t kRowsPerStart = 8;

/// The pools of a single machine are those of its predictions, whichever class is explained: the
/// order of the points in their mean, the center, changes last digits.
KernelPools pools_of(const Model& model, Model::ClassPair pair, double level) {
  const bool is_reversed = pair.positive > pair.negative && model.labels().size() == 2;
  if (!is_reversed) return split_by_sign(model.pair_machine(pair, level));
  KernelPools pools = split_by_sign(model.pair_machine({pair.negative, pair.positive}, level));
  std::swap(pools.positive, pools.negative);
  pools.intercept = -pools.intercept;
  return pools;
}

// A pool at one row, point by point.

/// The exponents e_k = log alpha_k - gamma |x - u_k|^2 of a pool, then of the virtual point,
/// without -gamma |x - c|^2, which they share: log alpha_k + gamma (2 (x - c) - (u_k - c)) (u_k -
/// c).
std::vector<double> exponents(const SoftPool& pool, double gamma, std::span<const double> row,
                              std::span<const double> center, double virtual_exponent) {
  std::vector<double> e;
  e.reserve(pool.log_weights.size() + 1);
  for (std::size_t n = 0; n < pool.log_weights.size(); ++n) {
    const auto point = (*pool.points)[n];
    double sum = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      const double u = point[d] - center[d];
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
  std::vector<PoolMember> result;
  for (std::size_t n = 0; n < pool.points->size(); ++n) result.push_back(pool.points->index(n));
  if (with_intercept) result.push_back(std::nullopt);
  return result;
}

/// The log of each point's part of the pool's sum, and of the slope.
struct KernelLogs {
  std::vector<double> values, slopes;
};

KernelLogs kernel_logs(const Kernel& kernel, const SoftPool& pool, std::span<const double> row) {
  KernelLogs logs;
  const linalg::RowDistance from(kernel.distance(), row);
  for (std::size_t n = 0; n < pool.log_weights.size(); ++n) {
    const double s = from.sum((*pool.points)[n].data());
    logs.values.push_back(pool.log_weights[n] + kernel.log_value(s));
    logs.slopes.push_back(pool.log_weights[n] + kernel.log_slope(s));
  }
  return logs;
}

/// For kernels other than the Gaussian: the score of a member is its own effective distance.
void set_kernel_pool(const KernelPools& pools, const SoftPool& pool, std::span<const double> row,
                     double virtual_exponent, bool weigh_virtual, PoolAtRow& result) {
  KernelLogs logs = kernel_logs(pools.kernel, pool, row);
  if (!logs.slopes.empty()) result.weights = softmax(logs.slopes, 1.0);
  if (virtual_exponent > kNothing) {
    logs.values.push_back(virtual_exponent);
    const double share = weigh_virtual ? softmax(logs.values, 1.0).back() : 0.0;
    for (double& weight : result.weights) weight *= 1.0 - share;
    result.weights.push_back(share);
  }
  for (const double value : logs.values)
    result.exponents.push_back(-pools.kernel.inverse(value - pools.log_total));
}

/// The members of a pool, the virtual point last, with their scores and responsibilities. Distances
/// of the Gaussian kernel are relative to `center`: x itself or, for a far-away x, whose square
/// would exceed all differences, a place near the points. `ratio` is that of beta to gamma.
PoolAtRow soft_pool_at(const KernelPools& pools, const SoftPool& pool, const PoolMoments& moments,
                       double ratio, std::span<const double> row, std::span<const double> center) {
  const double virtual_exponent = moments.virtual_exponent();
  const bool has_virtual = virtual_exponent > kNothing;
  const bool weigh_virtual = moments.weighs_virtual_point();
  PoolAtRow result{members(pool, has_virtual), {}, {}};
  if (!pools.is_gaussian()) {
    set_kernel_pool(pools, pool, row, virtual_exponent, weigh_virtual, result);
    return result;
  }
  result.exponents = exponents(pool, pools.gamma, row, center, virtual_exponent);
  std::vector<double> weighed = result.exponents;
  if (has_virtual && !weigh_virtual) weighed.back() = kNothing;
  result.weights = softmax(weighed, ratio);
  return result;
}

/// Minus the pool's effective distance (times gamma for the Gaussian), without the summand that the
/// exponents omit.
double pooled_exponent(const KernelPools& pools, const PoolAtRow& pool) {
  if (pools.is_gaussian()) return log_sum_exp(pool.exponents);
  std::vector<double> logs;
  for (const double e : pool.exponents) logs.push_back(pools.kernel.log_value(-e));
  return -pools.kernel.inverse(log_sum_exp(logs));
}

class SoftContrast final : public Contrast {
 public:
  /// `level`: of regressors. Throws InvalidModel if a pool has nothing, unless there are no values
  /// to average, or if the intercept is to be ignored and a pool holds nothing else.
  SoftContrast(const Model& model, Model::ClassPair pair, double level, const PoolOptions& options,
               unsigned threads);

  std::vector<RowDecision> decide(const RowTile& tile) const override {
    const Matrix rows = centered(tile.rows, pools_.center);
    return decide(positive_.run(rows.view(), 0, tile.threads),
                  negative_.run(rows.view(), 0, tile.threads), tile.count);
  }
  TileMoments moments(const RowTile& tile) const override {
    TileMoments result;
    Matrix rows = centered(tile.rows, pools_.center);
    const std::size_t columns = options_.values->columns();
    result.positive = positive_.run(rows.view(), columns, tile.threads);
    result.negative = negative_.run(rows.view(), columns, tile.threads);
    result.decisions = decide(result.positive, result.negative, tile.count);
    result.scales.assign(tile.count, 1.0);
    // The Gaussian's half gradient is the difference of the means.
    if (!pools_.is_gaussian()) {
      result.half_gradients = Matrix(tile.count, tile.rows.cols());
      for (std::size_t r = 0; r < tile.count; ++r)
        half_gradient_of_g(rows.row(r), result.positive[r], result.negative[r],
                           result.half_gradients->row(r));
    }
    if (has_means_at_rows()) return result;
    result.place = TileMoments::AroundCenter{
        std::move(rows), pools_.center, options_.single_precision ? kToleratedSingle : kTolerated};
    return result;
  }
  /// The center is x, which is then one of the points. For a far-away x it is among the points that
  /// have weight there.
  ExactMeans exact_means(const RowTile& tile, std::size_t r,
                         const TileMoments& moments) const override {
    const auto x = tile.rows.row(r);
    ExactMeans result;
    result.center.assign(x.begin(), x.end());
    const auto from_center = std::get<TileMoments::AroundCenter>(moments.place).centered.row(r);
    if (linalg::is_far(pools_.radius, std::sqrt(linalg::squared_norm(from_center)))) {
      for (std::size_t d = 0; d < x.size(); ++d)
        result.center[d] = pools_.center[d] + moments.positive[r].mean[d];
    }
    result.positive = exact_mean(pools_.positive, positive_, x, result.center);
    result.negative = exact_mean(pools_.negative, negative_, x, result.center);
    return result;
  }
  void gradients_on_lines(MatrixView<const double> rows, const linalg::Lines<double>& lines,
                          unsigned threads, const UseGradient& use) const override {
    const std::size_t steps = lines.steps.size();
    // Few rows at a time, because each has a row of moments for every step.
    const std::size_t together = std::max<std::size_t>(kRowsPerStart, linalg::kRowTile / steps);
    std::vector<double> gradient(rows.cols()), point(rows.cols());
    for (std::size_t first = 0; first < rows.rows(); first += together) {
      const std::size_t count = std::min(together, rows.rows() - first);
      const Matrix own = centered(rows.rows(first, count), pools_.center);
      const auto positive = positive_.run_on_lines(own.view(), lines, threads);
      const auto negative = negative_.run_on_lines(own.view(), lines, threads);
      for (std::size_t i = 0; i < count * steps; ++i) {
        if (!pools_.is_gaussian())
          linalg::point_on_line(own.row(i / steps), lines, lines.steps[i % steps], point);
        half_gradient_of_g(point, positive[i], negative[i], gradient);
        use(first + i / steps, i % steps, gradient, 1.0);
      }
    }
  }
  std::span<const double> center() const override { return pools_.center; }
  PoolsAtRow members(std::span<const double> row) const override {
    const double norm = std::sqrt(linalg::squared_distance(row, pools_.center));
    const std::span<const double> center =
        linalg::is_far(pools_.radius, norm) ? pools_.center : row;
    return {pool_at(pools_.positive, positive_, row, center),
            pool_at(pools_.negative, negative_, row, center),
            pools_.is_gaussian() ? pools_.gamma : 1.0};
  }
  Network network(std::span<const double> row) const override {
    const PoolsAtRow pools = members(row);
    Network network = all_pairs(pools);
    // Exponents of a Gaussian are subtracted before they are divided: far away they are large.
    const double gamma = pools.gamma;
    const double positive = pooled_exponent(pools_, pools.positive);
    for (const double e : pools.negative.exponents)
      network.hidden.push_back((positive - e) / gamma);
    network.g = (positive - pooled_exponent(pools_, pools.negative)) / gamma;
    return network;
  }
  void gradients(ExplainedOutput output, const RowTile& tile,
                 MatrixView<double> gradients) const override {
    const Matrix rows = centered(tile.rows, pools_.center);
    const auto positive = positive_.run(rows.view(), rows.cols(), tile.threads);
    const auto negative = negative_.run(rows.view(), rows.cols(), tile.threads);
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto out = gradients.row(r);
      if (output == ExplainedOutput::g)
        half_gradient_of_g(rows.row(r), positive[r], negative[r], out);
      else
        half_gradient_of_f(rows.row(r), positive[r], negative[r], out);
      for (double& value : out) value *= 2.0;
    }
  }

 private:
  /// True if the pools' means are relative to the row itself, not to the center.
  bool has_means_at_rows() const { return !pools_.kernel.distance().is_euclidean(); }
  double g(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) const {
    if (pools_.is_gaussian()) return log_ratio(positive, negative) / pools_.gamma;
    return negative.effective - positive.effective;
  }
  std::vector<RowDecision> decide(const linalg::SoftmaxRows& positive,
                                  const linalg::SoftmaxRows& negative, std::size_t count) const {
    const double intercept = std::abs(pools_.intercept);
    std::vector<RowDecision> decided(count);
    for (std::size_t r = 0; r < count; ++r) {
      RowDecision& row = decided[r];
      row.g = g(positive[r], negative[r]);
      const double of_positive = pool_sum(positive[r]), of_negative = pool_sum(negative[r]);
      row.value = machine_output(positive[r].log_points, negative[r].log_points, intercept_);
      row.f = row.value - level_;
      row.tie = row.g == 0.0;
      const double ratio = (of_positive - of_negative) / row.g;
      if (std::isfinite(ratio)) row.ratio = ratio;
      row.is_outside = of_positive + of_negative - intercept < kSaturation * intercept;
      row.positive = pair_.positive;
      row.negative = pair_.negative;
      // The model's first class wins above zero, whichever class is explained.
      row.prediction = (pair_.positive == 0 ? row.f : -row.f) > 0.0 ? 0 : 1;
    }
    return decided;
  }
  /// Half of the gradients at a row, relative to the center, by the model's features.
  void half_gradient_of_g(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const {
    if (!pools_.is_gaussian())
      return combine(centered, positive, gradient_scale(positive), negative,
                     gradient_scale(negative), out);
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = positive.mean[d] - negative.mean[d];
  }
  void half_gradient_of_f(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const {
    const auto slope = [&](const linalg::SoftmaxRow& row) {
      return pools_.is_gaussian() ? pools_.gamma * pool_sum(row) : std::exp(row.log_slope);
    };
    combine(centered, positive, slope(positive), negative, slope(negative), out);
  }
  /// positive factor (mean_P - x) - negative factor (mean_N - x).
  void combine(std::span<const double> centered, const linalg::SoftmaxRow& positive,
               double positive_factor, const linalg::SoftmaxRow& negative, double negative_factor,
               std::span<double> out) const {
    for (std::size_t d = 0; d < out.size(); ++d) {
      const double x = has_means_at_rows() ? 0.0 : centered[d];
      out[d] = positive_factor * (positive.mean[d] - x) - negative_factor * (negative.mean[d] - x);
    }
  }
  /// The ratio of a pool's slope to the slope at its effective distance.
  double gradient_scale(const linalg::SoftmaxRow& row) const {
    return std::exp(row.log_slope - pools_.log_total - pools_.kernel.log_slope(row.effective));
  }
  /// A pool's mean values around a center, point by point.
  std::vector<double> exact_mean(const SoftPool& pool, const PoolMoments& moments,
                                 std::span<const double> row,
                                 std::span<const double> center) const {
    const PointValues& of = *options_.values;
    const PoolAtRow at_row = pool_at(pool, moments, row, center);
    std::vector<double> mean(of.columns(), 0.0), values(of.columns()), centered(row.size());
    for (std::size_t k = 0; k < at_row.weights.size(); ++k) {
      const bool is_virtual = k == pool.log_weights.size();
      const auto point = is_virtual ? row : (*pool.points)[k];
      for (std::size_t d = 0; d < row.size(); ++d) centered[d] = point[d] - center[d];
      of.compute(centered, center, values);
      for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += at_row.weights[k] * values[v];
    }
    return mean;
  }
  PoolAtRow pool_at(const SoftPool& pool, const PoolMoments& moments, std::span<const double> row,
                    std::span<const double> center) const {
    return soft_pool_at(pools_, pool, moments, stiffness_.ratio, row, center);
  }

  Model::ClassPair pair_;
  double level_;
  KernelPools pools_;
  double intercept_;  // of the machine; that of the pools is relative to the level
  PoolOptions options_;
  Stiffness stiffness_;
  PoolMoments positive_, negative_;
};

SoftContrast::SoftContrast(const Model& model, Model::ClassPair pair, double level,
                           const PoolOptions& options, unsigned threads)
    : Contrast(model, threads),
      pair_(pair),
      level_(level),
      pools_(pools_of(model, pair, level)),
      intercept_(model.pair_machine(pair).intercept()),
      options_(options),
      stiffness_(safe_stiffness(pools_, options.beta)),
      positive_(pools_, pools_.positive, pools_.positive_intercept(), stiffness_, options),
      negative_(pools_, pools_.negative, pools_.negative_intercept(), stiffness_, options) {
  if (options.values) require_both_pools(pools_);  // a prediction needs no contrast
}

}  // namespace

std::unique_ptr<const Contrast> make_soft_contrast(const Model& model, Model::ClassPair pair,
                                                   double level, const PoolOptions& options,
                                                   unsigned threads) {
  return std::make_unique<const SoftContrast>(model, pair, level, options, threads);
}

}  // namespace bisector::detail
