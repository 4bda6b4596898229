// Finding columns by name or number.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "io/text/cells.h"

namespace bisector {

using namespace io;

namespace {

/// "\"a\", \"b\" and 30 more", for errors.
std::string list_of_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMax = 20;
  std::vector<std::string> items;
  for (std::size_t i = 0; i < std::min(kMax, names.size()); ++i) items.push_back(shown(names[i]));
  const std::string list = fmt::format("{}", fmt::join(items, ", "));
  return names.size() <= kMax ? list : fmt::format("{} and {} more", list, names.size() - kMax);
}

/// What columns there are.
std::string choice(const DataReader& reader) {
  if (!reader.names().empty()) return fmt::format("it has {}", list_of_names(reader.names()));
  return fmt::format("its columns have no names, only the numbers 1 to {}", reader.columns());
}

[[noreturn]] void refuse_twofold(const std::string& source, const std::string& name) {
  throw InvalidInput(
      fmt::format("{}: column {} stands more than once, expected one column of that "
                  "name",
                  source, shown(name)));
}

/// Columns by name. Names that stand twice are no harm until somebody asks for them.
class NameIndex {
 public:
  NameIndex(const std::vector<std::string>& names, const std::string& source) : source_(source) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [entry, is_new] = columns_.try_emplace(names[i], i);
      if (!is_new) entry->second = kTwofold;
    }
  }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto entry = columns_.find(name);
    if (entry == columns_.end()) return std::nullopt;
    if (entry->second == kTwofold) refuse_twofold(source_, name);
    return entry->second;
  }

 private:
  static constexpr auto kTwofold = static_cast<std::size_t>(-1);
  const std::string& source_;
  std::unordered_map<std::string_view, std::size_t> columns_;
};

std::optional<std::size_t> column_by_number(const std::string& text, std::size_t columns) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number == 0 || number > columns) return std::nullopt;
  return number - 1;
}

/// For each column whether it was left out.
std::vector<bool> dropped_columns(const DataReader& reader, const std::string& source,
                                  const std::vector<std::string>& dropped) {
  std::vector<bool> is_dropped(reader.columns(), false);
  for (const auto& column : dropped) is_dropped[find_column(reader, source, column)] = true;
  return is_dropped;
}

std::vector<std::size_t> match_by_name(const DataReader& reader, const std::string& source,
                                       const std::vector<std::string>& feature_names,
                                       const std::vector<bool>& is_dropped) {
  std::vector<std::string> names = reader.names();
  for (std::size_t c = 0; c < names.size(); ++c) {
    // A dropped column leaves its name to another one; alone it is asked for in vain below.
    if (is_dropped[c] && std::ranges::count(reader.names(), names[c]) > 1) names[c].clear();
  }
  const NameIndex index(names, source);
  std::vector<std::size_t> columns;
  for (const auto& name : feature_names) {
    const auto column = index.find(name);
    if (!column)
      throw InvalidInput(fmt::format("{} has no column {}, which the model needs; {}", source,
                                     shown(name), choice(reader)));
    if (is_dropped[*column])
      throw InvalidInput(
          fmt::format("{}: column {} is dropped, but the model needs it", source, shown(name)));
    columns.push_back(*column);
  }
  return columns;
}

/// The positions that x2, x5, x7 say: the columns of a table without names that a model was made
/// from. Nothing where a name is another.
std::optional<std::vector<std::size_t>> numbered_columns(const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  for (const auto& name : names) {
    const auto number = name.starts_with('x')
                            ? column_by_number(name.substr(1), static_cast<std::size_t>(-1))
                            : std::nullopt;
    if (!number) return std::nullopt;
    columns.push_back(*number);
  }
  return columns;
}

std::vector<std::size_t> match_by_position(const DataReader& reader, const std::string& source,
                                           std::size_t features, std::vector<bool> is_dropped) {
  if (const auto target = reader.target()) is_dropped[*target] = true;
  if (const auto index = reader.index()) is_dropped[*index] = true;
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < is_dropped.size(); ++column) {
    if (!is_dropped[column]) columns.push_back(column);
  }
  // Sparse rows leave zeros out, so a file's last features may be missing from it altogether.
  for (std::size_t next = reader.columns(); reader.is_sparse() && columns.size() < features; ++next)
    columns.push_back(next);
  if (columns.size() != features)
    throw InvalidInput(
        fmt::format("{} has {} features, the model {}", source, columns.size(), features));
  return columns;
}

}  // namespace

std::size_t find_column(const DataReader& reader, const std::string& source,
                        const std::string& column) {
  const auto& names = reader.names();
  const auto found = std::ranges::find(names, column);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), column) != names.end()) refuse_twofold(source, column);
    return static_cast<std::size_t>(found - names.begin());
  }
  if (const auto number = column_by_number(column, reader.columns())) return *number;
  throw InvalidInput(fmt::format("{} has no column {}; {}", source, shown(column), choice(reader)));
}

bool matches_by_name(const DataReader& reader, const std::vector<std::string>& feature_names) {
  if (!reader.has_meaningful_names() || feature_names.empty()) return false;
  const bool has_first =
      std::ranges::find(reader.names(), feature_names.front()) != reader.names().end();
  return has_first || !numbered_columns(feature_names);
}

std::optional<std::vector<std::size_t>> match_by_number(
    const DataReader& reader, const std::vector<std::string>& feature_names, std::size_t dropped) {
  const auto columns = numbered_columns(feature_names);
  const std::size_t left_out = dropped + reader.target().has_value() + reader.index().has_value();
  const bool is_larger = columns && reader.columns() > columns->size() + left_out;
  if (!is_larger || columns->empty() || *std::ranges::max_element(*columns) >= reader.columns())
    return std::nullopt;
  return columns;
}

std::vector<std::size_t> match_features(const DataReader& reader, const std::string& source,
                                        const std::vector<std::string>& feature_names,
                                        std::size_t features,
                                        const std::vector<std::string>& dropped) {
  std::vector<bool> is_dropped = dropped_columns(reader, source, dropped);
  if (matches_by_name(reader, feature_names))
    return match_by_name(reader, source, feature_names, is_dropped);
  if (auto numbered = match_by_number(reader, feature_names, dropped.size()))
    return *std::move(numbered);
  return match_by_position(reader, source, features, std::move(is_dropped));
}

}  // namespace bisector
