// Finding columns by name or number.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/nearest_word.h"
#include "io/columns.h"
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

[[noreturn]] void refuse_duplicate(const std::string& source, const std::string& name) {
  throw InvalidInput(
      fmt::format("{}: column {} occurs more than once, expected one column of that "
                  "name",
                  source, shown(name)));
}

/// Columns by name. A name that occurs twice is an error only if it is looked up.
class NameIndex {
 public:
  NameIndex(const std::vector<std::string>& names, const std::string& source) : source_(source) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [entry, is_new] = columns_.try_emplace(names[i], i);
      if (!is_new) entry->second = kDuplicate;
    }
  }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto entry = columns_.find(name);
    if (entry == columns_.end()) return std::nullopt;
    if (entry->second == kDuplicate) refuse_duplicate(source_, name);
    return entry->second;
  }

 private:
  static constexpr auto kDuplicate = static_cast<std::size_t>(-1);
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

/// For each column, true if it is dropped.
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
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const std::string& name : reader.names()) ++counts[name];
  for (std::size_t c = 0; c < names.size(); ++c) {
    // Another column of the same name may take the place of a dropped one.
    if (is_dropped[c] && counts[reader.names()[c]] > 1) names[c].clear();
  }
  const NameIndex index(names, source);
  std::vector<std::size_t> columns;
  for (const auto& name : feature_names) {
    const auto column = index.find(name);
    if (!column) {
      // Short names such as x1 and x3 are alike without being meant.
      const std::string near = name.size() < 4 ? "" : nearest_word(name, reader.names());
      throw InvalidInput(fmt::format(
          "{} has no column {}, which the model needs; {}{}", source, shown(name),
          columns_there(reader),
          near.empty() ? ""
                       : fmt::format(" (did you mean {}? Rename it in the file)", shown(near))));
    }
    if (is_dropped[*column])
      throw InvalidInput(
          fmt::format("{}: column {} is dropped, but the model needs it", source, shown(name)));
    columns.push_back(*column);
  }
  return columns;
}

/// The positions that the names x2, x5, x7 give: the columns of a training file without names.
/// Nothing if any name is not of this form.
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

/// Columns of a file without names, for a model of x2, x5, ...: these columns, if the file has as
/// many columns as the training file. Columns after the last one do not count if they are dropped.
std::optional<std::vector<std::size_t>> match_by_number(
    const DataReader& reader, const std::vector<std::string>& feature_names, std::size_t trained,
    const std::vector<bool>& is_left_out) {
  if (trained == 0 || trained > reader.columns()) return std::nullopt;
  const bool is_training_layout =
      std::all_of(is_left_out.begin() + static_cast<std::ptrdiff_t>(trained), is_left_out.end(),
                  [](bool left_out) { return left_out; });
  return is_training_layout ? numbered_columns(feature_names) : std::nullopt;
}

std::string too_many_columns(const DataReader& reader, std::size_t columns, std::size_t features,
                             std::size_t trained_count) {
  const std::string trained =
      trained_count > 0 ? fmt::format(" of a training file with {} columns", trained_count) : "";
  const std::string last = reader.has_meaningful_names() ? fmt::format("; the last column is {}",
                                                                       shown(reader.names().back()))
                                                         : "";
  return fmt::format(
      "{} columns, but the model has {} features{}: leave out the others with --drop COL{}",
      columns, features, trained, last);
}

std::vector<std::size_t> match_by_position(const DataReader& reader, const std::string& source,
                                           std::size_t features, std::size_t trained_count,
                                           const std::vector<bool>& is_left_out) {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < is_left_out.size(); ++column) {
    if (!is_left_out[column]) columns.push_back(column);
  }
  // Sparse rows omit zeros, so the last features may not occur in the file at all.
  for (std::size_t next = reader.columns(); reader.is_sparse() && columns.size() < features; ++next)
    columns.push_back(next);
  if (columns.size() > features)
    throw InvalidInput(fmt::format(
        "{} has {}", source, too_many_columns(reader, columns.size(), features, trained_count)));
  if (columns.size() < features)
    throw InvalidInput(fmt::format("{} has {} column{}, but the model has {} features", source,
                                   columns.size(), columns.size() == 1 ? "" : "s", features));
  return columns;
}

}  // namespace

std::string io::columns_there(const DataReader& reader) {
  if (reader.columns() == 1 && !reader.target())
    return fmt::format("it has one column{} (use --delimiter if its cells are separated otherwise)",
                       reader.names().empty() ? "" : ", " + shown(reader.names().front()));
  if (!reader.names().empty()) return fmt::format("it has {}", list_of_names(reader.names()));
  return fmt::format("its columns have no names, only the numbers 1 to {}", reader.columns());
}

std::size_t find_column(const DataReader& reader, const std::string& source,
                        const std::string& column) {
  const auto& names = reader.names();
  const auto found = std::ranges::find(names, column);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), column) != names.end()) refuse_duplicate(source, column);
    return static_cast<std::size_t>(found - names.begin());
  }
  if (const auto number = column_by_number(column, reader.columns())) return *number;
  const std::string near = nearest_word(column, names);
  throw InvalidInput(fmt::format(
      "{} has no column {}{}; {}", source, shown(column),
      near.empty() ? "" : fmt::format(" (did you mean {}?)", shown(near)), columns_there(reader)));
}

bool matches_by_name(const DataReader& reader, const std::vector<std::string>& feature_names) {
  if (!reader.has_meaningful_names() || feature_names.empty()) return false;
  if (!numbered_columns(feature_names)) return true;
  const std::unordered_set<std::string_view> own(reader.names().begin(), reader.names().end());
  return std::ranges::any_of(feature_names,
                             [&](const std::string& name) { return own.contains(name); });
}

std::size_t trained_columns(const std::vector<std::string>& feature_names,
                            const std::string& target) {
  const auto columns = numbered_columns(feature_names);
  if (!columns || columns->empty()) return 0;
  const std::size_t last = *std::ranges::max_element(*columns) + 1;
  const auto number = column_by_number(target, static_cast<std::size_t>(-1));
  return number ? std::max(last, *number + 1) : last;
}

std::vector<std::size_t> match_features(const DataReader& reader, const std::string& source,
                                        const std::vector<std::string>& feature_names,
                                        std::size_t features,
                                        const std::vector<std::string>& dropped,
                                        const std::string& target) {
  std::vector<bool> is_left_out = dropped_columns(reader, source, dropped);
  if (matches_by_name(reader, feature_names))
    return match_by_name(reader, source, feature_names, is_left_out);
  const std::vector<bool> is_dropped = is_left_out;
  if (const auto own = reader.target()) is_left_out[*own] = true;
  if (const auto index = reader.index()) is_left_out[*index] = true;
  const std::size_t trained = trained_columns(feature_names, target);
  if (auto columns = match_by_number(reader, feature_names, trained, is_left_out)) {
    for (const std::size_t column : *columns) {
      if (is_dropped[column])
        throw InvalidInput(
            fmt::format("{}: column {} is dropped, but the model needs it", source, column + 1));
    }
    return *std::move(columns);
  }
  return match_by_position(reader, source, features, trained, is_left_out);
}

}  // namespace bisector
