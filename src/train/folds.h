// What the cross-validations of all learners share: folds, scores and progress.
#pragma once

#include <cmath>
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

/// Folds for classes (stratified) or numbers.
std::vector<Fold> make_folds(const ClassTarget& target, const TuneOptions& options);
std::vector<Fold> make_folds(const std::vector<double>& target, const TuneOptions& options);

/// The share of the held-out rows whose class predict(row) gives.
template <class Predict>
double fold_score(const ClassTarget& target, const Fold& fold, const Predict& predict) {
  std::size_t correct = 0;
  for (const std::size_t row : fold.held_out)
    correct += static_cast<std::size_t>(predict(row)) == target.classes[row] ? 1 : 0;
  return static_cast<double>(correct) / static_cast<double>(fold.held_out.size());
}

/// Minus the mean absolute error of predict(row) over the held-out rows.
template <class Predict>
double fold_score(const std::vector<double>& target, const Fold& fold, const Predict& predict) {
  double sum = 0.0;
  for (const std::size_t row : fold.held_out) sum += std::abs(predict(row) - target[row]);
  return -sum / static_cast<double>(fold.held_out.size());
}

/// Counts finished pieces of work and tells the caller, one thread at a time.
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
