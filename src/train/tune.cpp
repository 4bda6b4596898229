#include "bisector/train/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/visit.h"
#include "train/cross_validate.h"
#include "train/requirements.h"

namespace bisector {

using namespace detail;

namespace {

constexpr const char* kAccuracy = "accuracy";
constexpr const char* kError = "minus mean absolute error";

/// Ascending, each value once. Values of trials are checked one by one, as a fit would.
template <class T>
std::vector<T> ascending(std::vector<T> values, std::string_view name) {
  if (values.empty())
    throw InvalidInput(fmt::format("the grid has no {}, expected at least one value", name));
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

/// `learners` and the rows of `scores` are in the order of preference: the first of equals wins.
TuneResult summary(const char* score, std::span<const Learner> learners, const Matrix& scores) {
  TuneResult tuning{score, {}, 0};
  const auto folds = static_cast<double>(scores.cols());
  for (std::size_t t = 0; t < learners.size(); ++t) {
    const auto row = scores.row(t);
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / folds;
    double squares = 0.0;
    for (const double value : row) squares += (value - mean) * (value - mean);
    tuning.trials.push_back({learners[t], mean, std::sqrt(squares / folds)});
    if (mean > tuning.trials[tuning.best].mean) tuning.best = t;
  }
  return tuning;
}

/// Tunes on rows that were checked.
struct Tune {
  MatrixView<const double> rows;
  const Target& target;
  const TuneOptions& options;

  TuneResult operator()(const SvmLearner& learner) const {
    const ClassTarget& classes = require_classes(target, rows.rows());
    require_class_weights(learner, classes);
    return over_two(learner, classes, kAccuracy, &SvmLearner::cost,
                    ascending(options.grid.cost, "cost"));
  }
  TuneResult operator()(const SvrLearner& learner) const {
    return over_two(learner, require_numbers(target, rows.rows()), kError, &SvrLearner::cost,
                    ascending(options.grid.cost, "cost"));
  }
  TuneResult operator()(const RidgeLearner& learner) const {
    return over_two(learner, require_numbers(target, rows.rows()), kError, &RidgeLearner::lambda,
                    descending(options.grid.lambda, "lambda"));
  }

  TuneResult operator()(const NeighborLearner& learner) const {
    if (learner.vote.radius || !learner.vote.point_weights.empty() ||
        !learner.vote.rank_weights.empty())
      throw InvalidInput(
          "neighbors within a radius or with weights of points or ranks have no grid, expected "
          "the "
          "k nearest with uniform weights or by distance");
    if (std::holds_alternative<std::vector<double>>(target))
      return over_k(learner, require_numbers(target, rows.rows()), kError);
    return over_k(learner, require_classes(target, rows.rows()), kAccuracy);
  }

  TuneResult operator()(const OneClassLearner&) const { return refuse_without_target(); }
  TuneResult operator()(const DetectorLearner&) const { return refuse_without_target(); }
  TuneResult operator()(const DensityLearner&) const { return refuse_without_target(); }

 private:
  [[noreturn]] static TuneResult refuse_without_target() {
    throw InvalidInput("a one-class model has no target to score, so it cannot be tuned");
  }

  template <class AnyTarget>
  TuneResult over_k(const NeighborLearner& learner, const AnyTarget& values,
                    const char* score) const {
    const std::vector<Fold> folds = make_folds(values, options);
    std::vector<std::size_t> ks = descending(options.grid.k, "k");
    std::size_t fewest = rows.rows();
    for (const Fold& fold : folds) fewest = std::min(fewest, fold.training.size());
    std::erase_if(ks, [&](std::size_t k) { return k > fewest; });
    if (ks.empty())
      throw InvalidInput(
          fmt::format("every k of the grid is above {}, the training rows of a fold", fewest));
    std::vector<Learner> learners;
    for (const std::size_t k : ks) learners.push_back(NeighborLearner{k, learner.vote});
    check(learners);
    return summary(score, learners, cross_validate(learner, rows, values, folds, options, ks));
  }

  /// Over gamma and one more parameter.
  template <class AnyLearner, class AnyTarget>
  TuneResult over_two(const AnyLearner& learner, const AnyTarget& values, const char* score,
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
    return summary(score, learners,
                   cross_validate(learner, rows, values, folds, options, gammas, grid));
  }

  void check(const std::vector<Learner>& learners) const {
    for (const Learner& learner : learners) require_parameters(learner, rows.rows());
  }
};

}  // namespace

TuneResult tune(const Learner& learner, MatrixView<const double> rows, const Target& target,
                const TuneOptions& options) {
  require_points(rows, "training rows");
  return std::visit(Tune{rows, target, options}, learner);
}

}  // namespace bisector
