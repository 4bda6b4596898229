// What a column of a table is, by its name and its cells, where nobody said.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"

namespace bisector {

struct ColumnLook {
  enum class Kind {
    numbers,     // every cell is a number or missing
    levels,      // text of few kinds, yes and no, or declared so by the file
    identifier,  // another value in every row: text, or whole numbers under a name such as "id"
    dates,
    free_text,  // too many different texts for levels
    mixed,      // mostly numbers, and some text among them
    empty       // no value in any row
  };

  Kind kind = Kind::numbers;
  std::size_t missing = 0;                   // cells without a value
  std::optional<std::size_t> first_missing;  // the row, counted from zero
  std::size_t different = 0;                 // different values among the others
  std::optional<std::size_t> first_text;     // mixed: the first cell that is no number
  bool counts_rows = false;                  // whole numbers, one more in every row
};

/// The most levels that a column may have.
inline constexpr std::size_t kMaxLevels = 1000;

/// `name` may be empty. `declared`: the levels that the file itself gives (ARFF), or none; where
/// all of them are numbers, the column is one of numbers.
BISECTOR_EXPORT ColumnLook look_at_column(const std::string& name,
                                          std::span<const std::string> cells,
                                          const std::vector<std::string>& declared = {});

/// "numbers", "levels" and so on.
BISECTOR_EXPORT std::string kind_name(ColumnLook::Kind kind);

}  // namespace bisector
