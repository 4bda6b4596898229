#include "core/explain/ranked_contrast_explainer.h"

namespace bisector::detail {

RankedContrastExplainer::RankedContrastExplainer(const Model& model, ClassChoice choice,
                                                 RelevanceRule rule,
                                                 RankedContrastExplainerOptions options)
    : choice_(choice),
      own_{std::make_shared<const RankedPools>(model, options.level), std::move(rule),
           options.kappa} {
  if (!options.ways) return;
  if (model.distance().categories().empty()) {
    paths_.emplace(own_, std::move(*options.ways));
    return;
  }
  const OneHot& one_hot = one_hot_.emplace(model);
  const Model expanded = one_hot.expanded(model);
  const std::vector<double> origin(expanded.features(), 0.0);
  PathPlan plan = std::move(*options.ways);
  plan.candidates = one_hot.expand(plan.candidates.view());
  paths_.emplace(
      RankedRule{std::make_shared<const RankedPools>(expanded, options.level),
                 RelevanceRule({}, origin, origin, 0.0, expanded.distance()), options.kappa},
      std::move(plan));
}

/// A detector's relevance is so much of that of means; the ways have their scales already.
void RankedContrastExplainer::rescale(double scale, std::span<const double> half,
                                      std::span<double> relevance) const {
  for (double& value : relevance) value *= scale;
  for (std::size_t d = 0; d < half.size(); ++d)
    relevance[d] += (1.0 - scale) * (1.0 - own_.rule.eta()) * half[d];
}

Matrix RankedContrastExplainer::gradient_term(
    const RowTile& tile, std::span<const RankedPools::Decision> decided) const {
  if (!paths_) return Matrix(tile.count, 0);
  if (!one_hot_) return paths_->gradient_term(tile.rows, tile.input, decided, tile.threads);
  const Matrix rows = one_hot_->expand(tile.rows);
  return one_hot_->fold(paths_->gradient_term(rows.view(), rows.view(), decided, tile.threads));
}

std::vector<RankedPools::Decision> RankedContrastExplainer::explain(const RowTile& tile,
                                                                    MatrixView<double> relevance,
                                                                    std::span<double> base) const {
  const MatrixView<const double> rows = tile.rows;
  std::vector<Ballot> ballots;
  const auto found = own_.pools->nearest(rows, own_.kappa, tile.threads, &ballots);
  std::vector<RankedPools::Decision> decided;
  decided.reserve(found.size());
  for (std::size_t r = 0; r < found.size(); ++r)
    decided.push_back(ballots.empty()
                          ? own_.pools->decide(found[r], choice_)
                          : own_.pools->decide(found[r], choice_, std::move(ballots[r])));
  const Matrix half = gradient_term(tile, decided);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<double> positive(own_.rule.columns()), negative(own_.rule.columns());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double scale =
        own_.pool_mean(found[r], decided[r], Side::positive, rows.row(r), positive) *
        own_.pool_mean(found[r], decided[r], Side::negative, rows.row(r), negative);
    own_.rule.relevance({tile.input.row(r), at_center, rows.row(r)}, positive, negative,
                        half.row(r), relevance.row(r));
    if (scale != 1.0) rescale(scale, half.row(r), relevance.row(r));
    if (paths_)
      base[r] = paths_->base(decided[r]);
    else if (own_.rule.eta() == 1.0)
      base[r] = own_.pools->level_part(found[r], decided[r]);
  }
  return decided;
}

PoolsAtRow RankedContrastExplainer::pools_at(const linalg::GroupedNeighbors& found,
                                             const RankedPools::Decision& decision) const {
  const auto at_row = [&](Side side) {
    const auto pool = RankedPools::pool(found, decision, side);
    const auto who = own_.pools->responsible(found, decision, side, own_.kappa);
    PoolAtRow result;
    for (std::size_t n = 0; n < pool.size(); ++n) {
      const bool inside = who.first <= n && n < who.first + who.count;
      const double equal = 1.0 / static_cast<double>(who.count);
      result.members.push_back(pool[n].index);
      result.exponents.push_back(-pool[n].squared_distance);
      result.weights.push_back(!inside               ? 0.0
                               : who.weights.empty() ? equal
                                                     : who.scale * who.weights[n - who.first]);
    }
    // Against a detector's points stands its level, as near as it is.
    if (pool.empty()) result = {{std::nullopt}, {-own_.pools->score(found, decision, side)}, {1.0}};
    return result;
  };
  return {at_row(Side::positive), at_row(Side::negative), 1.0};
}

PoolsAtRow RankedContrastExplainer::pools_at(std::span<const double> row) const {
  const auto found = own_.pools->nearest({row.data(), 1, row.size()}, own_.kappa);
  return pools_at(found[0], own_.pools->decide(found[0], choice_));
}

Network RankedContrastExplainer::network(std::span<const double> row) const {
  const auto found = own_.pools->nearest({row.data(), 1, row.size()}, own_.kappa);
  const RankedPools::Decision decision = own_.pools->decide(found[0], choice_);
  const PoolsAtRow pools = pools_at(found[0], decision);
  Network network = all_pairs(pools);
  network.g = decision.g;
  const double positive_score = own_.pools->score(found[0], decision, Side::positive);
  for (const double e : pools.negative.exponents) network.hidden.push_back(-e - positive_score);
  return network;
}

}  // namespace bisector::detail
