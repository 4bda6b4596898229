// What the data say about a row's target, and how often the model agrees.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "bisector/model.h"
#include "bisector/report/report.h"
#include "bisector/target_classes.h"

namespace bisector::report {

/// Reads targets as text: a class by its label, or a regressor's number.
class TruthReader {
 public:
  explicit TruthReader(const Model& model);

  /// The class's position or the number; nothing for a missing cell or a class that the model does
  /// not know. Throws InvalidInput for a regressor's target that is no number.
  std::optional<double> operator()(std::string_view cell) const;

 private:
  std::optional<TargetClasses> classes_;  // none: a regressor's numbers
};

/// Gathers how good a model is, row by row.
class QualitySums {
 public:
  explicit QualitySums(const Model& model);

  void add_class(std::size_t truth, std::size_t prediction);
  void add_number(double truth, double prediction);
  /// Nothing where no row had a target.
  std::optional<ReportQuality> quality() const;

 private:
  ReportQuality sums_;
  double absolute_ = 0.0, squared_ = 0.0;
  double mean_ = 0.0, spread_ = 0.0;  // of the targets; the spread is a sum of squares
};

}  // namespace bisector::report
