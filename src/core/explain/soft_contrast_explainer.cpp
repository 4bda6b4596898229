#include "core/explain/soft_contrast_explainer.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/explain/soft_pool_at_row.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

// Moments around the points' mean lose as many digits as their terms exceed the relevance; past
// these ratios a row would miss 1e-9 (1e-4 in single precision) of its largest relevance.
constexpr double kTolerated = 1e5, kToleratedSingle = 300.0;

/// The share of the intercept below which the points of a machine count as nothing.
constexpr double kSaturation = 1e-3;

/// The products of the references with the points serve at least so many rows.
constexpr std::size_t kRowsPerStart = 8;

}  // namespace

SoftContrastExplainer::SoftContrastExplainer(SoftContrast contrast, RelevanceRule rule,
                                             const PoolOptions& options,
                                             const std::optional<PathPlan>& ways)
    : rule_(std::move(rule)) {
  std::optional<PointValues> values;
  if (rule_.has_own_values())
    values =
        PointValues{rule_.columns(), [rule = rule_, center = contrast.center](
                                         std::span<const double> centered, std::span<double> out) {
                      rule.values(centered, center, out);
                    }};
  pools_ = std::make_shared<const SoftPools>(std::move(contrast), options, values);
  if (ways)
    paths_.emplace(*ways, [this](MatrixView<const double> points) { return outputs(points); });
}

/// g at points of the model's space.
std::vector<double> SoftContrastExplainer::outputs(MatrixView<const double> points) const {
  const Matrix from_center = centered(points, pools_->contrast().center);
  const auto positive = pools_->positive().run(from_center.view(), 0, 1);
  const auto negative = pools_->negative().run(from_center.view(), 0, 1);
  std::vector<double> g(points.rows());
  for (std::size_t r = 0; r < g.size(); ++r) g[r] = pools_->g(positive[r], negative[r]);
  return g;
}

Matrix SoftContrastExplainer::gradient_term(const RowTile& tile,
                                            const linalg::SoftmaxRows& positive,
                                            const linalg::SoftmaxRows& negative,
                                            std::span<const double> g) const {
  if (!paths_) return gradient_term_at_rows(tile, positive, negative);
  Matrix half(tile.count, tile.input.cols());
  std::map<const Paths*, std::vector<std::size_t>> members;
  for (std::size_t r = 0; r < tile.count; ++r) members[&paths_->to(g[r])].push_back(r);
  for (const auto& [ways, rows] : members) {
    // Few rows at a time, because each has a row of moments for every step.
    const std::size_t together =
        std::max<std::size_t>(kRowsPerStart, linalg::kRowTile / ways->steps.size());
    for (std::size_t first = 0; first < rows.size(); first += together)
      add_paths(tile, *ways,
                std::span(rows).subspan(first, std::min(together, rows.size() - first)), half);
  }
  return half;
}

/// Of the eta rule, whose only step is at the row. The Gaussian's is in the means already: its
/// pools are as steep as their effective distances.
Matrix SoftContrastExplainer::gradient_term_at_rows(const RowTile& tile,
                                                    const linalg::SoftmaxRows& positive,
                                                    const linalg::SoftmaxRows& negative) const {
  if (pools_->contrast().is_gaussian()) return Matrix(tile.count, 0);
  Matrix half(tile.count, tile.input.cols());
  const Matrix rows = centered(tile.rows, pools_->contrast().center);
  std::vector<double> slope(tile.rows.cols());
  for (std::size_t r = 0; r < tile.count; ++r) {
    pools_->half_gradient_of_g(rows.row(r), positive[r], negative[r], slope);
    rule_.add_step({tile.rows.row(r), tile.input.row(r)}, rule_.reference(), slope, 1.0,
                   half.row(r));
  }
  return half;
}

void SoftContrastExplainer::add_paths(const RowTile& tile, const Paths& ways,
                                      std::span<const std::size_t> members, Matrix& half) const {
  const std::vector<double>& center = pools_->contrast().center;
  const Matrix rows = centered(gather_rows(tile.rows, members).view(), center);
  const Matrix starts = centered(ways.references.view(), center);
  const linalg::Lines<double> lines{starts.view(), ways.steps};
  const auto positive = pools_->positive().run_on_lines(rows.view(), lines, tile.threads);
  const auto negative = pools_->negative().run_on_lines(rows.view(), lines, tile.threads);
  const std::size_t steps = ways.steps.size();
  const bool is_mixed = ways.input_references.rows() > 0;
  std::vector<double> difference(rows.cols()), point(rows.cols());
  for (std::size_t i = 0; i < members.size() * steps; ++i) {
    const std::size_t row = members[i / steps], start = ways.steps[i % steps].start;
    if (!pools_->contrast().is_gaussian())
      linalg::point_on_line(rows.row(i / steps), lines, ways.steps[i % steps], point);
    pools_->half_gradient_of_g(point, positive[i], negative[i], difference);
    rule_.add_step({tile.rows.row(row), tile.input.row(row)},
                   {ways.references.row(start),
                    is_mixed ? ways.input_references.row(start) : std::span<const double>()},
                   difference, 1.0 / static_cast<double>(steps), half.row(row));
  }
}

