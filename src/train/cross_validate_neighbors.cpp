#include <algorithm>
#include <memory>

#include "core/linalg/neighbor_search.h"
#include "core/linalg/softmax_reduction.h"
#include "core/models/votes.h"
#include "core/util/parallel.h"
#include "train/cross_validate.h"

namespace bisector::detail {

namespace {

using Search = linalg::NeighborSearch;

/// A tile of a fold's held-out rows.
struct Tile {
  std::size_t fold, first, count;
};

std::vector<Tile> held_out_tiles(std::span<const Fold> folds) {
  std::vector<Tile> tiles;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const std::size_t rows = folds[f].held_out.size();
    for (std::size_t first = 0; first < rows; first += linalg::kRowTile)
      tiles.push_back({f, first, std::min(linalg::kRowTile, rows - first)});
  }
  return tiles;
}

/// Per fold: values of k x held-out rows.
std::vector<Matrix> empty_predictions(std::span<const Fold> folds, std::size_t ks) {
  std::vector<Matrix> predictions;
  for (const Fold& fold : folds) predictions.emplace_back(ks, fold.held_out.size());
  return predictions;
}

/// The votes of a row's neighbors, added in order of their distance.
class ClassVotes {
 public:
  explicit ClassVotes(const ClassTarget& target)
      : target_(target), votes_(target.labels.size(), 0.0) {}
  void add(std::size_t row, double weight) { votes_[target_.classes[row]] += weight; }
  /// The class, or for AUC the fraction of the votes for the second class.
  double prediction(TuneScore score) const {
    if (score != TuneScore::auc) return static_cast<double>(winner(votes_));
    return votes_[1] / (votes_[0] + votes_[1]);
  }

 private:
  const ClassTarget& target_;
  std::vector<double> votes_;
};

class WeightedMean {
 public:
  explicit WeightedMean(const std::vector<double>& target) : target_(target) {}
  void add(std::size_t row, double weight) {
    sum_ += weight * target_[row];
    weights_ += weight;
  }
  double prediction(TuneScore) const { return sum_ / weights_; }

 private:
  const std::vector<double>& target_;
  double sum_ = 0.0, weights_ = 0.0;
};

ClassVotes votes_on(const ClassTarget& target) { return ClassVotes(target); }
WeightedMean votes_on(const std::vector<double>& target) { return WeightedMean(target); }

/// The prediction of the k nearest, for every k, ascending.
template <class AnyTarget>
std::vector<double> predictions_by_k(std::span<const linalg::Neighbor> nearest, const Fold& fold,
                                     const AnyTarget& target, const NeighborVote& vote,
                                     double sum_of_one_place, TuneScore score,
                                     std::span<const std::size_t> ks) {
  auto votes = votes_on(target);
  const double first = nearest.front().squared_distance;
  const auto is_exact = [&](double sum) { return has_infinite_vote(vote, sum, sum_of_one_place); };
  const bool has_exact = is_exact(first);  // then those alone vote
  std::vector<double> predictions;
  std::size_t counted = 0;
  for (const std::size_t k : ks) {
    for (; counted < k; ++counted) {
      const linalg::Neighbor& next = nearest[counted];
      if (has_exact && !is_exact(next.squared_distance)) break;
      votes.add(fold.training[next.index], vote_weight(vote, next, first, has_exact));
    }
    predictions.push_back(votes.prediction(score));
  }
  return predictions;
}

template <class AnyTarget>
Matrix scores_of(const NeighborLearner& learner, MatrixView<const double> rows,
                 const AnyTarget& target, std::span<const Fold> folds, const TuneOptions& options,
                 std::span<const std::size_t> ks) {
  // The neighbors for the largest k hold those for all others.
  std::vector<std::size_t> ascending(ks.begin(), ks.end());
  std::sort(ascending.begin(), ascending.end());
  std::vector<std::unique_ptr<Search>> searches;
  std::vector<double> sums_of_one_place;
  for (const Fold& fold : folds) {
    const std::vector<std::size_t> one_group(fold.training.size(), 0);
    searches.push_back(std::make_unique<Search>(gather_rows(rows, fold.training), one_group, 1,
                                                learner.vote.distance));
    sums_of_one_place.push_back(sum_of_one_place(searches.back()->points(), learner.vote.distance));
  }

  std::vector<Matrix> predicted = empty_predictions(folds, ascending.size());
  const std::vector<Tile> tiles = held_out_tiles(folds);
  Progress progress(options.progress, tiles.size());
  util::parallel_for(tiles.size(), options.threads, [&] {
    return [&](std::size_t t) {
      const Fold& fold = folds[tiles[t].fold];
      const auto held_out = std::span(fold.held_out).subspan(tiles[t].first, tiles[t].count);
      const auto found =
          searches[tiles[t].fold]->search(gather_rows(rows, held_out).view(), ascending.back());
      for (std::size_t n = 0; n < held_out.size(); ++n) {
        const auto by_k =
            predictions_by_k(found[n][0], fold, target, learner.vote,
                             sums_of_one_place[tiles[t].fold], options.score, ascending);
        for (std::size_t k = 0; k < by_k.size(); ++k)
          predicted[tiles[t].fold](k, tiles[t].first + n) = by_k[k];
      }
      progress.step();
    };
  });

  Matrix scores(ks.size(), folds.size());
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const auto place =
        static_cast<std::size_t>(std::ranges::lower_bound(ascending, ks[i]) - ascending.begin());
    for (std::size_t f = 0; f < folds.size(); ++f)
      scores(i, f) = fold_score(target, folds[f], options.score, predicted[f].row(place));
  }
  return scores;
}

}  // namespace

Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const ClassTarget& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks) {
  return scores_of(learner, rows, target, folds, options, ks);
}

Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks) {
  return scores_of(learner, rows, target, folds, options, ks);
}

}  // namespace bisector::detail
