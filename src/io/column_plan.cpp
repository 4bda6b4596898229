#include "bisector/io/column_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

#include "bisector/error.h"
#include "bisector/text.h"
#include "io/columns.h"

namespace bisector {
namespace {

using Encoding = ColumnEncoding::Kind;

// 2^27 cells of one-hot columns take a gigabyte.
constexpr std::size_t kMaxLevelCells = std::size_t{1} << 27;

constexpr auto kDayFirst = "dates with the day first", kMonthFirst = "dates with the month first";

bool is_numeric(const ColumnEncoding& encoding) { return encoding.kind == Encoding::numeric; }

}  // namespace

std::string column_words(const DataReader& reader, std::size_t column) {
  const bool has_name = reader.has_meaningful_names() && !reader.names()[column].empty();
  return has_name ? fmt::format("column {} {}", column + 1, in_quotes(reader.names()[column]))
                  : fmt::format("column {}", column + 1);
}

std::optional<std::string> note_of_format(const std::string& words, const ColumnLook& look,
                                          const std::vector<std::string>& cells) {
  if (!look.first_format) return std::nullopt;
  const bool is_date = look.format == NumberFormat::date;
  return fmt::format("{} has {} such as {}, read as {}", words,
                     is_date ? "dates" : "formatted numbers", in_quotes(cells[*look.first_format]),
                     is_date ? "days since 1970-01-01" : "numbers");
}

ColumnPlan::ColumnPlan(const DataReader& reader, std::string source,
                       const ColumnPlanOptions& options)
    : reader_(reader), options_(options), source_(std::move(source)), uses_(reader.columns()) {
  require_utf8_names();
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : reader.names()) {
    if (!seen.insert(name).second) repeated_names_.insert(name);
  }
  for (const auto& column : options.dropped) claim(column, "dropped").is_feature = false;
  choose_target();
  for (const ColumnType& type : options.types) apply(type);
  if (const auto index = reader.index(); index && uses_[*index].role.empty()) {
    uses_[*index].is_feature = false;
    notes_.push_back("left out: the first column, which has no name and numbers the rows");
  }
  if (columns().empty())
    throw InvalidInput(fmt::format("{} has no column left to train on", source_));
}

void ColumnPlan::apply(const ColumnType& type) {
  using enum ColumnType::Kind;
  switch (type.kind) {
    case numeric:
      claim(type.column, "numeric");
      return;
    case one_hot:
      claim(type.column, "one-hot").encoding.kind = Encoding::one_hot;
      return;
    case category:
      claim(type.column, "a category").encoding.kind = Encoding::category;
      return;
    case ordinal: {
      ColumnEncoding& encoding = claim(type.column, "ordinal").encoding;
      encoding.kind = Encoding::ordinal;
      encoding.levels = type.levels;
      return;
    }
    case day_first:
      claim(type.column, kDayFirst).dates = DateOrder::day_first;
      return;
    case month_first:
      claim(type.column, kMonthFirst).dates = DateOrder::month_first;
  }
}

void ColumnPlan::require_utf8_names() const {
  for (std::size_t c = 0; c < reader_.names().size(); ++c) {
    if (!is_utf8(reader_.names()[c]))
      throw FormatError(source_, reader_.reading().names_line,
                        fmt::format("the name of column {}, \"{}\", is not UTF-8: convert the "
                                    "file, for example with iconv -f latin1 -t utf-8",
                                    c + 1, printable(reader_.names()[c])));
  }
}

std::vector<std::size_t> ColumnPlan::columns() const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < uses_.size(); ++c) {
    if (uses_[c].is_feature) result.push_back(c);
  }
  return result;
}

std::string ColumnPlan::name_of(std::size_t column) const {
  return reader_.has_meaningful_names() ? reader_.names()[column] : std::string();
}

/// The features of a table without names are named after the column numbers: x2, x5, ... The model
/// then finds the columns in a file of the same layout.
std::vector<ColumnEncoding> ColumnPlan::encodings() const {
  const bool has_others = columns().size() < uses_.size();
  const bool is_unnamed = !reader_.has_meaningful_names() && !reader_.target();
  std::vector<ColumnEncoding> result;
  for (const std::size_t c : columns()) {
    result.push_back(uses_[c].encoding);
    result.back().name = name_of(c);
    if (is_unnamed && has_others) result.back().name = fmt::format("x{}", c + 1);
  }
  return result;
}

