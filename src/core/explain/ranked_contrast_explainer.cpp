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
      pools_(std::make_shared<const RankedPools>(model)) {}

/// The means of a point's values, around `center`, over the points in a pool's band of ranks.
void RankedContrastExplainer::band_mean(std::span<const linalg::Neighbor> pool, std::size_t rank,
                                        std::span<const double> center,
                                        std::span<double> mean) const {
  const Band band = rank_band(rank, options_.kappa, pool.size());
  std::vector<const double*> points;
  points.reserve(band.last - band.first + 1);
  for (std::size_t position = band.first; position <= band.last; ++position)
    points.push_back(pools_->points().row(pool[position - 1].index).data());
  rule_.mean_values(points, center, mean);
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
                                       const linalg::GroupedNeighbors& found, Means& means,
                                       std::span<double> half) const {
  const std::size_t rank = pools_->decide(found, pair).contrast.rank;
  // A point's first values are its coordinates: the first moments. Taken around the row, close to
  // the points, they only lose less to rounding.
  band_mean(found[*pair.positive], rank, tile.rows.row(r), means.positive);
  band_mean(found[*pair.negative], rank, tile.rows.row(r), means.negative);
  const std::size_t features = tile.rows.cols();
  for (std::size_t d = 0; d < features; ++d) means.positive[d] -= means.negative[d];
  const std::size_t start = ways.steps[step].start;
  const bool is_mixed = ways.input_references.rows() > 0;
  rule_.add_step({tile.rows.row(r), tile.input.row(r)},
                 {ways.references.row(start),
                  is_mixed ? ways.input_references.row(start) : std::span<const double>()},
                 std::span<const double>(means.positive).first(features),
                 1.0 / static_cast<double>(ways.steps.size()), half);
}

Matrix RankedContrastExplainer::first_half(const RowTile& tile,
                                           std::span<const RankedPools::Decision> decided) const {
  if (!options_.ways) return Matrix(tile.count, 0);
  std::map<const Ways*, std::vector<std::size_t>> together;  // the rows with the same ways
  for (std::size_t r = 0; r < tile.count; ++r) together[&ways_to(decided[r])].push_back(r);
  // So many steps at once, that what is found at them needs little memory.
  constexpr std::size_t kStepsAtOnce = 32;
  Matrix half(tile.count, tile.input.cols());
  Means means{std::vector<double>(rule_.columns()), std::vector<double>(rule_.columns())};
  for (const auto& [ways, members] : together) {
    const Matrix rows = gather_rows(tile.rows, members);
    for (std::size_t first = 0; first < ways->steps.size(); first += kStepsAtOnce) {
      const auto steps = std::span(ways->steps)
                             .subspan(first, std::min(kStepsAtOnce, ways->steps.size() - first));
      const auto found = pools_->nearest_on_lines(rows.view(), {ways->references.view(), steps},
                                                  options_.kappa, tile.threads);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const RankedContrast& contrast = decided[members[m]].contrast;
        for (std::size_t s = 0; s < steps.size(); ++s)
          add_step(tile, members[m], *ways, first + s, {contrast.positive, contrast.negative},
                   found[m * steps.size() + s], means, half.row(members[m]));
      }
    }
  }
  return half;
}

std::vector<RankedPools::Decision> RankedContrastExplainer::explain(const RowTile& tile,
                                                                    MatrixView<double> relevance,
                                                                    std::span<double> base) const {
  const MatrixView<const double> rows = tile.rows;
  const auto found = pools_->nearest(rows, options_.kappa, tile.threads);
  std::vector<RankedPools::Decision> decided;
  for (const auto& nearest : found) decided.push_back(pools_->decide(nearest, choice_));
  const Matrix half = first_half(tile, decided);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RankedContrast& contrast = decided[r].contrast;
    band_mean(found[r][contrast.positive], contrast.rank, rows.row(r), positive);
    band_mean(found[r][contrast.negative], contrast.rank, rows.row(r), negative);
    rule_.relevance({tile.input.row(r), at_center, rows.row(r)}, positive, negative, half.row(r),
                    relevance.row(r));
    if (options_.ways) base[r] = ways_to(decided[r]).base;
  }
  return decided;
}

PoolsAtRow RankedContrastExplainer::pools_at(const linalg::GroupedNeighbors& found,
                                             const RankedContrast& contrast) const {
  const auto at_row = [&](const std::vector<linalg::Neighbor>& pool) {
    const Band band = rank_band(contrast.rank, options_.kappa, pool.size());
    PoolAtRow result;
    for (std::size_t position = 1; position <= pool.size(); ++position) {
      const bool inside = band.first <= position && position <= band.last;
      result.members.push_back(pool[position - 1].index);
      result.exponents.push_back(-pool[position - 1].squared_distance);
      result.weights.push_back(inside ? 1.0 / static_cast<double>(band.last - band.first + 1)
                                      : 0.0);
    }
    return result;
  };
  return {at_row(found[contrast.positive]), at_row(found[contrast.negative]), 1.0};
}

PoolsAtRow RankedContrastExplainer::pools_at(std::span<const double> row) const {
  const auto found = pools_->nearest({row.data(), 1, row.size()}, options_.kappa);
  return pools_at(found[0], pools_->decide(found[0], choice_).contrast);
}

Network RankedContrastExplainer::network(std::span<const double> row) const {
  const auto found = pools_->nearest({row.data(), 1, row.size()}, options_.kappa);
  const RankedPools::Decision decision = pools_->decide(found[0], choice_);
  Network network = all_pairs(pools_at(found[0], decision.contrast));
  network.g = decision.g;
  const double positive_score =
      pooled_score(found[0][decision.contrast.positive], decision.contrast.rank);
  for (const linalg::Neighbor& neighbor : found[0][decision.contrast.negative])
    network.hidden.push_back(neighbor.squared_distance - positive_score);
  return network;
}

}  // namespace bisector::detail
