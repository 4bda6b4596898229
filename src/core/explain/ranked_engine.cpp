#include "core/explain/ranked_engine.h"

#include <algorithm>

namespace bisector::detail {

RankedEngine::RankedEngine(const Model& model, ClassChoice choice, RelevanceRule rule,
                           RankedEngineOptions options)
    : choice_(choice), rule_(std::move(rule)), options_(std::move(options)), pools_(model) {}

/// The means of a point's values, around `center`, over the points in a pool's band of ranks.
void RankedEngine::band_mean(std::span<const linalg::Neighbor> pool, std::size_t rank,
                             std::span<const double> center, std::span<double> mean) const {
  const Band band = rank_band(rank, options_.kappa, pool.size());
  std::vector<const double*> points;
  points.reserve(band.last - band.first + 1);
  for (std::size_t position = band.first; position <= band.last; ++position)
    points.push_back(pools_.points().row(pool[position - 1].index).data());
  rule_.mean_values(points, center, mean);
}

Matrix RankedEngine::moment_difference(MatrixView<const double> points,
                                       std::span<const RankedPools::Decision> decided,
                                       MatrixView<const double> centers) const {
  Matrix difference(points.rows(), points.cols());
  // A point's first values are its coordinates: the first moments.
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  const auto found = pools_.nearest(points, options_.kappa);
  for (std::size_t r = 0; r < points.rows(); ++r) {
    const ClassChoice pair{decided[r].contrast.positive, decided[r].contrast.negative};
    const std::size_t rank = pools_.decide(found[r], pair).contrast.rank;
    band_mean(found[r][*pair.positive], rank, centers.row(r), positive);
    band_mean(found[r][*pair.negative], rank, centers.row(r), negative);
    for (std::size_t d = 0; d < points.cols(); ++d) difference(r, d) = positive[d] - negative[d];
  }
  return difference;
}

std::vector<RankedPools::Decision> RankedEngine::explain(MatrixView<const double> input_rows,
                                                         MatrixView<const double> rows,
                                                         MatrixView<double> relevance) const {
  const auto found = pools_.nearest(rows, options_.kappa);
  std::vector<RankedPools::Decision> decided;
  for (const auto& nearest : found) decided.push_back(pools_.decide(nearest, choice_));
  const auto difference = [&](MatrixView<const double> points) {
    return moment_difference(points, decided, rows);
  };
  const Matrix along =
      options_.directions ? options_.directions(rows, difference) : Matrix(rows.rows(), 0);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<double> positive(rule_.columns()), negative(rule_.columns());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RankedContrast& contrast = decided[r].contrast;
    band_mean(found[r][contrast.positive], contrast.rank, rows.row(r), positive);
    band_mean(found[r][contrast.negative], contrast.rank, rows.row(r), negative);
    rule_.relevance({input_rows.row(r), at_center, rows.row(r)}, positive, negative, along.row(r),
                    relevance.row(r));
  }
  return decided;
}

Network RankedEngine::network(std::span<const double> row) const {
  const auto found = pools_.nearest({row.data(), 1, row.size()}, options_.kappa);
  const RankedPools::Decision result = pools_.decide(found[0], choice_);
  const auto& positive = found[0][result.contrast.positive];
  const auto& negative = found[0][result.contrast.negative];
  const std::size_t rank = result.contrast.rank;
  Network network;
  network.g = result.g;
  network.detection = Matrix(positive.size(), negative.size());
  const double positive_score = pooled_score(positive, rank);
  for (std::size_t j = 0; j < negative.size(); ++j) {
    for (std::size_t i = 0; i < positive.size(); ++i)
      network.detection(i, j) = negative[j].squared_distance - positive[i].squared_distance;
    network.hidden.push_back(negative[j].squared_distance - positive_score);
  }
  const auto describe = [&](const std::vector<linalg::Neighbor>& pool, std::vector<PoolMember>& who,
                            std::vector<double>& weights) {
    const Band band = rank_band(rank, options_.kappa, pool.size());
    for (std::size_t position = 1; position <= pool.size(); ++position) {
      who.push_back(pool[position - 1].index);
      const bool inside = band.first <= position && position <= band.last;
      weights.push_back(inside ? 1.0 / static_cast<double>(band.last - band.first + 1) : 0.0);
    }
  };
  describe(positive, network.positive, network.positive_weights);
  describe(negative, network.negative, network.negative_weights);
  return network;
}

}  // namespace bisector::detail
