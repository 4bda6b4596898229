// How good a model is: its predictions for rows whose target is known, held against the target.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "bisector/target_classes.h"

namespace bisector {

/// Of one class. What would divide by zero is missing.
struct ClassFigures {
  std::string label;
  std::size_t rows = 0, predicted = 0;  // that have the class, and that are said to have it
  std::optional<double> precision = {},
                        recall = {};  // right of the predicted, right of those that have it
  bool operator==(const ClassFigures&) const = default;
};

struct ClassScore {
  std::vector<ClassFigures> classes;                // the model's, then those it does not know
  std::vector<std::vector<std::size_t>> confusion;  // [target][prediction], in the same order
  double accuracy = 0.0;
  double balanced_accuracy = 0.0;  // the mean recall of the classes that have rows
  /// The mean of -log p for the class that a row has, p within 2^-52 of 0 and 1 at most. For models
  /// with probabilities (the votes of neighbors), where every row's class is known to the model.
  std::optional<double> log_loss;
  /// For two classes that both have rows: the share of pairs, a row of each, that the decision
  /// value puts in the right order; equals count half.
  std::optional<double> auc;
  std::string positive;  // the class that large decision values speak for; empty: not two classes
  bool operator==(const ClassScore&) const = default;
};

struct NumberScore {
  double mean_absolute_error = 0.0, root_mean_squared_error = 0.0;
  std::optional<double> r_squared;  // missing where all targets are equal
  bool operator==(const NumberScore&) const = default;
};

struct Score {
  std::size_t rows = 0;            // that were scored
  std::size_t without_target = 0;  // that had none (see is_missing) and were left out
  std::optional<ClassScore> classes =
      {};  // classifiers, and detectors (one-class models) with labels
  std::optional<NumberScore> numbers = {};  // regressors
  std::optional<double> inside = {};        // detectors: the share of rows that are inside
  bool operator==(const Score&) const = default;
};

/// Gathers predictions, chunk by chunk.
class BISECTOR_EXPORT Scorer {
 public:
  explicit Scorer(const Model& model);

  /// The model's predictions for some rows and their targets as text, one each. Throws InvalidRow
  /// for a regressor's target that is no number.
  void add(const Predictions& predictions, std::span<const std::string> targets);
  /// For detectors: rows without targets.
  void add(const Predictions& predictions);
  /// One row: its target, and what the model said, a class or a regressor's number. Returns what
  /// the target is, a position in labels() or a number; nothing where it is missing. Throws
  /// InvalidInput for a regressor's target that is no number.
  std::optional<double> add(const std::string& target, double said);

  /// The model's classes, then those of the targets that it does not know.
  const std::vector<std::string>& labels() const { return labels_; }
  /// Rows that were scored so far.
  std::size_t rows() const { return rows_; }

  /// Throws InvalidInput where no row was scored.
  Score score() const;

 private:
  std::size_t class_of(const std::string& target);

  Model model_;
  std::optional<TargetClasses> target_classes_;
  std::vector<std::string> labels_;
  std::size_t without_target_ = 0, rows_ = 0, inside_ = 0;
  std::vector<std::size_t> targets_, predicted_;   // into labels_
  std::vector<double> true_numbers_, numbers_;     // regressors
  std::vector<double> decisions_, probabilities_;  // two classes; of the class that the row has
};

/// Of all rows at once.
BISECTOR_EXPORT Score score(const Model& model, const Predictions& predictions,
                            std::span<const std::string> targets);

/// The share of the votes that each class has, rows x classes; nothing for models without
/// probabilities: all but k neighbors with a vote each.
BISECTOR_EXPORT std::optional<Matrix> class_probabilities(const Model& model,
                                                          const Predictions& predictions);

/// The share of pairs of a positive and another row whose values are in the right order, equals
/// counting half; nothing where one of the two has no row.
BISECTOR_EXPORT std::optional<double> area_under_roc(std::span<const double> values,
                                                     const std::vector<bool>& is_positive);

}  // namespace bisector
