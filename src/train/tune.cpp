#include "bisector/train/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/model_fields.h"
#include "train/cross_validate.h"
#include "train/requirements.h"

namespace bisector {

using namespace detail;

namespace {

/// Sorted in ascending order, without duplicates.
template <class T>
std::vector<T> ascending(std::vector<T> values, std::string_view name) {
  if (values.empty()) throw InvalidInput(fmt::format("the grid has no values of {}", name));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <class T>
std::vector<T> descending(std::vector<T> values, std::string_view name) {
  values = ascending(std::move(values), name);
  std::reverse(values.begin(), values.end());
  return values;
}

struct Spread {
  double mean = 0.0, variance = 0.0;  // of the population
};

Spread spread(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / count};
}

/// The standard error of the mean difference of two rows of scores. Folds share training rows, so
/// their scores are correlated: Nadeau and Bengio (2003) add held-out rows / training rows to
/// 1 / folds.
double corrected_error(std::span<const double> scores, std::span<const double> others,
                       std::size_t folds) {
  std::vector<double> differences(scores.size());
  for (std::size_t f = 0; f < scores.size(); ++f) differences[f] = scores[f] - others[f];
  const auto count = static_cast<double>(scores.size());
  const double variance = spread(differences).variance * count / (count - 1.0);
  return std::sqrt(variance * (1.0 / count + 1.0 / static_cast<double>(folds - 1)));
}

/// The trial whose improvement over the given one is surest, or the given one if none is sure. Of
/// two large scores the noisier one is more often chance, so the lower bound of the improvement
/// decides, not the improvement.
void keep_given(std::size_t given, const Matrix& scores, std::size_t folds, TuneResult& tuning) {
  tuning.given = tuning.best = given;
  const double own = tuning.trials[given].mean;
  double largest = 0.0;
  for (std::size_t t = 0; t < tuning.trials.size(); ++t) {
    Trial& trial = tuning.trials[t];
    trial.standard_error = corrected_error(scores.row(t), scores.row(given), folds);
    const double bound = trial.mean - own - kSignificantErrors * trial.standard_error;
    if (bound <= largest) continue;
    largest = bound;
    tuning.best = t;
  }
}

/// `learners` and the rows of `scores` are in order of preference: the first of equal ones wins.
TuneResult summary(const TuneOptions& options, const Learner& learner,
                   std::span<const Learner> learners, const Matrix& scores) {
  TuneResult tuning{options.score, {}, 0};
  for (std::size_t t = 0; t < learners.size(); ++t) {
    const auto [mean, variance] = spread(scores.row(t));
    tuning.trials.push_back({learners[t], mean, std::sqrt(variance)});
    if (mean > tuning.trials[tuning.best].mean) tuning.best = t;
  }
  const auto given = std::ranges::find(learners, learner);
  if (options.keeps_given && given != learners.end())
    keep_given(static_cast<std::size_t>(given - learners.begin()), scores, options.folds, tuning);
  return tuning;
}

/// Whether the score compares predicted numbers, not classes.
bool is_of_numbers(TuneScore score) {
  return score == TuneScore::mean_absolute_error || score == TuneScore::r_squared;
}

TuneScore class_score(const TuneOptions& options, const ClassTarget& target) {
  const TuneScore score =
      options.score == TuneScore::automatic ? TuneScore::accuracy : options.score;
  if (is_of_numbers(score))
    throw InvalidInput(fmt::format(
        "{} is a score of numbers, but the target has classes: use accuracy, balanced or auc",
        score_name(score)));
  if (score == TuneScore::auc && target.labels.size() != 2)
    throw InvalidInput(
        fmt::format("AUC needs two classes, the target has {}", target.labels.size()));
  return score;
}

TuneScore number_score(const TuneOptions& options) {
  if (options.score == TuneScore::automatic) return TuneScore::mean_absolute_error;
  if (!is_of_numbers(options.score))
    throw InvalidInput(
        fmt::format("{} is a score of classes, but the target has numbers: use mae or r2",
                    score_name(options.score)));
  return options.score;
}

/// Tunes on rows that were checked.
struct Tune {
  MatrixView<const double> rows;
  const Target& target;
  TuneOptions options;