void SoftContrastExplainer::explain(const RowTile& tile, const SoftExplanation& out) const {
  const SoftContrast& contrast = pools_->contrast();
  const Matrix rows = centered(tile.rows, contrast.center);
  const auto positive = pools_->positive().run(rows.view(), rule_.columns(), tile.threads);
  const auto negative = pools_->negative().run(rows.view(), rule_.columns(), tile.threads);
  const double intercept = std::abs(contrast.intercept);
  for (std::size_t r = 0; r < tile.count; ++r) {
    out.g[r] = pools_->g(positive[r], negative[r]);
    const double for_positive = pool_sum(positive[r]), for_negative = pool_sum(negative[r]);
    out.f[r] = for_positive - for_negative;
    out.is_saturated[r] = for_positive + for_negative - intercept < kSaturation * intercept;
    if (paths_) out.base[r] = paths_->to(out.g[r]).base;
  }
  const Matrix half = gradient_term(tile, positive, negative, out.g);
  const double tolerated = pools_->options().single_precision ? kToleratedSingle : kTolerated;
  const std::vector<double> at_center(tile.rows.cols(), 0.0);
  for (std::size_t r = 0; r < tile.count; ++r) {
    const RelevanceRule::Row row =
        pools_->means_from_rows()
            ? RelevanceRule::Row{tile.input.row(r), at_center, tile.rows.row(r)}
            : RelevanceRule::Row{tile.input.row(r), rows.row(r), contrast.center};
    const double cancellation =
        rule_.relevance(row, positive[r].mean, negative[r].mean, half.row(r), out.relevance.row(r));
    if (pools_->means_from_rows()) continue;  // seen from the row, nothing cancels
    // False for 0 / 0 and overflow, too.
    const bool is_exact_enough = cancellation <= tolerated;
    if (!is_exact_enough)
      explain_exactly(tile, r, rows.row(r), positive[r].mean, half.row(r), out.relevance.row(r));
  }
}

void SoftContrastExplainer::explain_exactly(const RowTile& tile, std::size_t row,
                                            std::span<const double> centered,
                                            std::span<const double> positive_mean,
                                            std::span<const double> gradient_term,
                                            std::span<double> relevance) const {
  const auto x = tile.rows.row(row);
  const std::vector<double> place = close_center(x, centered, positive_mean);
  std::vector<double> from_place(place.size());
  for (std::size_t d = 0; d < place.size(); ++d) from_place[d] = x[d] - place[d];
  const SoftContrast& contrast = pools_->contrast();
  rule_.relevance({tile.input.row(row), from_place, place},
                  exact_mean(contrast.positive, pools_->positive(), x, place),
                  exact_mean(contrast.negative, pools_->negative(), x, place), gradient_term,
                  relevance);
}

/// Where moments lose no digits although the pools' all but cancel: at x, which is among the points
/// then, or for a far-away x among those that weigh there.
std::vector<double> SoftContrastExplainer::close_center(
    std::span<const double> row, std::span<const double> centered,
    std::span<const double> positive_mean) const {
  const SoftContrast& contrast = pools_->contrast();
  std::vector<double> place(row.begin(), row.end());
  if (!linalg::is_far(contrast.radius, std::sqrt(linalg::squared_norm(centered)))) return place;
  for (std::size_t d = 0; d < place.size(); ++d) place[d] = contrast.center[d] + positive_mean[d];
  return place;
}

/// A pool's mean values around a center, point by point.
std::vector<double> SoftContrastExplainer::exact_mean(const SoftPool& pool,
                                                      const PoolMoments& moments,
                                                      std::span<const double> row,
                                                      std::span<const double> center) const {
  const PoolAtRow at_row = soft_pool_at(*pools_, pool, moments, row, center);
  std::vector<double> mean(rule_.columns(), 0.0), values(rule_.columns()), centered(row.size());
  for (std::size_t k = 0; k < at_row.weights.size(); ++k) {
    const bool is_virtual = k == pool.log_weights.size();
    const auto point = is_virtual ? row : (*pool.points)[k];
    for (std::size_t d = 0; d < row.size(); ++d) centered[d] = point[d] - center[d];
    rule_.values(centered, center, values);
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += at_row.weights[k] * values[v];
  }
  return mean;
}

PoolsAtRow SoftContrastExplainer::pools_at(std::span<const double> row) const {
  const SoftContrast& contrast = pools_->contrast();
  const double norm = std::sqrt(linalg::squared_distance(row, contrast.center));
  const std::span<const double> center =
      linalg::is_far(contrast.radius, norm) ? contrast.center : row;
  return {soft_pool_at(*pools_, contrast.positive, pools_->positive(), row, center),
          soft_pool_at(*pools_, contrast.negative, pools_->negative(), row, center),
          contrast.is_gaussian() ? contrast.gamma : 1.0};
}

Network SoftContrastExplainer::network(std::span<const double> row) const {
  const PoolsAtRow pools = pools_at(row);
  Network network = all_pairs(pools);
  // Exponents of a Gaussian are subtracted before they are divided: far away they are large.
  const double gamma = pools.gamma;
  const double positive = pooled_exponent(pools_->contrast(), pools.positive);
  for (const double e : pools.negative.exponents) network.hidden.push_back((positive - e) / gamma);
  network.g = (positive - pooled_exponent(pools_->contrast(), pools.negative)) / gamma;
  return network;
}

}  // namespace bisector::detail
