#include "train/folds.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/random.h"
#include "bisector/score.h"

namespace bisector {

std::vector<std::size_t> stratified_folds(std::span<const std::size_t> classes,
                                          std::size_t class_count, std::size_t folds,
                                          std::uint64_t seed) {
  if (folds < 2 || folds > classes.size())
    throw InvalidInput(fmt::format("{} folds of {} rows, expected from 2 to the number of rows",
                                   folds, classes.size()));
  std::vector<std::vector<std::size_t>> members(class_count);
  for (std::size_t row = 0; row < classes.size(); ++row) members.at(classes[row]).push_back(row);
  Random random(seed);
  std::vector<std::size_t> fold_of(classes.size());
  // Rows are assigned in turn. The next class continues where the last one ended, so that the
  // folds have equal sizes too.
  std::size_t next = 0;
  for (auto& rows : members) {
    random.shuffle(std::span(rows));
    for (const std::size_t row : rows) fold_of[row] = next++ % folds;
  }
  return fold_of;
}

}  // namespace bisector

namespace bisector::detail {
namespace {

/// The folds of all repeats, one after the other.
std::vector<Fold> repeated_folds(std::span<const std::size_t> classes, std::size_t class_count,
                                 const TuneOptions& options) {
  std::vector<Fold> folds(options.folds * options.repeats);
  for (std::size_t repeat = 0; repeat < options.repeats; ++repeat) {
    const auto fold_of =
        stratified_folds(classes, class_count, options.folds, options.seed + repeat);
    for (std::size_t row = 0; row < fold_of.size(); ++row) {
      for (std::size_t f = 0; f < options.folds; ++f) {
        Fold& fold = folds[repeat * options.folds + f];
        (f == fold_of[row] ? fold.held_out : fold.training).push_back(row);
      }
    }
  }
  return folds;
}

}  // namespace

double fold_score(const ClassTarget& target, const Fold& fold, TuneScore score,
                  std::span<const double> predictions) {
  if (score == TuneScore::auc) {
    std::vector<bool> is_positive;
    for (const std::size_t row : fold.held_out) is_positive.push_back(target.classes[row] == 1);
    return area_under_roc(predictions, is_positive).value_or(0.5);
  }
  std::vector<std::size_t> rows(target.labels.size(), 0), correct(target.labels.size(), 0);
  std::size_t all_correct = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const std::size_t actual = target.classes[fold.held_out[i]];
    const bool is_correct = static_cast<std::size_t>(predictions[i]) == actual;
    ++rows[actual];
    correct[actual] += is_correct;
    all_correct += is_correct;
  }
  if (score == TuneScore::accuracy)
    return static_cast<double>(all_correct) / static_cast<double>(predictions.size());
  double recalls = 0.0, present = 0.0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (rows[c] == 0) continue;
    recalls += static_cast<double>(correct[c]) / static_cast<double>(rows[c]);
    present += 1.0;
  }
  return recalls / present;
}

double fold_score(const std::vector<double>& target, const Fold& fold, TuneScore score,
                  std::span<const double> predictions) {
  const auto rows = static_cast<double>(predictions.size());
  double mean = 0.0, absolute = 0.0, squares = 0.0, total = 0.0;
  for (const std::size_t row : fold.held_out) mean += target[row] / rows;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const double actual = target[fold.held_out[i]], error = predictions[i] - actual;
    absolute += std::abs(error);
    squares += error * error;
    total += (actual - mean) * (actual - mean);
  }
  if (score == TuneScore::mean_absolute_error) return -absolute / rows;
  return total > 0.0 ? 1.0 - squares / total : 0.0;
}

std::vector<Fold> make_folds(const ClassTarget& target, const TuneOptions& options) {
  return repeated_folds(target.classes, target.labels.size(), options);
}

std::vector<Fold> make_folds(const std::vector<double>& target, const TuneOptions& options) {
  const std::vector<std::size_t> one_class(target.size(), 0);
  return repeated_folds(one_class, 1, options);
}

}  // namespace bisector::detail
