// Folds, scores and progress, shared by the cross-validations of all learners.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "bisector/train/targets.h"
#include "bisector/train/tune.h"

namespace bisector::detail {

/// Row numbers, ascending.
struct Fold {
  std::vector<std::size_t> training, held_out;
};

/// Folds for classes (stratified) or numbers, of all repeats.
std::vector<Fold> make_folds(const ClassTarget& target, const TuneOptions& options);
std::vector<Fold> make_folds(const std::vector<double>& target, const TuneOptions& options);

/// The score of class predictions for the held-out rows, in the order of Fold::held_out. For AUC
/// the predictions are decision values of the second class.
double fold_score(const ClassTarget& target, const Fold& fold, TuneScore score,
                  std::span<const double> predictions);
/// The score of predicted numbers.
double fold_score(const std::vector<double>& target, const Fold& fold, TuneScore score,
                  std::span<const double> predictions);

/// Predicts every held-out row and scores the predictions.
template <class AnyTarget, class Predict>
double fold_score_of(const AnyTarget& target, const Fold& fold, TuneScore score,
                     const Predict& predict) {
  std::vector<double> predictions;
  predictions.reserve(fold.held_out.size());
  for (const std::size_t row : fold.held_out) predictions.push_back(predict(row));
  return fold_score(target, fold, score, predictions);
}

/// Counts finished tasks and calls the progress function, one thread at a time.
class Progress {
 public:
  Progress(const std::function<void(double)>& report, std::size_t total)
      : report_(report), total_(total) {}

  void step() {
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    report_(static_cast<double>(++done_) / static_cast<double>(total_));
  }

 private:
  const std::function<void(double)>& report_;
  std::size_t total_, done_ = 0;
  std::mutex mutex_;
};

}  // namespace bisector::detail
