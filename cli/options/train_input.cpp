#include "cli/options/train_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "bisector/error.h"
#include "bisector/text.h"
#include "bisector/train/sample.h"
#include "bisector/train/targets.h"
#include "cli/options/column_plan.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

bool wants_numbers(const TrainArguments& arguments) {
  return arguments.above || arguments.kind == ModelKind::svr ||
         arguments.kind == ModelKind::ridge || arguments.kind == ModelKind::neighbor_regressor;
}

void require_numbers(const std::vector<std::string>& cells, const std::string& source) {
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (!parse_number(cells[r]) && !is_missing(cells[r]))
      throw FormatError(
          source, 0,
          fmt::format("row {}: the target is \"{}\", expected a number (--model svm and knn learn "
                      "classes)",
                      r + 1, cells[r]));
  }
}

Target target_of(const TrainArguments& arguments, const std::vector<std::string>& cells) {
  if (has_no_target(arguments.kind)) return {};
  if (!wants_numbers(arguments))
    return arguments.positive ? one_against_rest(cells, *arguments.positive)
                              : sorted_classes(cells);
  std::vector<double> numbers;
  for (const auto& cell : cells) numbers.push_back(parse_number(cell).value());
  if (!arguments.above) return numbers;
  return classes_above(numbers, parse_threshold(*arguments.above, numbers));
}

/// What score and report have to know of the target, beside the model's labels.
LearnedTarget learned_target(const TrainArguments& arguments, const DataReader& reader,
                             std::optional<std::size_t> column, const TrainingInput& input) {
  LearnedTarget learned;
  if (column && reader.has_meaningful_names()) learned.column = reader.names()[*column];
  if (arguments.positive) learned.positive = std::get<ClassTarget>(input.target).labels[1];
  if (!arguments.above) return learned;
  std::vector<double> numbers;
  for (const auto& cell : input.table.target) numbers.push_back(parse_number(cell).value());
  learned.above = parse_threshold(*arguments.above, numbers);
  return learned;
}

/// Names that the options use, by which a first row shows itself as names.
DataFormat format_of(const TrainArguments& arguments) {
  DataFormat format = arguments.input.format;
  for (const auto* names :
       {&arguments.input.dropped, &arguments.one_hot, &arguments.category, &arguments.numeric})
    format.known_names.insert(format.known_names.end(), names->begin(), names->end());
  if (!arguments.target.empty()) format.known_names.push_back(arguments.target);
  std::erase_if(format.known_names, [](const std::string& name) { return parse_number(name); });
  return format;
}

void write_notes(const DataReader& reader, const ColumnPlan& plan, const std::string& source,
                 const TrainingTable& table, std::ostream& notes) {
  if (!reader.reading().summary.empty())
    notes << fmt::format("read: {}: {}\n", source, printable(reader.reading().summary));
  notes << fmt::format(
      "read: {} rows{}; {}\n", table.rows.rows(),
      table.dropped == 0 ? "" : fmt::format(" ({} left out for missing values)", table.dropped),
      printable(plan.summary()));
  for (const auto* sentences : {&reader.reading().notes, &plan.notes()}) {
    for (const std::string& sentence : *sentences)
      notes << fmt::format("note: {}: {}\n", source, printable(sentence));
  }
}

}  // namespace

TrainingInput read_training_input(const TrainArguments& arguments, std::ostream& notes) {
  const std::string source = arguments.input.data.string();
  const auto reader = open_data(arguments.input.data, format_of(arguments));
  ColumnPlan plan(*reader, arguments);
  ColumnSelection selection{{}, plan.columns()};
  if (plan.target()) selection.text.push_back(*plan.target());
  reader->select(std::move(selection));
  TextColumns cells = read_all(*reader).text;
  std::vector<std::string> target;
  if (plan.target()) {
    for (const auto& cell : cells.back()) target.emplace_back(trimmed_cell(cell));
    cells.pop_back();
    if (wants_numbers(arguments)) require_numbers(target, source);
  }
  plan.settle(cells, target);
  TrainingInput input{
      training_table(plan.encodings(), cells, target, arguments.missing, source), {}, {}};
  try {
    input.target = target_of(arguments, input.table.target);
  } catch (const FormatError&) {
    throw;
  } catch (const InvalidInput& problem) {
    throw InvalidInput(fmt::format("{}: {}", source, problem.what()));
  }
  input.learned = learned_target(arguments, *reader, plan.target(), input);
  write_notes(*reader, plan, source, input.table, notes);
  return input;
}

TrainingInput rows_of(const TrainingInput& input, std::span<const std::size_t> rows) {
  const TrainingTable& table = input.table;
  TrainingInput some{{Matrix(rows.size(), table.rows.cols()),
                      {},
                      table.feature_names,
                      table.encoding,
                      table.dropped},
                     target_of_rows(input.target, rows),
                     input.learned};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::ranges::copy(table.rows.row(rows[r]), some.table.rows.row(r).begin());
    if (!table.target.empty()) some.table.target.push_back(table.target[rows[r]]);
  }
  return some;
}

}  // namespace bisector::cli
