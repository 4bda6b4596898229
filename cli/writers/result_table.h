// A result as a table of named, typed columns. What makes a table knows no format, and what writes
// one knows no result.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::cli {

/// Names that many tables share.
using Names = std::shared_ptr<const std::vector<std::string>>;
inline Names names_of(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

/// A number, a text or nothing.
struct MixedCell {
  std::string text = {};  // of a number: its digits
  bool is_text = false;

  bool is_nothing() const { return text.empty() && !is_text; }
};
/// Rows of cells that may differ in type.
struct MixedCells {
  std::size_t width = 1;
  std::vector<MixedCell> cells = {};
};

/// Names of columns, each with the value before and after a change, or without values.
struct NamedCells {
  struct Entry {
    std::string name;
    std::optional<std::pair<MixedCell, MixedCell>> change = {};
  };
  using List = std::vector<Entry>;
  std::vector<List> lists = {};
};

/// The number of an item among those of its row, from one. JSON has the order of a list instead.
struct Ranks {};
/// The cells of the column that the user named as the target. A row without a result has one, too.
struct TargetCells {};

/// Numbers, positions in Column::names, true or false, a row of numbers per line, and others.
using Cells = std::variant<std::vector<double>, std::vector<std::size_t>, std::vector<bool>, Matrix,
                           MixedCells, NamedCells, Ranks, TargetCells>;

/// A column, or a block of columns of the same kind if the cells are a Matrix or MixedCells.
struct Column {
  std::string name;  // of a block: before each of its names, as in "standard error of "
  Cells cells;
  Names names = {};       // of a block: its columns; of positions: what they represent
  std::string key = {};   // in JSON; empty: the name
  bool is_item = false;   // a cell for each item of a row, instead of one for the row
  bool is_users = false;  // has a name of the user, which yields to one of ours
  bool is_detail = false;

  bool is_block() const {
    return std::holds_alternative<Matrix>(cells) ||
           (std::holds_alternative<MixedCells>(cells) && names != nullptr);
  }
  const std::string& json_key() const { return key.empty() ? name : key; }
};

/// Rows, which may have items: the pairs of a row, or its classes. CSV has a line for each item,
/// or one without cells for a row that has none.
struct Table {
  std::vector<Column> columns = {};
  std::string items = {};              // what the items are: "pairs"; empty: there are none
  std::size_t items_per_row = 0;       // if all rows have as many
  std::vector<std::size_t> ends = {};  // otherwise the end of each row's items

  bool has_items() const { return !items.empty(); }
  std::size_t items_end(std::size_t row) const {
    return items_per_row > 0 ? (row + 1) * items_per_row : ends[row];
  }
  std::size_t items_begin(std::size_t row) const { return row == 0 ? 0 : items_end(row - 1); }
};

}  // namespace bisector::cli
