// Scores of a model: its predictions compared with known targets.
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

/// The figures of one class. A figure that would divide by zero is missing.
struct ClassFigures {
  std::string label;
  std::size_t rows = 0, predicted = 0;  // rows of the class, and rows predicted as the class
  std::optional<double> precision = {}, recall = {};
  bool operator==(const ClassFigures&) const = default;
};

struct ClassScore {
  std::vector<ClassFigures> classes;                // the model's classes, then unknown ones
  std::vector<std::vector<std::size_t>> confusion;  // [target][prediction], in the same order
  double accuracy = 0.0;
  double balanced_accuracy = 0.0;  // the mean recall of the classes that have rows
  /// The mean of -log p of the actual class, with p at least 2^-52 away from 0 and 1. For models
  /// with probabilities (votes of neighbors), if the model knows all classes.
  std::optional<double> log_loss;
  /// For two classes that both have rows: the fraction of pairs, one row of each class, that the
  /// decision value orders correctly; equal values count half.
  std::optional<double> auc;
  std::string positive;  // the class of large decision values; empty unless there are two
  bool operator==(const ClassScore&) const = default;
};

struct NumberScore {
  double mean_absolute_error = 0.0, root_mean_squared_error = 0.0;
  std::optional<double> r_squared;  // missing if all targets are equal
  bool operator==(const NumberScore&) const = default;
};

struct Score {
  std::size_t rows = 0;                     // scored rows
  std::size_t without_target = 0;           // rows without a target (see is_missing), left out
  std::optional<ClassScore> classes = {};   // classifiers, and detectors with labels
  std::optional<NumberScore> numbers = {};  // regressors
  std::optional<double> inside = {};        // detectors: the fraction of rows inside
  bool operator==(const Score&) const = default;
};

/// Scores predictions chunk by chunk.
class BISECTOR_EXPORT Scorer {
 public:
  explicit Scorer(const Model& model);

  /// Adds predictions and the targets of the same rows as text. Throws InvalidRow for a target of a
  /// regressor that is not a number.
  void add(const Predictions& predictions, std::span<const std::string> targets);
  /// Adds rows without targets, for detectors.
  void add(const Predictions& predictions);
  /// Adds one row with its target and its prediction, a class or a number. Returns the target as a
  /// position in labels() or as a number; nothing if it is missing. Throws InvalidInput for a
  /// target of a regressor that is not a number.
  std::optional<double> add(const std::string& target, double said);

  /// The model's classes, then classes of the targets that the model does not know.
  const std::vector<std::string>& labels() const { return labels_; }
  /// The number of rows scored so far.
  std::size_t rows() const { return rows_; }

  /// Throws InvalidInput if no row was scored.
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

/// The score of all rows at once.
BISECTOR_EXPORT Score score(const Model& model, const Predictions& predictions,
                            std::span<const std::string> targets);

/// The fraction of the votes for each class, rows x classes. Only k nearest neighbors with uniform
/// votes have probabilities; other models return nothing.
BISECTOR_EXPORT std::optional<Matrix> class_probabilities(const Model& model,
                                                          const Predictions& predictions);

/// The fraction of pairs of a positive and a negative row whose values are in the right order;
/// equal values count half. Nothing if one of the two has no row.
BISECTOR_EXPORT std::optional<double> area_under_roc(std::span<const double> values,
                                                     const std::vector<bool>& is_positive);

}  // namespace bisector