ColumnPlan::Use& ColumnPlan::claim(const std::string& column, const std::string& role) {
  Use& use = uses_[find_column(reader_, source_, column)];
  if (!use.role.empty() && use.role != role)
    throw InvalidInput(fmt::format("{}: column \"{}\" is {} and {}, expected one of them", source_,
                                   column, use.role, role));
  if (role == "ordinal" && !use.role.empty())
    throw InvalidInput(fmt::format("{}: column \"{}\" is ordinal twice", source_, column));
  use.role = role;
  return use;
}

/// The column of the options, or else the format's own target.
void ColumnPlan::choose_target() {
  if (const auto own = reader_.target()) uses_[*own].is_feature = false;
  if (!options_.has_target) return;
  if (!options_.target.empty()) {
    claim(options_.target, "the target").is_feature = false;
    target_ = find_column(reader_, source_, options_.target);
  } else if (reader_.target()) {
    target_ = reader_.target();
  } else {
    throw InvalidInput(fmt::format("{}: --target is missing: name the column to predict{}", source_,
                                   reader_.has_meaningful_names()
                                       ? "; " + io::columns_there(reader_)
                                       : " (in an NPZ file its array, --target NAME)"));
  }
}

void ColumnPlan::resolve(TextColumns& cells, const std::vector<std::string>& target) {
  const std::vector<std::size_t> looked_at = columns();
  if (cells.front().empty())
    throw InvalidInput(fmt::format("{}: no rows, expected some to train on", source_));
  for (std::size_t i = 0; i < looked_at.size(); ++i) resolve_column(looked_at[i], cells[i]);
  require_distinct_names();
  require_variation(cells.front().size());
  check_missing(target);
  if (columns().empty() && problems_.empty())
    problems_.push_back("no column is left to train on (" +
                        fmt::format("{}", fmt::join(notes_, "; ")) + ")");
  if (!problems_.empty())
    throw InvalidInput(fmt::format("{}: {}", source_, fmt::join(problems_, "; ")));
  for (std::size_t i = looked_at.size(); i-- > 0;) {
    if (!uses_[looked_at[i]].is_feature)
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void ColumnPlan::resolve_column(std::size_t column, const std::vector<std::string>& cells) {
  Use& use = uses_[column];
  use.look = look_at_column(name_of(column), cells, use.dates);
  if (use.role.empty() || use.dates != DateOrder::unknown) {
    resolve_by_look(column, cells);
  } else if (is_numeric(use.encoding) && use.look.first_text && !use.look.is_code) {
    problems_.push_back(fmt::format(
        "{0} is {1} in row {2}, expected a number (use --type {3}=one-hot or --drop {3})",
        words(column), in_quotes(cells[*use.look.first_text]), *use.look.first_text + 1,
        on_command_line(column)));
  }
  if (!use.is_feature) return;
  check_levels(column, cells.size());
  if (is_numeric(use.encoding)) resolve_format(column, cells);
  if (!is_numeric(use.encoding)) require_utf8_cells(column, cells);
}

/// Keeps how the numbers are written, for rows to predict; refuses what could be read in two ways.
void ColumnPlan::resolve_format(std::size_t column, const std::vector<std::string>& cells) {
  Use& use = uses_[column];
  if (use.look.unclear_date) {
    const std::string& cell = cells[*use.look.unclear_date];
    const SlashDate date = read_slash_date(cell).value();
    problems_.push_back(fmt::format(
        "{0} has dates such as {1}, which could be day {2} of month {3} or day {3} of "
        "month {2} (use --type {4}=day-first or --type {4}=month-first, or --drop {4})",
        words(column), in_quotes(cell), date.first, date.second, on_command_line(column)));
  } else if (use.look.other_unit) {
    const auto [first, second] = std::minmax(*use.look.first_unit, *use.look.other_unit);
    problems_.push_back(
        fmt::format("{} has {} in row {} and {} in row {} (write all of them alike, or use "
                    "--drop {})",
                    words(column), in_quotes(cells[first]), first + 1, in_quotes(cells[second]),
                    second + 1, on_command_line(column)));
  }
  use.encoding.format = format_of(use.look.dates);
  if (use.encoding.format.empty()) use.encoding.format = use.look.unit;
}

void ColumnPlan::resolve_by_look(std::size_t column, const std::vector<std::string>& cells) {
  using Look = ColumnLook::Kind;
  constexpr std::size_t kFewestCounted = 20;
  Use& use = uses_[column];
  switch (use.look.kind) {
    case Look::numbers:
      if (use.look.counts_rows && cells.size() >= kFewestCounted)
        return leave_out(column, "numbers the rows", "numeric");
      if (const auto note = note_of_format(words(column), use.look, cells)) notes_.push_back(*note);
      return;
    case Look::levels:
      use.encoding.kind = options_.keeps_categories ? Encoding::category : Encoding::one_hot;
      return;
    case Look::mixed:
      if (!use.look.first_text) return refuse_commas(column);
      problems_.push_back(fmt::format(
          "{0} has text among its numbers, such as {1} in row {2} (correct the cell, or use "
          "--drop {3}, or --type {3}=one-hot if its values are levels)",
          words(column), in_quotes(cells[*use.look.first_text]), *use.look.first_text + 1,
          on_command_line(column)));
      return;
    case Look::identifier:
      return leave_out(
          column, fmt::format("looks like an identifier ({} different values)", use.look.different),
          use.look.first_text ? "one-hot" : "numeric");
    case Look::dates:
      if (use.look.other_unit) return;  // refused by resolve_format()
      return leave_out(column,
                       fmt::format("has dates in an unknown format, such as {}: write them as "
                                   "2024-01-31",
                                   in_quotes(cells[*use.look.first_text])),
                       "one-hot");
    case Look::free_text:
      return leave_out(
          column, fmt::format("has {} different texts, too many for levels", use.look.different),
          "one-hot");
    case Look::empty:
      return leave_out(column, "has no value in any row", "");
  }
}

/// The same comma cannot group thousands in one row and be decimal in another.
void ColumnPlan::refuse_commas(std::size_t column) {
  problems_.push_back(
      fmt::format("{} has points and commas that could both be decimal (write all its numbers like "
                  "1234.5, or use --drop {})",
                  words(column), on_command_line(column)));
}

void ColumnPlan::require_utf8_cells(std::size_t column, const std::vector<std::string>& cells) {
  const auto other = std::ranges::find_if_not(cells, [](const auto& c) { return is_utf8(c); });
  if (other != cells.end())
    problems_.push_back(fmt::format(
        "{} is {} in row {}, which is not UTF-8 (convert the file, for example with iconv -f "
        "latin1 -t utf-8)",
        words(column), in_quotes(*other), other - cells.begin() + 1));
}

void ColumnPlan::leave_out(std::size_t column, const std::string& why, const std::string& type) {
  uses_[column].is_feature = false;
  const std::string advice =
      type.empty() ? ""
                   : fmt::format(" (use --type {}={} to keep it)", on_command_line(column), type);
  notes_.push_back(fmt::format("left out: {}, which {}{}", words(column), why, advice));
}

void ColumnPlan::check_levels(std::size_t column, std::size_t rows) {
  const Use& use = uses_[column];
  if (use.encoding.kind != Encoding::one_hot) return;
  const std::size_t most =
      use.role == "one-hot" ? kMaxLevelCells / std::max<std::size_t>(rows, 1) : kMaxLevels;
  if (use.look.different <= most) return;
  problems_.push_back(fmt::format(
      "{} has {} levels, expected at most {}, because each becomes a feature (use --drop {}, or "
      "merge rare levels in the file)",
      words(column), use.look.different, most, on_command_line(column)));
}

void ColumnPlan::require_distinct_names() {
  if (!reader_.has_meaningful_names()) return;
  std::map<std::string, std::size_t> first;
  for (const std::size_t c : columns()) {
    const auto [entry, is_new] = first.try_emplace(reader_.names()[c], c);
    if (!is_new)
      problems_.push_back(fmt::format(
          "columns {} and {} are both named \"{}\" (use --drop {}, here and with the other "
          "verbs, or rename one)",
          entry->second + 1, c + 1, reader_.names()[c], c + 1));
  }
}

/// Columns that are all constant say nothing about the target.
void ColumnPlan::require_variation(std::size_t rows) {
  const auto is_constant = [&](std::size_t c) {
    return uses_[c].look.different == 1 && uses_[c].look.missing == 0;
  };
  if (rows > 1 && !columns().empty() && std::ranges::all_of(columns(), is_constant))
    problems_.push_back(
        "every column has the same value in all rows, so there is nothing to learn "
        "from: expected a column that varies");
}

void ColumnPlan::check_missing(const std::vector<std::string>& target) {
  if (options_.missing == MissingPolicy::skip) return;
  std::vector<std::string> places;
  std::size_t cells = 0;
  for (const std::size_t c : columns()) {
    const ColumnLook& look = uses_[c].look;
    const auto& levels = uses_[c].encoding.levels;
    const bool is_level = std::ranges::any_of(levels, [](const auto& l) { return is_missing(l); });
    if (look.missing == 0 || is_level) continue;
    cells += look.missing;
    places.push_back(fmt::format("{} ({}, the first in row {})", words(c), look.missing,
                                 *look.first_missing + 1));
  }
  if (!places.empty() && options_.missing != MissingPolicy::error)
    notes_.push_back(fmt::format(
        "{} missing value{} imputed by the column's median or most frequent level: {} (use "
        "--missing skip to leave out the rows)",
        cells, cells == 1 ? " is" : "s are", fmt::join(places, ", ")));
  if (options_.missing != MissingPolicy::error) return;
  if (!places.empty())
    problems_.push_back(fmt::format(
        "{} cell{} missing: {} (use --missing median to impute them, or --missing skip to leave "
        "out the rows)",
        cells, cells == 1 ? " is" : "s are", fmt::join(places, ", ")));
  const auto lacks = [](const auto& cell) { return is_missing(cell); };
  const auto lacking = static_cast<std::size_t>(std::ranges::count_if(target, lacks));
  if (lacking > 0)
    problems_.push_back(
        fmt::format("the target is missing in {} row{}, the first is row {} (use --missing skip to "
                    "leave them out)",
                    lacking, lacking == 1 ? "" : "s",
                    std::ranges::find_if(target, lacks) - target.begin() + 1));
}

std::string ColumnPlan::on_command_line(std::size_t column) const {
  const std::string name = name_of(column);
  if (name.empty() || repeated_names_.contains(name)) return fmt::format("{}", column + 1);
  const bool is_word = name.find_first_of(" \t\"'$`\\&|;<>()*?#!~") == std::string::npos;
  return is_word ? name : fmt::format("'{}'", name);
}

/// The name, in quotes if it has a comma, or "column 3".
std::string ColumnPlan::summary_name(std::size_t column) const {
  const std::string name = name_of(column);
  if (name.empty()) return fmt::format("column {}", column + 1);
  return name.find(',') == std::string::npos ? name : fmt::format("\"{}\"", name);
}

std::string ColumnPlan::summary() const {
  constexpr std::size_t kMaxNames = 12;
  std::vector<std::string> numbers, levels, others;
  for (std::size_t c = 0; c < uses_.size(); ++c) {
    const Use& use = uses_[c];
    const std::string name = summary_name(c);
    if (!use.is_feature)
      others.push_back(target_ == c ? name + " (target)" : name);
    else if (is_numeric(use.encoding))
      numbers.push_back(name);
    else
      levels.push_back(fmt::format("{} ({})", name, use.look.different));
  }
  std::vector<std::string> parts;
  const auto add = [&](std::vector<std::string> names, const std::string& what) {
    if (names.empty()) return;
    const std::size_t all = names.size();
    if (all > kMaxNames) {
      names.resize(kMaxNames);
      names.push_back(fmt::format("... ({} in all)", all));
    }
    parts.push_back(fmt::format("{}: {}", what, fmt::join(names, ", ")));
  };
  add(numbers, "numbers");
  add(levels, "levels");
  add(others, "left out");
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace bisector
