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
#include "tools/sha256.h"

namespace bisector::paper {
namespace {

/// How a column of the table is read.
ColumnEncoding plan_column(const DatasetInfo& info, const std::string& name,
                           const std::string& number, bool is_text, bool named) {
  ColumnEncoding column{.name = named ? name : ""};
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

Dataset load_table(const DatasetInfo& info, const std::filesystem::path& path) {
  DataFormat format;
  if (info.header) format.header = *info.header ? DataFormat::Header::yes : DataFormat::Header::no;
  const std::unique_ptr<DataReader> reader = open_data(path, format);
  const std::size_t target = find_column(*reader, path.string(), info.target);
  std::vector<std::size_t> dropped{target}, kept;
  for (const std::string& column : info.drop)
    dropped.push_back(find_column(*reader, path.string(), column));
  for (std::size_t c = 0; c < reader->columns(); ++c) {
    if (std::ranges::find(dropped, c) == dropped.end()) kept.push_back(c);
  }
  std::vector<std::size_t> wanted = kept;
  wanted.push_back(target);
  reader->select({{}, wanted});
  TextColumns cells = read_all(*reader).text;
  const std::vector<std::string> values = cells.back();
  cells.pop_back();

  std::vector<ColumnEncoding> plan;
  const std::vector<std::string>& names = info.columns.empty() ? reader->names() : info.columns;
  const bool named = reader->has_meaningful_names() || !info.columns.empty();
  for (std::size_t c = 0; c < kept.size(); ++c) {
    const std::string name = named ? names.at(kept[c]) : "";
    const bool is_text = !parse_number(cells[c].front());
    plan.push_back(plan_column(info, name, std::to_string(kept[c] + 1), is_text, named));
  }
  TrainingTable table = training_table(plan, cells, values, info.missing, path.string());
  return {info, std::move(table.rows), classes_of(info, table.target), numbers_of(table.target),
          std::move(table.feature_names)};
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

std::vector<DatasetInfo> described(bool is_outside) {
  std::vector<DatasetInfo> infos;
  for (const std::string_view text : embedded_descriptions()) {
    infos.push_back(parse_dataset_info(text, "dataset description"));
    if (infos.back().is_outside != is_outside) infos.pop_back();
  }
  // The paper sorts by name; an extra follows the row that it is compared with.
  std::ranges::sort(infos,
                    [](const DatasetInfo& a, const DatasetInfo& b) { return a.name < b.name; });
  return infos;
}

}  // namespace

std::vector<DatasetInfo> dataset_infos() { return described(false); }
std::vector<DatasetInfo> outside_dataset_infos() { return described(true); }

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
