#include "bisector/train/training_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bisector/error.h"
#include "bisector/io/number_text.h"
#include "bisector/text.h"
#include "bisector/train/sample.h"
#include "bisector/train/targets.h"
#include "core/util/ascii.h"

namespace bisector {
namespace {

bool wants_numbers(const TrainingInputOptions& options) {
  return options.above || options.target == TargetKind::numbers;
}

void require_number_cells(const std::vector<std::string>& cells, const std::string& source) {
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (!parse_number_text(cells[r]) && !is_missing_number(cells[r]))
      throw FormatError(source, 0,
                        fmt::format("row {}: the target is {}, expected a number (--model svm "
                                    "and --model knn predict classes)",
                                    r + 1, in_quotes(cells[r])));
  }
}

std::vector<double> numbers_of(const std::vector<std::string>& cells) {
  std::vector<double> numbers;
  for (const auto& cell : cells) numbers.push_back(parse_number(cell).value());
  return numbers;
}

/// Different numbers, and whether one of them has decimals; nothing if a cell is text.
struct NumberCounts {
  std::size_t different = 0, rows = 0;
  bool has_decimals = false;
};

std::optional<NumberCounts> count_numbers(std::span<const std::string> cells) {
  NumberCounts counts;
  std::unordered_set<double> values;
  for (const std::string& cell : cells) {
    if (is_missing_number(cell)) continue;
    const auto number = parse_number_text(cell);
    if (!number) return std::nullopt;
    ++counts.rows;
    values.insert(*number);
    counts.has_decimals = counts.has_decimals || *number != std::floor(*number);
  }
  counts.different = values.size();
  return counts;
}

/// A different text in most rows is a name, not a class.
void require_few_texts(const std::vector<std::string>& cells, std::size_t most,
                       const std::string& source) {
  const std::unordered_set<std::string_view> values(cells.begin(), cells.end());
  if (values.size() <= most || 2 * values.size() <= cells.size()) return;
  throw InvalidInput(
      fmt::format("{}: the target has {} different texts in {} rows, too many for classes: use "
                  "--target COL for a column of classes or numbers",
                  source, values.size(), cells.size()));
}

/// Every number would be a class of its own.
void require_few_classes(const std::vector<std::string>& cells, const std::string& source) {
  constexpr std::size_t kMost = 20, kRowsPerClass = 5;
  const auto counts = count_numbers(cells);
  if (!counts) return require_few_texts(cells, kMost, source);
  if (counts->different <= kMost) return;
  if (!counts->has_decimals && counts->different * kRowsPerClass <= counts->rows) return;
  throw InvalidInput(
      fmt::format("{}: the target has {} different numbers, too many for classes: use --model krr "
                  "to predict the number, or --above median to predict whether it is above its "
                  "median",
                  source, counts->different));
}

void require_two_classes(const TrainingInputOptions& options,
                         const std::vector<std::string>& cells) {
  const auto differs = [&](const std::string& cell) { return cell != cells.front(); };
  if (cells.empty() || std::ranges::any_of(cells, differs)) return;
  throw InvalidInput(fmt::format(
      "the target has 1 value, {}, expected at least two classes (to detect outliers without a "
      "target, use --model oneclass --drop {})",
      in_quotes(cells.front()), options.columns.target.empty() ? "COL" : options.columns.target));
}

/// Makes the target of the cells, and records how.
void make_target(const TrainingInputOptions& options, TrainingInput& input) {
  const std::vector<std::string>& cells = input.table.target;
  if (options.target == TargetKind::none) return;
  if (options.above) {
    const std::vector<double> numbers = numbers_of(cells);
    input.learned.above = parse_threshold(*options.above, numbers);
    input.target = classes_above(numbers, *input.learned.above);
  } else if (options.target == TargetKind::numbers) {
    input.target = numbers_of(cells);
  } else if (options.positive) {
    ClassTarget classes = one_against_rest(cells, *options.positive);
    input.learned.positive = classes.labels[1];
    input.target = std::move(classes);
  } else {
    require_two_classes(options, cells);
    input.target = sorted_classes(cells);
  }
}

/// Notes classes such as "No" and "no", which may be one class.
void note_similar_classes(TrainingInput& input) {
  const auto* classes = std::get_if<ClassTarget>(&input.target);
  if (classes == nullptr) return;
  const std::vector<std::string>& labels = classes->labels;
  for (std::size_t a = 0; a < labels.size(); ++a) {
    for (std::size_t b = a + 1; b < labels.size(); ++b) {
      if (util::equals_ignoring_case(labels[a], labels[b]))
        input.notes.push_back(
            fmt::format("the classes {} and {} differ by capital letters only: if they are "
                        "the same class, correct the file",
                        in_quotes(labels[a]), in_quotes(labels[b])));
    }
  }
}

/// True if the column has one value for each class and one class for each value.
bool determines_classes(const std::vector<std::string>& cells,
                        const std::vector<std::string>& target) {
  std::unordered_map<std::string_view, std::string_view> class_of, value_of;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const std::string_view cell = trimmed_cell(cells[r]);
    if (is_missing(target[r])) continue;
    if (class_of.try_emplace(cell, target[r]).first->second != target[r]) return false;
    if (value_of.try_emplace(target[r], cell).first->second != cell) return false;
  }
  return true;
}

bool has_same_numbers(const std::vector<std::string>& cells,
                      const std::vector<std::string>& target) {
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (!is_missing(target[r]) && parse_number_text(cells[r]) != parse_number(target[r]))
      return false;
  }
  return true;
}

