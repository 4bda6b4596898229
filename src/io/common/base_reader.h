// The common part of all data readers: names, selection and chunks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/io/data_reader.h"

namespace bisector::io {

/// The columns of an open file.
struct Columns {
  std::size_t count = 0;
  std::vector<std::string> names;  // empty, or one per column
  bool has_meaningful_names = false;
  std::optional<std::size_t> index;  // an unnamed column that numbers the rows
  Reading reading;
};

class BaseReader : public DataReader {
 public:
  const std::vector<std::string>& names() const override { return columns_.names; }
  std::size_t columns() const override { return columns_.count; }
  bool has_meaningful_names() const override { return columns_.has_meaningful_names; }
  std::optional<std::size_t> index() const override { return columns_.index; }
  const Reading& reading() const override { return columns_.reading; }
  void select(ColumnSelection selection) override;

 protected:
  BaseReader(std::string source, Columns columns);

  const std::string& source() const { return source_; }
  /// The number of columns that can be selected.
  virtual std::size_t selectable() const { return columns(); }
  /// The selection, which cannot change any more; every read calls this first.
  const ColumnSelection& start();

 private:
  void require_known(const std::vector<std::size_t>& wanted) const;

  std::string source_;
  Columns columns_;
  ColumnSelection selection_;
  bool is_selected_ = false, is_started_ = false;
};

/// A chunk that grows row by row and allocates memory only for rows that exist.
class GrowingChunk {
 public:
  explicit GrowingChunk(const ColumnSelection& selection)
      : columns_(selection.numbers.size()), text_(selection.text.size()) {}

  std::size_t rows() const { return rows_; }
  void add_number(double value) { values_.push_back(value); }
  void add_text(std::size_t position, std::string_view text) { text_[position].emplace_back(text); }
  /// The last text added.
  std::string& last_text(std::size_t position) { return text_[position].back(); }
  void end_row() { ++rows_; }
  /// Adds a row of zeros, which can be filled in any order.
  std::span<double> add_zeros() {
    values_.resize(values_.size() + columns_);
    return std::span(values_).last(columns_);
  }
  DataChunk finish() && { return {Matrix(rows_, columns_, std::move(values_)), std::move(text_)}; }

 private:
  std::size_t columns_, rows_ = 0;
  std::vector<double> values_;
  std::vector<std::vector<std::string>> text_;
};

}  // namespace bisector::io
