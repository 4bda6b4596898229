#include "cli/options/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "cli/options/small_file.h"

namespace bisector::cli {
namespace {

using Json = nlohmann::ordered_json;
using NamedGroups = std::vector<std::pair<std::string, std::vector<std::string>>>;

constexpr auto kExpected =
    "expected JSON {\"group\": [\"column\", ...]} or CSV with the header column,group";

bool starts_as_json(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string::npos && text[first] == '{';
}

NamedGroups from_json(const std::string& text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw FormatError(source, 0, fmt::format("broken JSON, {}", kExpected));
  NamedGroups groups;
  for (const auto& [name, columns] : json.items()) {
    const bool is_list = columns.is_array() && std::ranges::all_of(columns, [](const Json& column) {
                           return column.is_string();
                         });
    if (!is_list)
      throw FormatError(source, 0,
                        fmt::format("group \"{}\" is not a list of columns, {}", name, kExpected));
    groups.emplace_back(name, columns.get<std::vector<std::string>>());
  }
  return groups;
}

NamedGroups from_csv(const std::filesystem::path& path, const Limits& limits) {
  const auto reader = open_data(
      path, {.kind = DataFormat::Kind::csv, .header = DataFormat::Header::yes, .limits = limits});
  const auto position = [&](const char* name) {
    const auto found = std::ranges::find(reader->names(), name);
    if (found == reader->names().end())
      throw FormatError(path.string(), 0, fmt::format("no column \"{}\", {}", name, kExpected));
    return static_cast<std::size_t>(found - reader->names().begin());
  };
  reader->select({{}, {position("column"), position("group")}});
  const DataChunk cells = read_all(*reader);
  NamedGroups groups;
  for (std::size_t r = 0; r < cells.text[0].size(); ++r) {
    const std::string& name = cells.text[1][r];
    if (name.empty()) continue;  // in no group
    auto own = std::ranges::find(groups, name, &NamedGroups::value_type::first);
    if (own == groups.end()) own = groups.insert(groups.end(), {name, {}});
    own->second.push_back(cells.text[0][r]);
  }
  return groups;
}

/// The group of each column, if it has one.
std::vector<std::optional<std::size_t>> assigned(const NamedGroups& groups,
                                                 const std::vector<std::string>& columns,
                                                 const std::string& source) {
  std::vector<std::optional<std::size_t>> result(columns.size());
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t c = 0; c < columns.size(); ++c) positions.try_emplace(columns[c], c);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].second.empty())
      throw FormatError(source, 0, fmt::format("group \"{}\" has no columns", groups[g].first));
    for (const std::string& column : groups[g].second) {
      const auto found = positions.find(column);
      if (found == positions.end())
        throw FormatError(source, 0,
                          fmt::format("group \"{}\" has the column \"{}\", expected columns of "
                                      "the model: {}",
                                      groups[g].first, column, fmt::join(columns, ", ")));
      auto& own = result[found->second];
      if (own)
        throw FormatError(source, 0,
                          fmt::format("column \"{}\" is in the groups \"{}\" and \"{}\", expected "
                                      "it in one of them",
                                      column, groups[*own].first, groups[g].first));
      own = g;
    }
  }
  return result;
}

}  // namespace

ColumnGroups single_columns(const std::vector<std::string>& columns) {
  ColumnGroups result{columns, std::vector<std::size_t>(columns.size()), {}, {}};
  std::iota(result.of_column.begin(), result.of_column.end(), std::size_t{0});
  for (std::size_t c = 0; c < columns.size(); ++c) result.members.push_back({c});
  result.is_group.assign(columns.size(), false);
  return result;
}

ColumnGroups read_groups(const std::filesystem::path& path, const std::vector<std::string>& columns,
                         const Limits& limits) {
  const std::string source = path.string(), text = read_small_file(path, limits, kExpected);
  const NamedGroups groups =
      starts_as_json(text) ? from_json(text, source) : from_csv(path, limits);
  const auto group_of = assigned(groups, columns, source);
  ColumnGroups result;
  std::vector<std::optional<std::size_t>> entry_of(groups.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::optional<std::size_t> entry = group_of[c] ? entry_of[*group_of[c]] : std::nullopt;
    if (!entry) {
      entry = result.names.size();
      result.names.push_back(group_of[c] ? groups[*group_of[c]].first : columns[c]);
      result.members.emplace_back();
      result.is_group.push_back(group_of[c].has_value());
      if (group_of[c]) entry_of[*group_of[c]] = entry;
    }
    result.of_column.push_back(*entry);
    result.members[*entry].push_back(c);
  }
  std::unordered_set<std::string_view> names;
  for (const std::string& name : result.names) {
    if (!names.insert(name).second)
      throw FormatError(source, 0,
                        fmt::format("group \"{}\" has the name of a column that is not in it; "
                                    "choose another name",
                                    name));
  }
  return result;
}

}  // namespace bisector::cli