/// Notes columns that may be the target under another name: a model of them explains nothing.
void note_copies_of_target(const ColumnPlan& plan, const TextColumns& cells,
                           const std::vector<std::string>& target, bool is_number,
                           std::vector<std::string>& notes) {
  constexpr std::size_t kFewestRows = 10;  // with fewer rows it is chance
  if (target.size() < kFewestRows) return;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!(is_number ? has_same_numbers(cells[i], target) : determines_classes(cells[i], target)))
      continue;
    notes.push_back(fmt::format(
        "{} determines the target: it has {} (use --drop {} if it is not known "
        "before the target)",
        plan.words(plan.columns()[i]), is_number ? "the same numbers" : "one value for each class",
        plan.on_command_line(plan.columns()[i])));
  }
}

/// Adds the column names of the options, which identify a header line.
DataFormat format_of(const TrainingInputOptions& options) {
  DataFormat format = options.format;
  const ColumnPlanOptions& columns = options.columns;
  format.known_names.insert(format.known_names.end(), columns.dropped.begin(),
                            columns.dropped.end());
  for (const ColumnType& type : columns.types) format.known_names.push_back(type.column);
  if (!columns.target.empty()) format.known_names.push_back(columns.target);
  if (!parse_number(columns.target)) format.target_array = columns.target;
  std::erase_if(format.known_names, [](const std::string& name) { return parse_number(name); });
  return format;
}

/// The target column by name, or by number from one if the file has no names.
LearnedTarget learned_column(const DataReader& reader, std::optional<std::size_t> column) {
  LearnedTarget learned;
  if (!column || reader.target()) return learned;
  if (reader.has_meaningful_names())
    learned.column = reader.names()[*column];
  else
    learned.column = fmt::format("{}", *column + 1);
  return learned;
}

/// The cells of the features, and behind them those of the target, which are split off.
std::vector<std::string> take_target(TextColumns& cells) {
  std::vector<std::string> target;
  for (const auto& cell : cells.back()) target.emplace_back(trimmed_cell(cell));
  cells.pop_back();
  return target;
}

}  // namespace

TargetKind detect_target(std::span<const std::string> cells) {
  constexpr std::size_t kMostClasses = 20;
  const auto counts = count_numbers(cells);
  if (!counts || look_at_column("", cells).is_code) return TargetKind::classes;
  const bool is_measured = counts->has_decimals && counts->different > 2;
  return is_measured || counts->different > kMostClasses ? TargetKind::numbers
                                                         : TargetKind::classes;
}

TrainingInput read_training_input(const std::filesystem::path& path,
                                  const TrainingInputOptions& options) {
  const std::string source = path.string();
  const auto reader = open_data(path, format_of(options));
  ColumnPlan plan(*reader, source, options.columns);
  ColumnSelection selection{{}, plan.columns()};
  if (plan.target()) selection.text.push_back(*plan.target());
  reader->select(std::move(selection));
  TextColumns cells = read_all(*reader).text;
  std::vector<std::string> target;
  if (plan.target()) target = take_target(cells);
  TrainingInputOptions resolved = options;
  if (options.target == TargetKind::automatic)
    resolved.target =
        options.positive || options.above ? TargetKind::classes : detect_target(target);
  std::optional<std::string> format_note;
  if (wants_numbers(resolved)) {
    require_number_cells(target, source);
    const ColumnLook look = look_at_column("", target);
    if (look.first_unit && look.other_unit)
      throw FormatError(source, 0,
                        fmt::format("the target is {} in row {} and {} in row {}, expected all of "
                                    "them in one unit",
                                    in_quotes(target[*look.first_unit]), *look.first_unit + 1,
                                    in_quotes(target[*look.other_unit]), *look.other_unit + 1));
    format_note = note_of_format("the target", look, target);
    make_numbers_plain(target, look.unit);
  } else if (resolved.target == TargetKind::classes && !options.positive) {
    require_few_classes(target, source);
  }
  plan.resolve(cells, target);
  TrainingInput input{
      training_table(plan.encodings(), cells, target, options.columns.missing, source),
      {},
      learned_column(*reader, plan.target()),
      source,
      reader->reading().summary,
      plan.summary(),
      reader->reading().notes};
  input.notes.insert(input.notes.end(), plan.notes().begin(), plan.notes().end());
  if (format_note) input.notes.push_back(*format_note);
  note_copies_of_target(plan, cells, target, wants_numbers(resolved), input.notes);
  try {
    make_target(resolved, input);
    note_similar_classes(input);
  } catch (const FormatError&) {
    throw;
  } catch (const InvalidInput& problem) {
    throw InvalidInput(fmt::format("{}: {}", source, problem.what()));
  }
  return input;
}

TrainingInput rows_of(const TrainingInput& input, std::span<const std::size_t> rows) {
  const TrainingTable& all = input.table;
  TrainingTable table{
      gather_rows(all.rows, rows), {}, all.feature_names, all.encoding, all.dropped};
  for (const std::size_t row : rows) table.row_numbers.push_back(all.row_numbers[row]);
  for (std::size_t r = 0; r < rows.size() && !all.target.empty(); ++r)
    table.target.push_back(all.target[rows[r]]);
  return {std::move(table), target_of_rows(input.target, rows),
          input.learned,    input.source,
          input.reading,    input.columns,
          input.notes};
}

}  // namespace bisector
