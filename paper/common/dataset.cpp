#include "common/dataset.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "common/embedded.h"
#include "common/study_run.h"
#include "tools/sha256.h"

namespace bisector::paper {
namespace {

/// How a column of the table is read.
ColumnEncoding plan_column(const DatasetInfo& info, const std::string& name,
                           const std::string& number, bool is_text) {
  ColumnEncoding column{.name = name};
  const auto is_called = [&](const std::string& given) { return given == name || given == number; };
  if (std::ranges::any_of(info.one_hot, is_called)) {
    column.kind = ColumnEncoding::Kind::one_hot;
    return column;
  }
  for (const auto& [given, levels] : info.ordinal) {
    if (is_called(given) || (given == "*" && is_text && column.levels.empty())) {
      column.kind = ColumnEncoding::Kind::ordinal;
      column.levels = levels;
      if (given != "*") break;
    }
  }
  return column;
}

/// Nothing if one of them is not a number.
std::vector<double> numbers_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) {
    const auto number = parse_number(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

ClassTarget classes_of(const DatasetInfo& info, const std::vector<std::string>& values) {
  if (info.positive) return one_against_rest(values, *info.positive);
  if (!info.above) return sorted_classes(values);
  const std::vector<double> numbers = numbers_of(values);
  return classes_above(numbers, parse_threshold(*info.above, numbers));
}

/// Cells by column, and the names of the columns, if they have any.
struct Table {
  std::vector<std::string> names;
  TextColumns cells;

  std::size_t column(const DatasetInfo& info, const std::string& given) const {
    const auto found = std::ranges::find(names, given);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto number = parse_number(given);
    if (!number || *number < 1.0 || *number > static_cast<double>(cells.size()))
      throw FormatError(info.file, 0, fmt::format("no column \"{}\"", given));
    return static_cast<std::size_t>(*number) - 1;
  }
};

/// The rows below the line `rows_after` of a file in another format, such as ARFF.
TextColumns read_below(const DatasetInfo& info, const std::filesystem::path& path) {
  TextColumns cells(info.columns.size());
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line) && line != info.rows_after) continue;
  for (std::size_t row = 1; std::getline(in, line); ++row) {
    const std::vector<std::string> values = cells_of(line);
    if (values.size() != cells.size())
      throw FormatError(
          path.string(), 0,
          fmt::format("row {} has {} cells, expected {}", row, values.size(), cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c) cells[c].push_back(values[c]);
  }
  return cells;
}

Table read_table(const DatasetInfo& info, const std::filesystem::path& path) {
  if (!info.rows_after.empty()) return {info.columns, read_below(info, path)};
  DataFormat format;
  if (info.header) format.header = *info.header ? DataFormat::Header::yes : DataFormat::Header::no;
  const std::unique_ptr<DataReader> reader = open_data(path, format);
  ColumnSelection all;
  for (std::size_t c = 0; c < reader->columns(); ++c) all.text.push_back(c);
  reader->select(std::move(all));
  Table table{info.columns, read_all(*reader).text};
  if (table.names.empty() && reader->has_meaningful_names()) table.names = reader->names();
  return table;
}

Dataset load_table(const DatasetInfo& info, const std::filesystem::path& path) {
  const Table table = read_table(info, path);
  const std::size_t target = table.column(info, info.target);
  std::vector<std::size_t> dropped{target};
  for (const std::string& column : info.drop) dropped.push_back(table.column(info, column));
  std::vector<ColumnEncoding> plan;
  TextColumns kept;
  for (std::size_t c = 0; c < table.cells.size(); ++c) {
    if (std::ranges::find(dropped, c) != dropped.end()) continue;
    const std::string name = table.names.empty() ? "" : table.names.at(c);
    const bool is_text = !parse_number(table.cells[c].at(0));
    plan.push_back(plan_column(info, name, std::to_string(c + 1), is_text));
    kept.push_back(table.cells[c]);
  }
  TrainingTable rows = training_table(plan, kept, table.cells[target], info.missing, path.string());
  return {info, std::move(rows.rows), classes_of(info, rows.target), std::move(rows.feature_names)};
}

Dataset load_images(const DatasetInfo& info, const std::filesystem::path& path) {
  std::vector<double> pixels;
  std::vector<std::string> values;
  std::size_t features = 0;
  for (const auto& part : info.arrays) {
    DataFormat format;
    format.array = part.rows;
    const DataChunk images = read_all(*open_data(path, format));
    pixels.insert(pixels.end(), images.numbers.values().begin(), images.numbers.values().end());
    features = images.numbers.cols();
    format.array = part.target;
    const std::unique_ptr<DataReader> labels = open_data(path, format);
    labels->select({{}, {0}});
    const DataChunk column = read_all(*labels);
    values.insert(values.end(), column.text[0].begin(), column.text[0].end());
  }
  return {info, Matrix(values.size(), features, std::move(pixels)), classes_of(info, values)};
}

}  // namespace

std::vector<DatasetInfo> dataset_infos() {
  std::vector<DatasetInfo> infos;
  for (const std::string_view text : embedded_descriptions())
    infos.push_back(parse_dataset_info(text, "dataset description"));
  // The paper sorts by name; an extra follows the row that it is compared with.
  std::ranges::sort(infos,
                    [](const DatasetInfo& a, const DatasetInfo& b) { return a.name < b.name; });
  return infos;
}

std::vector<DatasetInfo> chosen_datasets(const std::vector<std::string>& ids) {
  std::vector<DatasetInfo> infos = dataset_infos();
  for (const std::string& id : ids) {
    if (std::ranges::find(infos, id, &DatasetInfo::id) != infos.end()) continue;
    std::string known;
    for (const DatasetInfo& info : infos) known += (known.empty() ? "" : ", ") + info.id;
    throw InvalidInput(fmt::format("no dataset \"{}\", expected one of {}", id, known));
  }
  if (!ids.empty())
    std::erase_if(infos, [&](const DatasetInfo& info) {
      return std::ranges::find(ids, info.id) == ids.end();
    });
  return infos;
}

std::filesystem::path location(const DatasetInfo& info, const std::filesystem::path& folder) {
  return folder / info.file;
}

bool has_expected_content(const DatasetInfo& info, const std::filesystem::path& folder) {
  std::ifstream in(location(info, folder), std::ios::binary);
  return tools::sha256(in) == info.sha256;
}

bool is_there(const DatasetInfo& info, const std::filesystem::path& folder, std::ostream& log) {
  const std::filesystem::path path = location(info, folder);
  if (!std::filesystem::exists(path)) {
    fmt::print(log, "{}: skipped, {} is not there; get it from {} ({})\n", info.name, path.string(),
               info.address, info.license);
    return false;
  }
  if (!has_expected_content(info, folder))
    fmt::print(log, "{}: {} differs from the file that the published results here were made with\n",
               info.name, path.string());
  return true;
}

Dataset load(const DatasetInfo& info, const std::filesystem::path& folder) {
  const std::filesystem::path path = location(info, folder);
  if (!std::filesystem::exists(path))
    throw FileError(fmt::format("{} is not there; get it from {} ({})", path.string(), info.address,
                                info.license));
  return info.arrays.empty() ? load_table(info, path) : load_images(info, path);
}

std::optional<double> published_aufc(const DatasetInfo& info, const std::string& kind,
                                     const std::string& method) {
  static const nlohmann::json table = nlohmann::json::parse(embedded_published());
  const auto& row = table.at(info.published).at(kind);
  if (!row.contains(method)) return std::nullopt;
  return row.at(method).get<double>();
}

}  // namespace bisector::paper
