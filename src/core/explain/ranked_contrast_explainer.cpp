#include "core/explain/ranked_contrast_explainer.h"

#include <algorithm>
#include <map>

namespace bisector::detail {

RankedContrastExplainer::RankedContrastExplainer(const Model& model, ClassChoice choice,
                                                 RelevanceRule rule,
                                                 RankedContrastExplainerOptions options)
    : choice_(choice),
      rule_(std::move(rule)),
      options_(std::move(options)),
      pools_(std::make_shared<const RankedPools>(model, options_.level)) {}

/// The means of a point's values, around `center`, over those that share a pool's responsibility; a
/// level stands at the center. Returns the pool's scale.
double RankedContrastExplainer::pool_mean(const linalg::GroupedNeighbors& found,
                                          const RankedPools::Decision& decision, Side side,
                                          std::span<const double> center,
                                          std::span<double> mean) const {
  const auto pool = RankedPools::pool(found, decision, side);
  const RankedPools::Responsible who = pools_->responsible(found, decision, side, options_.kappa);
  if (who.count == 0) {
    rule_.values(std::vector<double>(center.size(), 0.0), center, mean);
    return who.scale;
  }
  std::vector<const double*> points;
  points.reserve(who.count);
  for (std::size_t n = 0; n < who.count; ++n)
    points.push_back(pools_->points().row(pool[who.first + n].index).data());
  rule_.mean_values(points, center, mean, who.weights);
  return who.scale;
}

/// A detector's relevance is so much of that of means; the ways have their scales already.
void RankedContrastExplainer::rescale(double scale, std::span<const double> half,
                                      std::span<double> relevance) const {
  for (double& value : relevance) value *= scale;
  for (std::size_t d = 0; d < half.size(); ++d)
    relevance[d] += (1.0 - scale) * (1.0 - rule_.eta()) * half[d];
}

const Ways& RankedContrastExplainer::ways_to(const RankedPools::Decision& decision) const {
  const Model::ClassPair pair{decision.contrast.positive, decision.contrast.negative};
  return ways_
      .get(pair,
           [this](Model::ClassPair of) {
             const auto outputs = [&](MatrixView<const double> points) {
               std::vector<double> g;
               for (const auto& found : pools_->nearest(points, 0))
                 g.push_back(pools_->decide(found, {of.positive, of.negative}).g);
               return g;
             };
             return std::make_unique<const ContrastWays>(*options_.ways, outputs);
           })
      .to(decision.g);
}

/// Adds a step of a row's way to its half, from what was found at the point of the way.
void RankedContrastExplainer::add_step(const RowTile& tile, std::size_t r, const Ways& ways,
                                       std::size_t step, const ClassChoice& pair,
                                       const linalg::GroupedNeighbors& found, StepSpace& space,
                                       std::span<double> half) const {
  const RankedPools::Decision at_point = pools_->decide(found, pair);
  // The first moments of Euclidean pools do not depend on the center, and around the row they lose
  // less to rounding. Other parts are seen from the point, and those of a detector's points do not
  // add up to one.
  auto center = tile.rows.row(r);
  if (!pools_->have_means()) {
    linalg::point_on_line(center, {ways.references.view(), {}}, ways.steps[step], space.point);
    center = space.point;
  }
  const double scale = pool_mean(found, at_point, Side::positive, center, space.positive) *
                       pool_mean(found, at_point, Side::negative, center, space.negative);
  const std::size_t features = tile.rows.cols();
  for (std::size_t d = 0; d < features; ++d) space.positive[d] -= space.negative[d];
  const std::size_t start = ways.steps[step].start;
  const bool is_mixed = ways.input_references.rows() > 0;
  rule_.add_step({tile.rows.row(r), tile.input.row(r)},
                 {ways.references.row(start),
                  is_mixed ? ways.input_references.row(start) : std::span<const double>()},
                 std::span<const double>(space.positive).first(features),
                 scale / static_cast<double>(ways.steps.size()), half);
}

Matrix RankedContrastExplainer::first_half(const RowTile& tile,
                                           std::span<const RankedPools::Decision> decided) const {
  if (!options_.ways) return Matrix(tile.count, 0);
  std::map<const Ways*, std::vector<std::size_t>> together;  // the rows with the same ways
  for (std::size_t r = 0; r < tile.count; ++r) together[&ways_to(decided[r])].push_back(r);
  // So many steps at once, that what is found at them needs little memory.
  constexpr std::size_t kStepsAtOnce = 32;
  Matrix half(tile.count, tile.input.cols());
  StepSpace space{std::vector<double>(rule_.columns()), std::vector<double>(rule_.columns()),
                  std::vector<double>(tile.rows.cols())};
  for (const auto& [ways, members] : together) {
    const Matrix rows = gather_rows(tile.rows, members);
    for (std::size_t first = 0; first < ways->steps.size(); first += kStepsAtOnce) {
      const auto steps =
          std::span(ways->steps).subspan(first, std::min(kStepsAtOnce, ways->steps.size() - first));
      const auto found = pools_->nearest_on_lines(rows.view(), {ways->references.view(), steps},
                                                  options_.kappa, tile.threads);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const RankedContrast& contrast = decided[members[m]].contrast;
        for (std::size_t s = 0; s < steps.size(); ++s)
          add_step(tile, members[m], *ways, first + s, {contrast.positive, contrast.negative},
                   found[m * steps.size() + s], space, half.row(members[m]));
      }
    }
  }
  return half;
}

