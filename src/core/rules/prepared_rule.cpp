#include "core/rules/prepared_rule.h"

namespace bisector::detail {
namespace {

/// A detector's relevance is a fraction of that of the means; a gradient term along paths has its
/// factors already.
void rescale(double scale, double gradient_weight, std::span<const double> gradient_term,
             std::span<double> relevance) {
  for (double& value : relevance) value *= scale;
  for (std::size_t d = 0; d < gradient_term.size(); ++d)
    relevance[d] += (1.0 - scale) * gradient_weight * gradient_term[d];
}

}  // namespace

PreparedRule::PreparedRule(const RelevanceRule& rule, const Contrasts& contrasts,
                           const ContrastOptions& options, std::optional<PathPlan> plan)
    : rule_(rule) {
  if (plan) paths_.emplace(rule_, contrasts, options, std::move(*plan));
}

PathTerm::Result PreparedRule::gradient_term(const RowTile& tile,
                                             const TileMoments& moments) const {
  if (paths_) return (*paths_)(tile, moments.decisions);
  PathTerm::Result result{Matrix(tile.count, 0), {}, std::vector<double>(tile.count, 0.0)};
  for (std::size_t r = 0; rule_.eta() == 1.0 && r < tile.count; ++r)
    result.base[r] = moments.decisions[r].level_part;
  if (moments.half_gradients.rows() == 0) return result;
  result.term = Matrix(tile.count, tile.input.cols());
  for (std::size_t r = 0; r < tile.count; ++r) {
    const auto term = result.term.row(r);
    rule_.for_each_input({tile.rows.row(r), tile.input.row(r)}, rule_.reference(),
                         moments.half_gradients.row(r),
                         [&](std::size_t d, double difference, double half_gradient) {
                           term[d] += 2.0 * difference * half_gradient;
                         });
  }
  return result;
}

PreparedRule::Result PreparedRule::explain(const Contrast& contrast, const RowTile& tile) const {
  TileMoments moments = contrast.moments(tile);
  PathTerm::Result gradient = gradient_term(tile, moments);
  Result result{{},
                Matrix(tile.count, tile.input.cols()),
                std::move(gradient.base),
                std::move(gradient.standard_error)};
  const bool is_at_row = moments.center.empty();
  const std::vector<double> zero(tile.rows.cols(), 0.0);
  for (std::size_t r = 0; r < tile.count; ++r) {
    const auto x = tile.rows.row(r), input = tile.input.row(r);
    const auto term = gradient.term.row(r);
    const auto relevance = result.relevance.row(r);
    const RelevanceRule::Row row =
        is_at_row ? RelevanceRule::Row{input, zero, x}
                  : RelevanceRule::Row{input, moments.centered.row(r), moments.center};
    const double cancellation =
        rule_.relevance(row, moments.positive[r].mean, moments.negative[r].mean, term, relevance);
    // False for 0 / 0 and overflow, too.
    const bool is_exact_enough = cancellation <= moments.tolerated;
    if (!is_at_row && !is_exact_enough) explain_again(contrast, tile, r, moments, term, relevance);
    if (!moments.scales.empty() && moments.scales[r] != 1.0)
      rescale(moments.scales[r], 1.0 - rule_.eta(), term, relevance);
  }
  for (std::size_t r = 0; r < result.standard_error.rows(); ++r) {
    for (double& error : result.standard_error.row(r)) error *= 1.0 - rule_.eta();
  }
  result.decisions = std::move(moments.decisions);
  return result;
}

void PreparedRule::explain_again(const Contrast& contrast, const RowTile& tile, std::size_t r,
                                 const TileMoments& moments, std::span<const double> gradient_term,
                                 std::span<double> relevance) const {
  const auto x = tile.rows.row(r);
  const ExactMeans exact = contrast.exact_means(tile, r, moments);
  std::vector<double> centered(x.size());
  for (std::size_t d = 0; d < x.size(); ++d) centered[d] = x[d] - exact.center[d];
  rule_.relevance({tile.input.row(r), centered, exact.center}, exact.positive, exact.negative,
                  gradient_term, relevance);
}

}  // namespace bisector::detail
