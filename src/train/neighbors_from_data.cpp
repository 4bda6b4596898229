#include "bisector/train/neighbors_from_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "bisector/error.h"
#include "io/text/cells.h"

namespace bisector {

using namespace io;

namespace {

std::size_t target_column(const DataReader& reader, const std::string& source,
                          const std::string& target) {
  if (!target.empty()) return find_column(reader, source, target);
  if (const auto own = reader.target()) return *own;
  throw InvalidInput(fmt::format("{}: --target is missing: name the label column", source));
}

std::vector<std::size_t> feature_columns(const DataReader& reader, const std::string& source,
                                         std::size_t target,
                                         const std::vector<std::string>& dropped) {
  std::vector<bool> is_left_out(reader.columns(), false);
  is_left_out[target] = true;
  // The format's own target is not a feature, even if another column is the target.
  if (const auto own = reader.target()) is_left_out[*own] = true;
  for (const auto& column : dropped) is_left_out[find_column(reader, source, column)] = true;
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < reader.columns(); ++column) {
    if (!is_left_out[column]) columns.push_back(column);
  }
  return columns;
}

/// All labels as numbers, or nothing if one of them is text.
std::optional<std::vector<double>> as_numbers(const std::vector<std::string>& labels) {
  std::vector<double> numbers;
  for (const auto& label : labels) {
    const auto number = cell_number(label);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number + 0.0);  // so that -0 is 0
  }
  return numbers;
}

struct Classes {
  std::vector<std::string> labels;     // in order
  std::vector<std::size_t> of_points;  // into labels
};

/// The distinct values in sorted order.
template <class Value>
Classes ordered_classes(const std::vector<Value>& values) {
  std::map<Value, std::size_t> index;
  for (const Value& value : values) index.emplace(value, 0);
  Classes classes;
  for (auto& [value, position] : index) {
    position = classes.labels.size();
    classes.labels.push_back(fmt::format("{}", value));
  }
  for (const Value& value : values) classes.of_points.push_back(index.at(value));
  return classes;
}

Classes find_classes(const std::vector<std::string>& labels) {
  if (const auto numbers = as_numbers(labels)) return ordered_classes(*numbers);
  return ordered_classes(labels);
}

}  // namespace

Model neighbors_from_data(DataReader& reader, const std::string& source, const std::string& target,
                          std::size_t k, const std::vector<std::string>& dropped) {
  const std::size_t labels = target_column(reader, source, target);
  const std::vector<std::size_t> features = feature_columns(reader, source, labels, dropped);
  std::vector<std::string> names;
  LearnedTarget learned;
  if (reader.has_meaningful_names()) {
    learned.column = reader.names()[labels];
    for (const std::size_t column : features) names.push_back(reader.names()[column]);
  }
  reader.select({features, {labels}});
  DataChunk rows = read_all(reader);
  Classes classes = find_classes(rows.text[0]);
  std::vector<std::size_t> all(rows.numbers.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  try {
    return Model(NeighborModel(std::move(rows.numbers), std::move(classes.of_points),
                               std::move(classes.labels), k),
                 {}, std::move(names))
        .with_target(std::move(learned))
        .with_training_rows(std::move(all));
  } catch (const InvalidModel& problem) {
    throw InvalidInput(fmt::format("{}: {}", source, problem.what()));
  }
}

}  // namespace bisector
