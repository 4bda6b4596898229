#include "cli/writers/result_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "cli/writers/describe_model.h"
#include "cli/writers/number.h"

namespace bisector::cli {
namespace {

MixedCell number_cell(double value) {
  MixedCell cell;
  append_number(cell.text, value);
  return cell;
}
MixedCell count_cell(std::optional<std::size_t> value) {
  return {value ? std::to_string(*value) : std::string()};
}

Column item(Column column) {
  column.is_item = true;
  return column;
}

/// The imputed columns of each row, if the model imputes missing values.
void add_imputed(Table& table, const ResultNames& names, const ModelChunk& chunk) {
  if (!names.values.imputes()) return;
  NamedCells cells;
  for (std::size_t r = 0; r < chunk.numbers.size(); ++r) {
    cells.lists.emplace_back();
    for (std::string& name : names.values.imputed_names(chunk.imputed, r))
      cells.lists.back().push_back({std::move(name)});
  }
  const auto tie = std::ranges::find(table.columns, "tie", &Column::name);
  table.columns.insert(tie + 1, {"imputed", std::move(cells)});
}

/// A value of a row as the user's table has it; nothing for a group of columns.
MixedCell value_cell(const RowValues& values, std::span<const double> row, std::size_t column) {
  return {values.text(row, column), values.has_value(column) && !values.is_number(column)};
}

/// Lines of the strongest features in the place of one number for each.
void rank_features(Table& table, std::size_t top, const ResultNames& names,
                   const ModelChunk& chunk) {
  const auto block = std::ranges::find(table.columns, "relevance", &Column::key);
  const Matrix relevance = std::get<Matrix>(std::move(block->cells));
  std::vector<std::size_t> features;
  std::vector<double> values;
  MixedCells cells;
  for (std::size_t r = 0; r < relevance.rows(); ++r) {
    for (const std::size_t d : strongest(relevance.row(r), top)) {
      features.push_back(d);
      values.push_back(relevance(r, d));
      cells.cells.push_back(value_cell(names.values, chunk.rows.row(r), d));
    }
    table.ends.push_back(values.size());
  }
  table.items = "relevance";
  const auto place = table.columns.erase(block);
  table.columns.insert(
      place, {item({"rank", Ranks()}), item({"feature", std::move(features), names.features}),
              item({"value", std::move(cells)}), item({"relevance", std::move(values)})});
}

/// Lines of the pairs of points with the largest influence.
void add_evidence(Table& table, const std::vector<std::vector<Evidence>>& rows,
                  const ResultNames& names) {
  const auto& training_rows = names.model.training_rows();
  MixedCells positive, negative, positive_row, negative_row, activation;
  std::vector<double> weight, relevance;
  const auto add = [&](MixedCells& points, MixedCells& of_rows, PoolMember member) {
    points.cells.push_back(count_cell(member ? PoolMember(*member + 1) : member));
    if (!training_rows.empty())
      of_rows.cells.push_back(count_cell(member ? PoolMember(training_rows[*member] + 1) : member));
  };
  for (const auto& pairs : rows) {
    for (const Evidence& pair : pairs) {
      add(positive, positive_row, pair.positive);
      add(negative, negative_row, pair.negative);
      weight.push_back(pair.weight);
      activation.cells.push_back(number_cell(pair.activation));
      relevance.insert(relevance.end(), pair.relevance.begin(), pair.relevance.end());
    }
    table.ends.push_back(weight.size());
  }
  table.items = "evidence";
  Matrix relevances(weight.size(), names.features->size(), std::move(relevance));
  const auto add_column = [&](Column column) { table.columns.push_back(item(std::move(column))); };
  add_column({"rank", Ranks()});
  add_column({"positive", std::move(positive)});
  add_column({"negative", std::move(negative)});
  if (!training_rows.empty()) {
    add_column({"positive_row", std::move(positive_row)});
    add_column({"negative_row", std::move(negative_row)});
  }
  add_column({"weight", std::move(weight)});
  add_column({"activation", std::move(activation)});
  add_column({"evidence of ", std::move(relevances), names.features, "relevance"});
}

}  // namespace

ResultNames::ResultNames(const Model& of, std::vector<std::string> features_of, RowValues values_of)
    : model(of),
      labels(of.is_regressor() ? nullptr : names_of(shown_labels(of))),
      features(names_of(std::move(features_of))),
      values(std::move(values_of)) {}

Table explanation_table(Explanation explanation, const ResultNames& names, const ModelChunk& chunk,
                        const ExplanationExtras& extras) {
  const std::size_t rows = explanation.output.size();
  Table table = table_of(std::move(explanation), names);
  add_imputed(table, names, chunk);
  if (extras.level) {
    const auto errors = std::ranges::find(table.columns, "standard_error", &Column::key);
    Column level{"level", std::vector<double>(rows, *extras.level)};
    level.is_detail = true;
    table.columns.insert(errors, std::move(level));
  }
  if (extras.top) rank_features(table, *extras.top, names, chunk);
  if (extras.evidence_count) add_evidence(table, extras.evidence, names);
  return table;
}

Table class_table(const ClassExplanations& all, const ResultNames& names, const ModelChunk& chunk) {
  const std::size_t rows = all.output.rows(), classes = names.labels->size();
  const std::size_t features = names.features->size();
  std::vector<std::size_t> own;
  std::vector<double> base;
  Matrix relevance(rows * classes, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < classes; ++c) {
      own.push_back(c);
      base.push_back(all.base[c]);
      std::ranges::copy(all.relevance[c].row(r), relevance.row(r * classes + c).begin());
    }
  }
  Table table{.items = "classes", .items_per_row = classes};
  table.columns = {item({"class", std::move(own), names.labels}),
                   item({"output", all.output.values()}),
                   item({"base", std::move(base)}),
                   item({"", std::move(relevance), names.features, "relevance"}),
                   item({"remainder", all.remainder.values()}),
                   {"outside", all.outside},
                   {"tie", all.tie}};
  table.columns[3].is_users = true;
  add_imputed(table, names, chunk);
  return table;
}

