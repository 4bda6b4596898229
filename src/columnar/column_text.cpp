#include "columnar/column_text.h"

#include <arrow/array.h>
#include <arrow/scalar.h>
#include <arrow/type_traits.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <utility>

namespace bisector::columnar {

using arrow::Type;

bool has_cells(const arrow::DataType& type) {
  if (type.id() == Type::DICTIONARY)
    return has_cells(*static_cast<const arrow::DictionaryType&>(type).value_type());
  const auto id = type.id();
  return arrow::is_numeric(id) || arrow::is_string(id) || id == Type::STRING_VIEW ||
         id == Type::BOOL || id == Type::NA || arrow::is_date(id) || id == Type::TIMESTAMP ||
         arrow::is_time(id) || arrow::is_decimal(id);
}

ColumnText::ColumnText(std::shared_ptr<arrow::Array> array) : array_(std::move(array)) {
  if (array_->type_id() != arrow::Type::DICTIONARY) return;
  codes_ = array_;
  array_ = static_cast<const arrow::DictionaryArray&>(*codes_).dictionary();
}

std::string_view ColumnText::cell(std::int64_t row) {
  if (codes_ == nullptr) return array_->IsNull(row) ? std::string_view() : value(row);
  if (codes_->IsNull(row)) return {};
  const std::int64_t code = static_cast<const arrow::DictionaryArray&>(*codes_).GetValueIndex(row);
  return array_->IsNull(code) ? std::string_view() : value(code);
}

/// An integer that is stored as a double is written 1.0, as pandas does.
template <class Number>
std::string_view ColumnText::number(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(value)) return {};
  }
  char* end = fmt::format_to(digits_.data(), "{}", value);
  if constexpr (std::is_floating_point_v<Number>) {
    const auto is_of_integer = [](char c) { return (c >= '0' && c <= '9') || c == '-'; };
    if (std::all_of(digits_.data(), end, is_of_integer)) end = std::copy_n(".0", 2, end);
  }
  return {digits_.data(), end};
}

template <class ArrayType>
const ArrayType& ColumnText::as() const {
  return static_cast<const ArrayType&>(*array_);
}

std::string_view ColumnText::whole_number(std::int64_t row) {
  switch (array_->type_id()) {
    case Type::INT8:
      return number<int>(as<arrow::Int8Array>().Value(row));
    case Type::INT16:
      return number<int>(as<arrow::Int16Array>().Value(row));
    case Type::INT32:
      return number(as<arrow::Int32Array>().Value(row));
    case Type::INT64:
      return number(as<arrow::Int64Array>().Value(row));
    case Type::UINT8:
      return number<int>(as<arrow::UInt8Array>().Value(row));
    case Type::UINT16:
      return number<int>(as<arrow::UInt16Array>().Value(row));
    case Type::UINT32:
      return number(as<arrow::UInt32Array>().Value(row));
    default:
      return number(as<arrow::UInt64Array>().Value(row));
  }
}

std::string_view ColumnText::value(std::int64_t row) {
  if (arrow::is_integer(array_->type_id())) return whole_number(row);
  switch (array_->type_id()) {
    case Type::HALF_FLOAT:
      return number(
          arrow::util::Float16::FromBits(as<arrow::HalfFloatArray>().Value(row)).ToDouble());
    case Type::FLOAT:
      return number<double>(as<arrow::FloatArray>().Value(row));
    case Type::DOUBLE:
      return number(as<arrow::DoubleArray>().Value(row));
    case Type::BOOL:
      return as<arrow::BooleanArray>().Value(row) ? "True" : "False";
    case Type::STRING:
      return as<arrow::StringArray>().GetView(row);
    case Type::LARGE_STRING:
      return as<arrow::LargeStringArray>().GetView(row);
    case Type::STRING_VIEW:
      return as<arrow::StringViewArray>().GetView(row);
    default:  // dates, times and decimals
      other_ = array_->GetScalar(row).ValueOrDie()->ToString();
      return other_;
  }
}

}  // namespace bisector::columnar
