// The text around rows of JSON: a list in one document, or one document per line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/writers/json_text.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

class JsonRows {
 public:
  explicit JsonRows(TableFormat format) : is_lines_(format == TableFormat::jsonl) {}

  /// True if every row is a document of its own, which names its members.
  bool is_lines() const { return is_lines_; }
  /// The text before the first row: the other members of the document, up to the list.
  std::string begin(const std::string& head) const { return is_lines_ ? "" : head + '['; }
  /// The text before a row.
  const char* before_row() {
    const bool is_first = std::exchange(is_first_, false);
    return is_lines_ ? (is_first ? "" : "\n") : (is_first ? "\n" : ",\n");
  }
  const char* end() const { return is_lines_ ? (is_first_ ? "" : "\n") : "\n]}\n"; }
  /// The same with notes behind the list, which lines have no place for.
  std::string end(const std::vector<std::string>& notes) const {
    return is_lines_ ? end() : "\n],\n\"notes\": " + json_text(notes) + "}\n";
  }

 private:
  bool is_lines_;
  bool is_first_ = true;
};

}  // namespace bisector::cli