Table pair_table(PairRows rows, const ResultNames& names, const ModelChunk& chunk) {
  Table table{.items = "pairs"};
  std::vector<std::size_t> first, second;
  std::vector<double> values;
  for (const auto& pairs : rows.pairs) {
    for (const PairInteraction& pair : pairs) {
      first.push_back(pair.first);
      second.push_back(pair.second);
      values.push_back(pair.value);
    }
    table.ends.push_back(values.size());
  }
  if (names.labels != nullptr)
    table.columns = {{"class", std::move(rows.positive), names.labels},
                     {"versus", std::move(rows.negative), names.labels}};
  for (Column& column : std::vector<Column>{{"rank", Ranks()},
                                            {"first", std::move(first), names.features},
                                            {"second", std::move(second), names.features},
                                            {"interaction", std::move(values)}})
    table.columns.push_back(item(std::move(column)));
  table.columns.push_back({"outside", std::move(rows.outside)});
  table.columns.push_back({"tie", std::move(rows.tie)});
  add_imputed(table, names, chunk);
  return table;
}

Table all_pairs_table(Matrix values, const ResultNames& names) {
  return {.columns = {item({"", std::move(values), names.features, "interactions"})},
          .items = "features",
          .items_per_row = names.features->size()};
}

Table prediction_table(const Predictions& predictions, const ResultNames& names,
                       const PredictionColumns& columns, Matrix probabilities) {
  Table table;
  if (names.labels == nullptr) {
    std::vector<double> values(predictions.decisions.rows());
    for (std::size_t r = 0; r < values.size(); ++r) values[r] = predictions.decisions(r, 0);
    table.columns.push_back({"prediction", std::move(values)});
  } else {
    table.columns.push_back({"prediction", predictions.classes, names.labels});
  }
  if (columns.target) {
    table.columns.push_back({*columns.target, TargetCells(), nullptr, "target"});
    table.columns.back().is_users = true;
  }
  if (columns.decisions)
    table.columns.push_back({"", predictions.decisions, names_of(*columns.decisions), "decisions"});
  if (probabilities.cols() > 0)
    table.columns.push_back(
        {"probability ", std::move(probabilities), names.labels, "probabilities"});
  return table;
}

Table flip_table(const FlipRows& flips, const ResultNames& names, const ModelChunk& chunk) {
  Table table{.items = "flips"};
  std::vector<std::size_t> prediction, flipped;
  std::vector<double> value, flipped_value, distance, radius;
  MixedCells example, example_distance, values{.width = names.features->size()};
  NamedCells changed;
  for (std::size_t r = 0; r < flips.found.size(); ++r) {
    const RowFlips& found = flips.found[r];
    prediction.push_back(found.prediction);
    value.push_back(found.value);
    radius.push_back(found.radius);
    const bool has_example = found.example && *found.example < flips.examples.size();
    example.cells.push_back(has_example ? count_cell(flips.examples[*found.example]) : MixedCell());
    example_distance.cells.push_back(has_example ? number_cell(found.example_distance)
                                                 : MixedCell());
    for (const Flip& flip : found.flips) {
      flipped.push_back(flip.prediction);
      flipped_value.push_back(flip.value);
      distance.push_back(flip.distance);
      changed.lists.emplace_back();
      for (const std::size_t c : flip.changed)
        changed.lists.back().push_back(
            {(*names.features)[c], std::pair(value_cell(names.values, chunk.rows.row(r), c),
                                             value_cell(names.values, flip.row, c))});
      for (std::size_t c = 0; c < values.width; ++c)
        values.cells.push_back(value_cell(names.values, flip.row, c));
    }
    table.ends.push_back(distance.size());
  }
  const auto outcome = [&](std::string name, auto& classes, auto& numbers) {
    return names.labels == nullptr ? Column{std::move(name), std::move(numbers)}
                                   : Column{std::move(name), std::move(classes), names.labels};
  };
  table.columns = {outcome("prediction", prediction, value),
                   item({"answer", Ranks()}),
                   item(outcome("flipped", flipped, flipped_value)),
                   item({"distance", std::move(distance)}),
                   {"radius", std::move(radius)},
                   {"example", std::move(example)},
                   {"example_distance", std::move(example_distance)},
                   item({"changed", std::move(changed), nullptr, "changes"}),
                   {"outside", flips.outside},
                   {"tie", flips.tie}};
  table.columns[2].key = "prediction";
  table.columns[6].is_detail = true;
  add_imputed(table, names, chunk);
  table.columns.push_back(item({"", std::move(values), names.features, "values"}));
  table.columns.back().is_users = true;
  return table;
}

std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    const double left = std::abs(values[a]), right = std::abs(values[b]);
    return left != right ? left > right : a < b;
  });
  order.erase(end, order.end());
  return order;
}

}  // namespace bisector::cli
