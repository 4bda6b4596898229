// Text files of cells. CSV and ARFF differ only in how they split a line.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/common/base_reader.h"

namespace bisector::io {

/// Reads rows of cells one by one.
class Records {
 public:
  virtual ~Records() = default;
  /// Reads the next row that has cells; false at the end.
  virtual bool next() = 0;
  virtual std::optional<double> fraction_read() const = 0;
  /// The cells of the row, without quotes and escapes; valid until next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// The physical line in which the row starts.
  std::size_t line() const { return line_; }

 protected:
  std::vector<std::string_view> cells_;
  std::size_t line_ = 0;
};

/// The columns of a format that always has names; an index column has an empty name.
Columns named_columns(std::vector<std::string> names, Reading reading);

class TableReader : public BaseReader {
 public:
  /// `missing`: the mark of a missing value, such as "?" in ARFF; or empty.
  TableReader(std::string source, Columns columns, std::unique_ptr<Records> records,
              std::string missing = {});
  DataChunk read(std::size_t max_rows) override;
  std::optional<double> fraction_read() const override { return records_->fraction_read(); }

 private:
  void add_row(const ColumnSelection& selection, GrowingChunk& chunk) const;
  double number(std::size_t column) const;
  [[noreturn]] void refuse(std::size_t column) const;

  std::unique_ptr<Records> records_;
  std::string missing_;
};

}  // namespace bisector::io