std::vector<RankedPools::Decision> RankedContrastExplainer::explain(const RowTile& tile,
                                                                    MatrixView<double> relevance,
                                                                    std::span<double> base) const {
  const MatrixView<const double> rows = tile.rows;
  std::vector<Ballot> ballots;
  const auto found = pools_->nearest(rows, options_.kappa, tile.threads, &ballots);
  std::vector<RankedPools::Decision> decided;
  decided.reserve(found.size());
  for (std::size_t r = 0; r < found.size(); ++r)
    decided.push_back(ballots.empty() ? pools_->decide(found[r], choice_)
                                      : pools_->decide(found[r], choice_, std::move(ballots[r])));
  const Matrix half = first_half(tile, decided);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double scale = pool_mean(found[r], decided[r], Side::positive, rows.row(r), positive) *
                         pool_mean(found[r], decided[r], Side::negative, rows.row(r), negative);
    rule_.relevance({tile.input.row(r), at_center, rows.row(r)}, positive, negative, half.row(r),
                    relevance.row(r));
    if (scale != 1.0) rescale(scale, half.row(r), relevance.row(r));
    if (options_.ways)
      base[r] = ways_to(decided[r]).base;
    else if (rule_.eta() == 1.0)
      base[r] = pools_->level_part(found[r], decided[r]);
  }
  return decided;
}

PoolsAtRow RankedContrastExplainer::pools_at(const linalg::GroupedNeighbors& found,
                                             const RankedPools::Decision& decision) const {
  const auto at_row = [&](Side side) {
    const auto pool = RankedPools::pool(found, decision, side);
    const auto who = pools_->responsible(found, decision, side, options_.kappa);
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
    if (pool.empty()) result = {{std::nullopt}, {-pools_->score(found, decision, side)}, {1.0}};
    return result;
  };
  return {at_row(Side::positive), at_row(Side::negative), 1.0};
}

PoolsAtRow RankedContrastExplainer::pools_at(std::span<const double> row) const {
  const auto found = pools_->nearest({row.data(), 1, row.size()}, options_.kappa);
  return pools_at(found[0], pools_->decide(found[0], choice_));
}

Network RankedContrastExplainer::network(std::span<const double> row) const {
  const auto found = pools_->nearest({row.data(), 1, row.size()}, options_.kappa);
  const RankedPools::Decision decision = pools_->decide(found[0], choice_);
  const PoolsAtRow pools = pools_at(found[0], decision);
  Network network = all_pairs(pools);
  network.g = decision.g;
  const double positive_score = pools_->score(found[0], decision, Side::positive);
  for (const double e : pools.negative.exponents) network.hidden.push_back(-e - positive_score);
  return network;
}

}  // namespace bisector::detail