  TuneResult operator()(const SvmLearner& learner) {
    const ClassTarget& classes = require_classes(target, rows.rows());
    require_class_weights(learner, classes);
    options.score = class_score(options, classes);
    return over_two(learner, classes, &SvmLearner::cost, ascending(options.grid.cost, "cost"));
  }
  TuneResult operator()(const SvrLearner& learner) {
    options.score = number_score(options);
    return over_two(learner, require_numbers(target, rows.rows()), &SvrLearner::cost,
                    ascending(options.grid.cost, "cost"));
  }
  TuneResult operator()(const RidgeLearner& learner) {
    options.score = number_score(options);
    return over_two(learner, require_numbers(target, rows.rows()), &RidgeLearner::lambda,
                    descending(options.grid.lambda, "lambda"));
  }

  TuneResult operator()(const NeighborLearner& learner) {
    if (learner.vote.radius || !learner.vote.point_weights.empty() ||
        !learner.vote.rank_weights.empty())
      throw InvalidInput(
          "neighbors within a radius or with weights of points or ranks cannot be tuned, expected "
          "the k nearest with uniform weights or weights by distance");
    if (std::holds_alternative<std::vector<double>>(target)) {
      options.score = number_score(options);
      return over_k(learner, require_numbers(target, rows.rows()));
    }
    const ClassTarget& classes = require_classes(target, rows.rows());
    options.score = class_score(options, classes);
    return over_k(learner, classes);
  }

  TuneResult operator()(const OneClassLearner&) const { return refuse_without_target(); }
  TuneResult operator()(const DetectorLearner&) const { return refuse_without_target(); }
  TuneResult operator()(const DensityLearner&) const { return refuse_without_target(); }

 private:
  [[noreturn]] static TuneResult refuse_without_target() {
    throw InvalidInput("a detector has no target to score, so it cannot be tuned");
  }

  template <class AnyTarget>
  TuneResult over_k(const NeighborLearner& learner, const AnyTarget& values) const {
    const std::vector<Fold> folds = make_folds(values, options);
    std::vector<std::size_t> ks = descending(options.grid.k, "k");
    std::size_t fewest = rows.rows();
    for (const Fold& fold : folds) fewest = std::min(fewest, fold.training.size());
    std::erase_if(ks, [&](std::size_t k) { return k > fewest; });
    if (ks.empty())
      throw InvalidInput(fmt::format(
          "every k of the grid is above {}, the number of training rows of a fold", fewest));
    std::vector<Learner> learners;
    for (const std::size_t k : ks) learners.push_back(NeighborLearner{k, learner.vote});
    check(learners);
    return summary(options, learner, learners,
                   cross_validate(learner, rows, values, folds, options, ks));
  }

  /// Tunes gamma and one more parameter.
  template <class AnyLearner, class AnyTarget>
  TuneResult over_two(const AnyLearner& learner, const AnyTarget& values,
                      double AnyLearner::*parameter, const std::vector<double>& grid) const {
    const std::vector<double> gammas =
        ascending(learner.kernel.has_gamma() ? options.grid.gamma : std::vector{1.0}, "gamma");
    std::vector<Learner> learners;
    for (const double gamma : gammas) {
      for (const double value : grid) {
        AnyLearner trial = learner;
        trial.gamma = gamma;
        trial.*parameter = value;
        learners.push_back(trial);
      }
    }
    check(learners);
    const std::vector<Fold> folds = make_folds(values, options);
    return summary(options, learner, learners,
                   cross_validate(learner, rows, values, folds, options, gammas, grid));
  }

  void check(const std::vector<Learner>& learners) const {
    for (const Learner& learner : learners) require_parameters(learner, rows.rows());
  }
};

}  // namespace

std::string score_name(TuneScore score) {
  switch (score) {
    case TuneScore::accuracy:
      return "accuracy";
    case TuneScore::balanced_accuracy:
      return "balanced accuracy";
    case TuneScore::auc:
      return "AUC";
    case TuneScore::mean_absolute_error:
      return "minus mean absolute error";
    case TuneScore::r_squared:
      return "R²";
    case TuneScore::automatic:
      break;
  }
  return "automatic";
}

TuneResult tune(const Learner& learner, MatrixView<const double> rows, const Target& target,
                const TuneOptions& options) {
  require_points(rows, "training rows");
  return std::visit(Tune{rows, target, options}, learner);
}

}  // namespace bisector
