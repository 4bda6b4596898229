// Groups of columns that are explained together (--groups FILE).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "bisector/limits.h"

namespace bisector::cli {

/// The help of --groups.
inline constexpr auto kGroupsHelp =
    "Columns that are explained together, such as those of one sensor: JSON {\"group\": "
    "[\"column\", ...]} or CSV with the header column,group";

/// The entries of an explanation: groups of columns, and the columns that are in no group.
struct ColumnGroups {
  std::vector<std::string> names;                 // in the order of their first columns
  std::vector<std::size_t> of_column;             // the entry of each column
  std::vector<std::vector<std::size_t>> members;  // the columns of each entry
  std::vector<bool> is_group;                     // false: a column in no group

  /// The value of an entry belongs to one column.
  bool is_column(std::size_t entry) const { return !is_group[entry]; }
};

/// Every column is an entry of its own.
ColumnGroups single_columns(const std::vector<std::string>& columns);

/// Reads groups: JSON {"name": ["column", ...]}, or CSV with the header column,group, in which a
/// column without a group stays alone. Throws
/// FormatError for a column that the table does not have or that is in two groups, for an empty
/// group, and for a group with the name of a column outside of it.
ColumnGroups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns,
                         const Limits& limits);

}  // namespace bisector::cli
