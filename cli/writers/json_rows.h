// The frame around rows of JSON: a list in one document, or a document on each line.
#pragma once

#include <string>
#include <utility>

#include "cli/writers/table_format.h"

namespace bisector::cli {

class JsonRows {
 public:
  explicit JsonRows(TableFormat format) : is_lines_(format == TableFormat::jsonl) {}

  /// True where every row stands for itself, and so has to name what it holds.
  bool is_lines() const { return is_lines_; }
  /// What stands before the first row: the document's other members, up to the list.
  std::string begin(const std::string& head) const { return is_lines_ ? "" : head + '['; }
  /// What stands before a row.
  const char* before_row() {
    const bool is_first = std::exchange(is_first_, false);
    return is_lines_ ? (is_first ? "" : "\n") : (is_first ? "\n" : ",\n");
  }
  const char* end() const { return is_lines_ ? (is_first_ ? "" : "\n") : "\n]}\n"; }

 private:
  bool is_lines_;
  bool is_first_ = true;
};

}  // namespace bisector::cli
