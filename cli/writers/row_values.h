// The values of a row as the user's table has them: numbers, and the names of levels.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "bisector/model.h"

namespace bisector::cli {

class RowValues {
 public:
  /// `by_column`: values belong to the columns of the model's table, not to its features.
  RowValues(const Model& model, bool by_column)
      : encoding_(by_column && model.encoding() ? &*model.encoding() : nullptr) {}

  /// The value of a column (or feature) of a row in the model's features.
  std::string text(std::span<const double> row, std::size_t column) const;
  /// True if the column holds numbers, so that it has a mean.
  bool is_number(std::size_t column) const;
  /// The feature that holds the number of a column of numbers.
  std::size_t feature(std::size_t column) const;

 private:
  const TableEncoding* encoding_;
};

}  // namespace bisector::cli
