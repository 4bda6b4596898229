// The cells of an Arrow array as text, as in a CSV file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace arrow {
class Array;
class DataType;
}  // namespace arrow

namespace bisector::columnar {

/// False for lists, structures and bytes.
bool has_cells(const arrow::DataType& type);

/// One column of a batch.
class ColumnText {
 public:
  explicit ColumnText(std::shared_ptr<arrow::Array> array);
  /// The cell; empty for a null or NaN. Valid until the next call.
  std::string_view cell(std::int64_t row);

 private:
  std::string_view value(std::int64_t row);
  std::string_view whole_number(std::int64_t row);
  template <class ArrayType>
  const ArrayType& as() const;
  template <class Number>
  std::string_view number(Number value);

  std::shared_ptr<arrow::Array> array_;
  std::shared_ptr<arrow::Array> codes_;  // indices of a dictionary, whose values are in array_
  std::array<char, 40> digits_{};
  std::string other_;
};

}  // namespace bisector::columnar
