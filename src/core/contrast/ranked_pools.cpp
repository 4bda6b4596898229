#include "core/contrast/ranked_pools.h"

#include <numeric>
#include <utility>

#include "core/models/votes.h"

namespace bisector::detail {

RankedPools::RankedPools(const Model& model, double level)
    : level_(level),
      is_regressor_(model.is_regressor()),
      is_euclidean_(model.distance().is_euclidean()) {
  if (const auto* detector = std::get_if<OutlierDetector>(&model.predictor()))
    detector_.emplace(*detector);
  else
    voters_.emplace(model, level);
}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest(MatrixView<const double> rows,
                                                           std::size_t kappa, unsigned threads,
                                                           std::vector<Ballot>* ballots) const {
  return detector_ ? detector_->nearest(rows, kappa, threads)
                   : voters_->nearest(rows, kappa, threads, ballots);
}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest_on_lines(
    MatrixView<const double> rows, const linalg::Lines<double>& lines, std::size_t kappa,
    unsigned threads) const {
  if (voters_) return voters_->nearest_on_lines(rows, lines, kappa, threads);
  return linalg::search_at_points(rows, lines, [&](MatrixView<const double> points) {
    return detector_->nearest(points, kappa, threads);
  });
}

RankedPools::Decision RankedPools::decide(const linalg::GroupedNeighbors& nearest,
                                          const ClassChoice& choice) const {
  return detector_ ? decide_inside(nearest, choice)
                   : decide(nearest, choice, voters_->count(nearest));
}

RankedPools::Decision RankedPools::decide(const linalg::GroupedNeighbors& nearest,
                                          const ClassChoice& choice, Ballot ballot) const {
  const std::size_t prediction = winner(ballot.weights());
  const std::size_t positive =
      is_regressor_ ? std::size_t{Voters::above} : choice.positive.value_or(prediction);
  const std::size_t negative = is_regressor_ ? std::size_t{Voters::below}
                               : choice.negative
                                   ? *choice.negative
                                   : strongest_rival(*voters_, nearest, ballot, positive);
  RankedContrast contrast = contrast_groups(*voters_, nearest, ballot, positive, negative);
  // Another order of equals could elect another class, contrasted or not.
  contrast.tie =
      contrast.tie || (!is_regressor_ && voters_->is_winner_by_order(nearest, ballot, prediction));
  const double difference = ballot.weights()[positive] - ballot.weights()[negative];
  const double scale = is_regressor_ ? ballot.votes : ballot.unit();
  return {prediction,         std::move(ballot),
          contrast,           ranked_output(nearest, contrast),
          difference / scale, level_ + difference / scale};
}

/// Inside is the model's first class, whichever is explained.
RankedPools::Decision RankedPools::decide_inside(const linalg::GroupedNeighbors& nearest,
                                                 const ClassChoice& choice) const {
  const DetectorPools::Verdict verdict = detector_->decide(nearest[0]);
  const std::size_t positive = choice.positive.value_or(0);
  const double sign = positive == 0 ? 1.0 : -1.0;
  Ballot ballot;
  ballot.members = {nearest[0].size()};
  return {verdict.decision >= 0.0 ? std::size_t{0} : std::size_t{1},
          std::move(ballot),
          {positive, 1 - positive, 1, 1, verdict.decision == 0.0},
          sign * verdict.g,
          sign * verdict.decision,
          0.0};
}

std::size_t RankedPools::group_of(const Decision& decision, Side side) {
  return side == Side::positive ? decision.contrast.positive : decision.contrast.negative;
}

std::span<const linalg::Neighbor> RankedPools::pool(const linalg::GroupedNeighbors& nearest,
                                                    const Decision& decision, Side side) {
  const std::size_t group = group_of(decision, side);
  if (group < nearest.size()) return nearest[group];
  return {};
}

double RankedPools::score(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side) const {
  const bool is_positive = side == Side::positive;
  if (!detector_)
    return pooled_score(pool(nearest, decision, side), is_positive
                                                           ? decision.contrast.positive_rank
                                                           : decision.contrast.negative_rank);
  const double own = detector_->decide(nearest[0]).score;
  if (!pool(nearest, decision, side).empty()) return own;
  return is_positive ? own - decision.g : own + decision.g;
}

double RankedPools::level_part(const linalg::GroupedNeighbors& nearest,
                               const Decision& decision) const {
  if (!detector_) return 0.0;
  const bool is_inside_explained = decision.contrast.positive == 0;
  return is_inside_explained ? score(nearest, decision, Side::negative)
                             : -score(nearest, decision, Side::positive);
}

RankedPools::Responsible RankedPools::responsible(const linalg::GroupedNeighbors& nearest,
                                                  const Decision& decision, Side side,
                                                  std::size_t kappa) const {
  const auto points = pool(nearest, decision, side);
  if (points.empty()) return {0, {}, 0};  // a level, or a regressor without a target on this side
  if (detector_) {
    Responsible result{0, detector_->weights(points, kappa), points.size(), 0.0};
    for (const double weight : result.weights) result.scale += weight;
    // Where all neighbors are within their reach, none has a part.
    if (result.scale == 0.0) return {0, {}, 0, 0.0};
    for (double& weight : result.weights) weight /= result.scale;
    return result;
  }
  const std::size_t rank =
      side == Side::positive ? decision.contrast.positive_rank : decision.contrast.negative_rank;
  const Band band = rank_band(rank, kappa, points.size());
  Responsible result{band.first - 1, {}, band.last - band.first + 1};
  if (voters_->are_uniform()) return result;
  const auto own = decision.ballot.of_points(nearest, group_of(decision, side))
                       .subspan(result.first, result.count);
  const double sum = std::accumulate(own.begin(), own.end(), 0.0);
  result.weights.assign(own.begin(), own.end());
  for (double& weight : result.weights) weight /= sum;
  return result;
}

}  // namespace bisector::detail
