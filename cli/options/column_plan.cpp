#include "cli/options/column_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bisector/error.h"
#include "bisector/text.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

using Kind = ColumnEncoding::Kind;

// Cells of one-hot columns: 2^27 are a gigabyte.
constexpr std::size_t kMaxLevelCells = std::size_t{1} << 27;

/// "COL=a<b<c" in parts.
struct OrdinalText {
  std::string column;
  std::vector<std::string> levels;
};

OrdinalText parse_ordinal(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("--ordinal is \"{}\", expected COL=a<b<c", text));
  OrdinalText result{text.substr(0, equals), {}};
  std::size_t start = equals + 1;
  for (std::size_t less = 0; less != std::string::npos; start = less + 1) {
    less = text.find('<', start);
    result.levels.emplace_back(trimmed_cell(text.substr(start, less - start)));
  }
  return result;
}

bool is_numeric(const ColumnEncoding& encoding) { return encoding.kind == Kind::numeric; }

}  // namespace

std::string column_words(const DataReader& reader, std::size_t column) {
  const bool has_name = reader.has_meaningful_names() && !reader.names()[column].empty();
  return has_name ? fmt::format("column {} \"{}\"", column + 1, reader.names()[column])
                  : fmt::format("column {}", column + 1);
}

ColumnPlan::ColumnPlan(const DataReader& reader, const TrainArguments& arguments)
    : reader_(reader),
      arguments_(arguments),
      source_(arguments.input.data.string()),
      uses_(reader.columns()) {
  require_utf8_names();
  for (const auto& column : arguments.input.dropped) claim(column, "dropped").is_feature = false;
  choose_target();
  for (const auto& text : arguments.ordinal) {
    OrdinalText ordinal = parse_ordinal(text);
    ColumnEncoding& encoding = claim(ordinal.column, "ordinal").encoding;
    encoding.kind = Kind::ordinal;
    encoding.levels = std::move(ordinal.levels);
  }
  for (const auto& column : arguments.one_hot)
    claim(column, "one-hot").encoding.kind = Kind::one_hot;
  for (const auto& column : arguments.category)
    claim(column, "a category").encoding.kind = Kind::category;
  for (const auto& column : arguments.numeric) claim(column, "numeric");
  if (const auto index = reader.index(); index && uses_[*index].what.empty()) {
    uses_[*index].is_feature = false;
    notes_.push_back(fmt::format("{}: it is left out", kIndexWords));
  }
  if (columns().empty())
    throw InvalidInput(fmt::format("{} has no column left to learn from", source_));
}

