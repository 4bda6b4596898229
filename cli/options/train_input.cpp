#include "cli/options/train_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "bisector/train/sample.h"
#include "bisector/train/targets.h"
#include "cli/verb.h"

namespace bisector::cli {
namespace {

using Kind = ColumnEncoding::Kind;

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

/// What every column of the file is for.
class ColumnPlan {
 public:
  ColumnPlan(const DataReader& reader, const TrainArguments& arguments)
      : reader_(reader), source_(arguments.input.data.string()), uses_(reader.columns()) {
    for (const auto& column : arguments.input.dropped) claim(column, "dropped").is_feature = false;
    choose_target(arguments);
    for (const auto& text : arguments.ordinal) {
      OrdinalText ordinal = parse_ordinal(text);
      ColumnEncoding& encoding = claim(ordinal.column, "ordinal").encoding;
      encoding.kind = Kind::ordinal;
      encoding.levels = std::move(ordinal.levels);
    }
    for (const auto& column : arguments.one_hot)
      claim(column, "one-hot").encoding.kind = Kind::one_hot;
    if (columns().empty())
      throw InvalidInput(fmt::format("{} has no column left to learn from", source_));
  }

  const std::optional<std::size_t>& target() const { return target_; }
  std::vector<std::size_t> columns() const {
    std::vector<std::size_t> result;
    for (std::size_t c = 0; c < uses_.size(); ++c) {
      if (uses_[c].is_feature) result.push_back(c);
    }
    return result;
  }
  std::vector<ColumnEncoding> encodings() const {
    std::vector<ColumnEncoding> result;
    for (const std::size_t c : columns()) {
      result.push_back(uses_[c].encoding);
      if (reader_.has_meaningful_names()) result.back().name = reader_.names()[c];
    }
    return result;
  }

 private:
  struct Use {
    std::string what;  // empty: a number, as nobody said anything
    bool is_feature = true;
    ColumnEncoding encoding = {};
  };

  Use& claim(const std::string& column, const std::string& what) {
    Use& use = uses_[find_column(reader_, source_, column)];
    if (!use.what.empty() && use.what != what)
      throw InvalidInput(fmt::format("{}: column \"{}\" is {} and {}, expected one of them",
                                     source_, column, use.what, what));
    if (what == "ordinal" && !use.what.empty())
      throw InvalidInput(fmt::format("{}: column \"{}\" is ordinal twice", source_, column));
    use.what = what;
    return use;
  }

  /// The column that was named, or the one that the format sets apart.
  void choose_target(const TrainArguments& arguments) {
    if (const auto own = reader_.target()) uses_[*own].is_feature = false;
    if (arguments.kind == ModelKind::one_class) return;
    if (!arguments.target.empty()) {
      claim(arguments.target, "the target").is_feature = false;
      target_ = find_column(reader_, source_, arguments.target);
    } else if (reader_.target()) {
      target_ = reader_.target();
    } else {
      throw UsageError("--target is missing, expected the column to learn");
    }
  }

  const DataReader& reader_;
  std::string source_;
  std::vector<Use> uses_;
  std::optional<std::size_t> target_;
};

bool wants_numbers(const TrainArguments& arguments) {
  return arguments.above || arguments.kind == ModelKind::svr || arguments.kind == ModelKind::ridge;
}

void require_numbers(const std::vector<std::string>& cells, const std::string& source) {
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (!parse_number(cells[r]) && !is_missing(cells[r]))
      throw FormatError(
          source, 0,
          fmt::format("row {}: the target is \"{}\", expected a number", r + 1, cells[r]));
  }
}

Target target_of(const TrainArguments& arguments, const std::vector<std::string>& cells) {
  if (arguments.kind == ModelKind::one_class) return {};
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

TrainingTable make_table(const TrainArguments& arguments, const ColumnPlan& plan,
                         const TextColumns& cells, const std::vector<std::string>& target) {
  try {
    return training_table(plan.encodings(), cells, target, arguments.missing,
                          arguments.input.data.string());
  } catch (const UndeclaredText& error) {
    throw InvalidInput(fmt::format("{} (--ordinal, --one-hot or --drop)", error.what()));
  }
}

}  // namespace

TrainingInput read_training_input(const TrainArguments& arguments) {
  const auto reader = open_data(arguments.input.data, arguments.input.format);
  const ColumnPlan plan(*reader, arguments);
  ColumnSelection selection{{}, plan.columns()};
  if (plan.target()) selection.text.push_back(*plan.target());
  reader->select(std::move(selection));
  TextColumns cells = read_all(*reader).text;
  std::vector<std::string> target;
  if (plan.target()) {
    for (const auto& cell : cells.back()) target.emplace_back(trimmed_cell(cell));
    cells.pop_back();
    if (wants_numbers(arguments)) require_numbers(target, arguments.input.data.string());
  }
  TrainingInput input{make_table(arguments, plan, cells, target), {}, {}};
  input.target = target_of(arguments, input.table.target);
  input.learned = learned_target(arguments, *reader, plan.target(), input);
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
