#include "explain/ranked_engine.h"

#include <algorithm>
#include <cmath>

#include "models/votes.h"

namespace bisector {
namespace {

/// Beyond this, squares leave the range in which single precision can rank candidates.
constexpr double kLargestForSingle = 1e15;

bool fits_single(MatrixView<const double> rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (const double value : rows.row(r)) {
      if (std::abs(value) > kLargestForSingle) return false;
    }
  }
  return true;
}

}  // namespace

RankedEngine::RankedEngine(const Matrix& points, std::span<const std::size_t> classes,
                           std::size_t class_count, std::size_t k, std::size_t kappa,
                           ClassChoice choice, RelevanceRule rule, bool single_precision)
    : k_(k),
      kappa_(kappa),
      choice_(choice),
      rule_(std::move(rule)),
      f64_(points, classes, class_count) {
  if (single_precision && fits_single(points.view())) f32_.emplace(points, classes, class_count);
}

std::vector<linalg::GroupedNeighbors> RankedEngine::nearest(MatrixView<const double> rows) const {
  // The k nearest for the vote, and the band of ranks around the largest q that k allows.
  const std::size_t count = std::max(k_, contrast_rank(k_, 0) + kappa_);
  std::vector<linalg::GroupedNeighbors> found;
  if (f32_ && fits_single(rows))
    f32_->search(rows, count, found);
  else
    f64_.search(rows, count, found);
  return found;
}

RankedEngine::RowResult RankedEngine::decide(const linalg::GroupedNeighbors& nearest) const {
  const std::vector<std::size_t> votes = neighbor_votes(nearest, k_);
  const std::size_t prediction = winner(votes);
  const std::size_t positive = choice_.positive.value_or(prediction);
  const std::size_t negative =
      choice_.negative ? *choice_.negative : strongest_rival(nearest, votes, positive);
  const RankedContrast contrast = contrast_classes(votes, positive, negative);
  return {prediction, contrast, ranked_output(nearest, contrast),
          static_cast<double>(votes[positive]) - static_cast<double>(votes[negative])};
}

/// The mean values, around the row itself, of the points in a pool's band of ranks.
std::vector<double> RankedEngine::band_mean(std::span<const linalg::Neighbor> pool,
                                            std::size_t rank, std::span<const double> row) const {
  const Band band = rank_band(rank, kappa_, pool.size());
  std::vector<double> mean(rule_.columns(), 0.0), values(rule_.columns());
  std::vector<double> centred(f64_.points().cols());
  for (std::size_t position = band.first; position <= band.last; ++position) {
    const auto point = f64_.points().row(pool[position - 1].index);
    for (std::size_t d = 0; d < centred.size(); ++d) centred[d] = point[d] - row[d];
    rule_.values(centred, row, values);
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += values[v];
  }
  for (double& value : mean) value /= static_cast<double>(band.last - band.first + 1);
  return mean;
}

std::vector<RankedEngine::RowResult> RankedEngine::explain(MatrixView<const double> input_rows,
                                                           MatrixView<const double> rows,
                                                           MatrixView<double> relevance) const {
  const auto found = nearest(rows);
  const std::vector<double> at_center(rows.cols(), 0.0);
  std::vector<RowResult> results;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RowResult result = decide(found[r]);
    const auto& contrast = result.contrast;
    rule_.relevance(input_rows.row(r), at_center, rows.row(r),
                    band_mean(found[r][contrast.positive], contrast.rank, rows.row(r)),
                    band_mean(found[r][contrast.negative], contrast.rank, rows.row(r)),
                    relevance.row(r));
    results.push_back(result);
  }
  return results;
}

Network RankedEngine::network(std::span<const double> row) const {
  const auto found = nearest({row.data(), 1, row.size()});
  const RowResult result = decide(found[0]);
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
    const Band band = rank_band(rank, kappa_, pool.size());
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

}  // namespace bisector
