// Where the rows of DATA stand in the output: the only code that knows which rows were skipped,
// marked, refused or selected by --row, their numbers in the file, the columns of --keep and the
// target, and which name of a column yields to another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/input.h"
#include "cli/writers/result_table.h"
#include "tools/progress.h"

namespace bisector::cli {

/// A row of DATA in the output: row `row` of the table, or a marked row.
struct Place {
  const ModelChunk& chunk;
  std::size_t number;                     // in the file, from one
  std::size_t row = 0;                    // in the chunk and the table
  const UnusableRow* unusable = nullptr;  // a row without a result

  const std::string& kept(std::size_t column) const {
    return unusable != nullptr ? unusable->kept[column] : chunk.kept[column][row];
  }
  const std::string& target() const {
    return unusable != nullptr ? unusable->target : chunk.target[row];
  }
  /// Why a marked row has no result.
  const char* problem() const { return unusable->is_missing ? "missing value" : "unseen level"; }
};

/// The names of all columns, each once. A name of the user that is ours, or that of an earlier
/// column, gets underscores. Details that are not shown have no names.
struct Header {
  std::vector<std::string> kept;                  // after "row"
  std::vector<std::vector<std::string>> columns;  // a list for each column of the table
};
Header header_of(const Table& table, std::vector<std::string> kept, bool has_details);

/// Calls work(place) for the rows of a chunk in the order of the file, without skipped rows.
template <class Work>
void for_each_place(const ModelChunk& chunk, const Work& work) {
  std::size_t next = 0;
  const auto mark_below = [&](std::size_t end) {
    for (; next < chunk.unusable.size() && chunk.unusable[next].row < end; ++next) {
      const UnusableRow& row = chunk.unusable[next];
      if (row.policy == RowPolicy::mark) work(Place{chunk, row.row, 0, &row});
    }
  };
  for (std::size_t r = 0; r < chunk.numbers.size(); ++r) {
    mark_below(chunk.numbers[r]);
    work(Place{chunk, chunk.numbers[r], r});
  }
  mark_below(static_cast<std::size_t>(-1));
}

/// Throws InvalidInput for a row of --row that has no result, after all rows were read.
[[noreturn]] void refuse_row(const RowSource& rows, std::size_t number);

/// Calls work(rows before, chunk) for every chunk of `size` rows, or for the row of --row, which is
/// the only one that is read.
template <class Work>
void for_each_wanted_chunk(RowSource& rows, std::optional<std::size_t> only_row, std::size_t size,
                           tools::Progress progress, const Work& work) {
  bool is_found = !only_row;
  for_each_chunk(rows, size, progress, [&](std::size_t first_row, const ModelChunk& chunk) {
    if (only_row && chunk.rows.rows() == 0) return;
    work(only_row.value_or(first_row) - 1, chunk);
    is_found = true;
  });
  if (!is_found) refuse_row(rows, *only_row);
}

/// All rows as one chunk.
ModelChunk read_placed_rows(RowSource& rows, std::optional<std::size_t> only_row,
                            std::size_t features);

}  // namespace bisector::cli
