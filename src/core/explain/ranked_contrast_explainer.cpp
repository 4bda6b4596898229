#include "core/explain/ranked_contrast_explainer.h"

#include <algorithm>

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

Matrix RankedContrastExplainer::moment_difference(MatrixView<const double> points,
                                                  std::span<const RankedPools::Decision> decided,
                                                  const RowTile& tile) const {
  Matrix difference(points.rows(), points.cols());
  // A point's first values are its coordinates: the first moments.
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  const auto found = pools_->nearest(points, options_.kappa, tile.threads);
  for (std::size_t r = 0; r < points.rows(); ++r) {
    const ClassChoice pair{decided[r].contrast.positive, decided[r].contrast.negative};
    const std::size_t rank = pools_->decide(found[r], pair).contrast.rank;
    band_mean(found[r][*pair.positive], rank, tile.rows.row(r), positive);
    band_mean(found[r][*pair.negative], rank, tile.rows.row(r), negative);
    for (std::size_t d = 0; d < points.cols(); ++d) difference(r, d) = positive[d] - negative[d];
  }
  return difference;
}

std::vector<RankedPools::Decision> RankedContrastExplainer::explain(
    const RowTile& tile, MatrixView<double> relevance) const {
  const MatrixView<const double> rows = tile.rows;
  const auto found = pools_->nearest(rows, options_.kappa, tile.threads);
  std::vector<RankedPools::Decision> decided;
  for (const auto& nearest : found) decided.push_back(pools_->decide(nearest, choice_));
  const auto difference = [&](MatrixView<const double> points) {
    return moment_difference(points, decided, tile);
  };
  const Matrix along =
      options_.directions ? options_.directions(rows, difference) : Matrix(rows.rows(), 0);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RankedContrast& contrast = decided[r].contrast;
    band_mean(found[r][contrast.positive], contrast.rank, rows.row(r), positive);
    band_mean(found[r][contrast.negative], contrast.rank, rows.row(r), negative);
    rule_.relevance({tile.input.row(r), at_center, rows.row(r)}, positive, negative, along.row(r),
                    relevance.row(r));
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