void ColumnPlan::require_utf8_names() const {
  for (std::size_t c = 0; c < reader_.names().size(); ++c) {
    if (!is_utf8(reader_.names()[c]))
      throw FormatError(source_, reader_.reading().names_line,
                        fmt::format("the name of column {}, \"{}\", is not UTF-8, expected it: "
                                    "convert the file, for instance with iconv -f latin1 -t utf-8",
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

/// A table without names gives its features the numbers of its columns, so that the model
/// finds them in the same table again.
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

ColumnPlan::Use& ColumnPlan::claim(const std::string& column, const std::string& what) {
  Use& use = uses_[find_column(reader_, source_, column)];
  if (!use.what.empty() && use.what != what)
    throw InvalidInput(fmt::format("{}: column \"{}\" is {} and {}, expected one of them", source_,
                                   column, use.what, what));
  if (what == "ordinal" && !use.what.empty())
    throw InvalidInput(fmt::format("{}: column \"{}\" is ordinal twice", source_, column));
  use.what = what;
  return use;
}

/// The column that was named, or the one that the format sets apart.
void ColumnPlan::choose_target() {
  if (const auto own = reader_.target()) uses_[*own].is_feature = false;
  if (has_no_target(arguments_.kind)) return;
  if (!arguments_.target.empty()) {
    claim(arguments_.target, "the target").is_feature = false;
    target_ = find_column(reader_, source_, arguments_.target);
  } else if (reader_.target()) {
    target_ = reader_.target();
  } else {
    throw UsageError(
        "--target is missing, expected the column to learn (of an NPZ file: --y, its array)");
  }
}

void ColumnPlan::settle(TextColumns& cells, const std::vector<std::string>& target) {
  const std::vector<std::size_t> looked_at = columns();
  if (cells.front().empty())
    throw InvalidInput(fmt::format("{}: no rows, expected some to train on", source_));
  for (std::size_t i = 0; i < looked_at.size(); ++i) settle_column(looked_at[i], cells[i]);
  require_distinct_names();
  check_missing(target);
  if (columns().empty() && problems_.empty())
    problems_.push_back("no column is left to learn from (" +
                        fmt::format("{}", fmt::join(notes_, "; ")) + ")");
  if (!problems_.empty())
    throw InvalidInput(fmt::format("{}: {}", source_, fmt::join(problems_, "; ")));
  for (std::size_t i = looked_at.size(); i-- > 0;) {
    if (!uses_[looked_at[i]].is_feature)
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void ColumnPlan::settle_column(std::size_t column, const std::vector<std::string>& cells) {
  using Look = ColumnLook::Kind;
  Use& use = uses_[column];
  const std::vector<std::string> declared = reader_.levels(column);
  use.look = look_at_column(name_of(column), cells, declared);
  if (use.what.empty() && arguments_.categorical) {
    switch (use.look.kind) {
      case Look::numbers:
        if (use.look.counts_rows && cells.size() >= 20)
          notes_.push_back(fmt::format("{} just counts the rows: --drop {} if it is no feature",
                                       words(column), on_command_line(column)));
        break;
      case Look::levels:
        use.encoding.kind = has_categories(arguments_.distance) ? Kind::category : Kind::one_hot;
        use.encoding.levels = declared;
        break;
      case Look::mixed:
        problems_.push_back(fmt::format(
            "{} has text among its numbers, such as \"{}\" in row {}, expected numbers (--drop "
            "{}, or --one-hot {} where they are levels)",
            words(column), cells[*use.look.first_text], *use.look.first_text + 1,
            on_command_line(column), on_command_line(column)));
        break;
      case Look::identifier:
        leave_out(column,
                  fmt::format("looks like an identifier ({} different values)", use.look.different),
                  use.look.first_text ? "--one-hot" : "--numeric");
        break;
      case Look::dates:
        leave_out(column, "has dates, which are neither numbers nor levels", "--one-hot");
        break;
      case Look::free_text:
        leave_out(column,
                  fmt::format("has {} different texts, too many for levels", use.look.different),
                  "--one-hot");
        break;
      case Look::empty:
        leave_out(column, "has no value in any row", "");
        break;
    }
  } else if (is_numeric(use.encoding) && use.look.first_text) {
    problems_.push_back(
        fmt::format("{} is \"{}\" in row {}, expected a number, or that the column is declared "
                    "(--ordinal, --one-hot or --drop)",
                    words(column), cells[*use.look.first_text], *use.look.first_text + 1));
  }
  if (use.is_feature) check_levels(column, cells.size());
  if (!use.is_feature || is_numeric(use.encoding)) return;
  const auto foreign = std::ranges::find_if_not(cells, [](const auto& c) { return is_utf8(c); });
  if (foreign != cells.end())
    problems_.push_back(fmt::format(
        "{} is \"{}\" in row {}, which is not UTF-8, expected it (convert the file, for instance "
        "with iconv -f latin1 -t utf-8)",
        words(column), printable(*foreign), foreign - cells.begin() + 1));
}

void ColumnPlan::leave_out(std::size_t column, const std::string& why,
                           const std::string& otherwise) {
  uses_[column].is_feature = false;
  const std::string option =
      otherwise.empty() ? "" : fmt::format(" ({} {} takes it)", otherwise, on_command_line(column));
  notes_.push_back(fmt::format("{} {}: it is left out{}", words(column), why, option));
}

void ColumnPlan::check_levels(std::size_t column, std::size_t rows) {
  const Use& use = uses_[column];
  if (use.encoding.kind != Kind::one_hot) return;
  const std::size_t most =
      use.what == "one-hot" ? kMaxLevelCells / std::max<std::size_t>(rows, 1) : kMaxLevels;
  if (use.look.different <= most) return;
  problems_.push_back(fmt::format(
      "{} has {} levels, expected at most {}: each would become a feature of {} rows (--drop {}, "
      "or join rare levels in the file)",
      words(column), use.look.different, most, rows, on_command_line(column)));
}

void ColumnPlan::require_distinct_names() {
  if (!reader_.has_meaningful_names()) return;
  std::map<std::string, std::size_t> first;
  for (const std::size_t c : columns()) {
    const auto [entry, is_new] = first.try_emplace(reader_.names()[c], c);
    if (!is_new)
      problems_.push_back(fmt::format(
          "columns {} and {} are both named \"{}\", expected distinct names (--drop {}, here and "
          "with the other verbs, or rename one)",
          entry->second + 1, c + 1, reader_.names()[c], c + 1));
  }
}

void ColumnPlan::check_missing(const std::vector<std::string>& target) {
  if (arguments_.missing != MissingPolicy::error) return;
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
  if (!places.empty())
    problems_.push_back(fmt::format(
        "{} cell{} missing: {}, expected a value in every cell (--missing drop leaves such rows "
        "out, --missing median fills them in)",
        cells, cells == 1 ? " is" : "s are", fmt::join(places, ", ")));
  const auto lacking = static_cast<std::size_t>(
      std::ranges::count_if(target, [](const auto& cell) { return is_missing(cell); }));
  if (lacking > 0)
    problems_.push_back(fmt::format(
        "the target is missing in {} row{}, the first is row {}, expected a value in every row "
        "(--missing drop leaves them out)",
        lacking, lacking == 1 ? "" : "s",
        std::ranges::find_if(target, [](const auto& cell) { return is_missing(cell); }) -
            target.begin() + 1));
}

/// As an option would name the column.
std::string ColumnPlan::on_command_line(std::size_t column) const {
  const std::string name = name_of(column);
  if (name.empty() || std::ranges::count(reader_.names(), name) > 1)
    return fmt::format("{}", column + 1);
  const bool is_word = name.find_first_of(" \t\"'$`\\&|;<>()*?#!~") == std::string::npos;
  return is_word ? name : fmt::format("'{}'", name);
}

std::string ColumnPlan::summary() const {
  constexpr std::size_t kMaxNames = 12;
  std::vector<std::string> numbers, levels, others;
  for (std::size_t c = 0; c < uses_.size(); ++c) {
    const Use& use = uses_[c];
    const std::string name = name_of(c).empty() ? fmt::format("{}", c + 1) : name_of(c);
    if (!use.is_feature)
      others.push_back(target_ == c ? name + " (the target)" : name);
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
      names.push_back(fmt::format("... {} in all", all));
    }
    parts.push_back(fmt::format("{}: {}", what, fmt::join(names, ", ")));
  };
  add(numbers, "numbers");
  add(levels, "levels");
  add(others, "no features");
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace bisector::cli
