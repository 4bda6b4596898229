// A chunk of rows for readers that do not know how many rows will come.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/io/data_reader.h"

namespace bisector::io {

/// A chunk that grows row by row and allocates memory only for rows that exist.
class GrowingChunk {
 public:
  explicit GrowingChunk(const ColumnSelection& selection)
      : columns_(selection.numbers.size()), text_(selection.text.size()) {}

  std::size_t rows() const { return lines_.size(); }
  void add_number(double value) { values_.push_back(value); }
  void add_text(std::size_t position, std::string_view text) { text_[position].emplace_back(text); }
  /// The last text added.
  std::string& last_text(std::size_t position) { return text_[position].back(); }
  void end_row(std::size_t line) { lines_.push_back(line); }
  /// Adds a row of zeros, which can be filled in any order.
  std::span<double> add_zeros() {
    values_.resize(values_.size() + columns_);
    return std::span(values_).last(columns_);
  }
  DataChunk finish() && {
    return {Matrix(rows(), columns_, std::move(values_)), std::move(text_), std::move(lines_)};
  }

 private:
  std::size_t columns_;
  std::vector<double> values_;
  std::vector<std::vector<std::string>> text_;
  std::vector<std::size_t> lines_;
};

}  // namespace bisector::io
