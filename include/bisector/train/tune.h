// Choosing a learner's parameters by cross-validation over a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/train/learner.h"

namespace bisector {

/// The values to try. A learner uses the parameters that it has.
struct Grid {
  std::vector<double> gamma = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};
  std::vector<double> cost = {1e-4, 1e-2, 1, 1e2, 1e4};                           // SVM, SVR
  std::vector<double> lambda = {1e-6, 1e-4, 1e-2, 1};                             // kernel ridge
  std::vector<std::size_t> k = {3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};  // neighbors
};

/// The score that tuning maximizes on the held-out rows. Errors are negated.
enum class TuneScore {
  automatic,  // accuracy for classes, the mean absolute error for numbers
  accuracy,
  balanced_accuracy,    // mean recall of the classes; for SVMs with balanced weights
  auc,                  // two classes: area under the ROC curve
  mean_absolute_error,  // negated
  r_squared
};

/// "accuracy", "balanced accuracy", "AUC", "minus mean absolute error" or "R²".
BISECTOR_EXPORT std::string score_name(TuneScore score);

struct TuneOptions {
  Grid grid = {};
  TuneScore score = TuneScore::automatic;
  std::size_t folds = 5;
  std::size_t repeats = 1;  // how often the folds are drawn; more of them reduce the noise
  /// Keep the given parameters, if the grid has them and no other point is significantly better.
  bool keeps_given = false;
  std::uint64_t seed = 0;
  unsigned threads = 0;  // zero: all
  /// Called with the finished fraction of the work, from any thread, but never from two at once.
  std::function<void(double fraction)> progress = {};
};

/// One point of the grid with the mean and (population) standard deviation of its scores.
struct Trial {
  Learner learner;
  double mean = 0.0, deviation = 0.0;
  /// With TuneOptions::keeps_given: the standard error of the mean difference from the given
  /// parameters; otherwise 0.
  double standard_error = 0.0;
};

/// Another point must be better than the given parameters by this many standard errors. One would
/// do for a single comparison, but a grid has many points, and the best of them is compared.
inline constexpr double kSignificantErrors = 2.5;

struct TuneResult {
  TuneScore score = TuneScore::accuracy;  // never automatic; larger is better
  std::vector<Trial> trials;  // smoothest first: gamma, then cost ascending, lambda, k descending
  std::size_t best = 0;       // into trials: the chosen point
  /// The given parameters among the trials; nothing without TuneOptions::keeps_given.
  std::optional<std::size_t> given = {};
};

/// Cross-validates every point of the grid; the other parameters are those of `learner`. Rows are
/// not scaled. Folds are drawn with the seed and, for classes, stratified. The best point has the
/// largest mean score; of equal ones the smoothest wins: the smallest gamma, then the smallest
/// cost, the largest lambda, the largest k. The largest of many noisy means is often chance. With
/// TuneOptions::keeps_given, the best point has the largest lower bound of the improvement over
/// `learner`: the mean difference less kSignificantErrors standard errors. If no bound is positive,
/// `learner` is the best. The standard error is that of the differences in the folds, corrected for
/// the overlap of their training rows (Nadeau and Bengio, 2003). Values of k above the training
/// rows of a fold are left out. The result does not depend on the number of threads (kernel ridge
/// is fitted sequentially on all of them). Throws InvalidInput for an empty grid, for
/// values out of range, for fewer than two folds or more folds than rows, for a score that does not
/// fit the target, and for a detector, which has no target.
BISECTOR_EXPORT TuneResult tune(const Learner& learner, MatrixView<const double> rows,
                                const Target& target, const TuneOptions& options = {});

/// The fold of every row: every class is spread over the folds so that its counts differ by one at
/// most, and so do the sizes of the folds.
BISECTOR_EXPORT std::vector<std::size_t> stratified_folds(std::span<const std::size_t> classes,
                                                          std::size_t class_count,
                                                          std::size_t folds, std::uint64_t seed);

}  // namespace bisector
