#include "cli/writers/describe_data.h"

#include <fmt/format.h>

#include <numeric>

#include "bisector/io/column_look.h"
#include "bisector/text.h"
#include "cli/writers/json_text.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kMaxRows = 100'000;

struct Described {
  std::size_t rows = 0;
  bool is_all = true;
  std::vector<std::string> names;  // empty if a column has none
  std::vector<ColumnLook> looks;
};

/// The role of a column, or the kind of its cells.
std::string role(const DataReader& reader, std::size_t column, const ColumnLook& look) {
  if (reader.target() == column) return "target";
  if (reader.index() == column) return "row numbers";
  return kind_name(look.kind);
}

Described look_at(DataReader& reader) {
  Described result;
  ColumnSelection selection;
  selection.text.resize(reader.columns());
  std::iota(selection.text.begin(), selection.text.end(), std::size_t{0});
  reader.select(std::move(selection));
  const DataChunk chunk = reader.read(kMaxRows);
  result.rows = chunk.rows();
  result.is_all = reader.read(1).rows() == 0;
  for (std::size_t c = 0; c < reader.columns(); ++c) {
    result.names.push_back(c < reader.names().size() ? printable(reader.names()[c]) : "");
    result.looks.push_back(look_at_column(result.names[c], chunk.text[c]));
  }
  return result;
}

Json json_of(const std::filesystem::path& path, const DataReader& reader, const Described& data) {
  Json columns = Json::array();
  for (std::size_t c = 0; c < data.looks.size(); ++c)
    columns.push_back({{"column", c + 1},
                       {"name", data.names[c]},
                       {"looks_like", role(reader, c, data.looks[c])},
                       {"different", data.looks[c].different},
                       {"missing", data.looks[c].missing}});
  return {{"file", path.string()},           {"format", reader.reading().summary},
          {"notes", reader.reading().notes}, {"rows", data.rows},
          {"all_rows", data.is_all},         {"columns", std::move(columns)}};
}

}  // namespace

std::string data_description(const std::filesystem::path& path, const DataFormat& format,
                             bool json) {
  const auto reader = open_data(path, format);
  const Described data = look_at(*reader);
  if (json) return json_text(json_of(path, *reader, data)) + '\n';
  std::string text = fmt::format("{}: {}\n", path.string(), reader->reading().summary);
  for (const std::string& note : reader->reading().notes) text += fmt::format("note: {}\n", note);
  text += fmt::format("{}{} rows, {} columns\n\n{:>6}  {:<24} {:<22} {:>9} {:>8}\n",
                      data.is_all ? "" : "the first ", data.rows, data.looks.size(), "column",
                      "name", "looks like", "different", "missing");
  for (std::size_t c = 0; c < data.looks.size(); ++c)
    text += fmt::format("{:>6}  {:<24} {:<22} {:>9} {:>8}\n", c + 1, data.names[c],
                        role(*reader, c, data.looks[c]), data.looks[c].different,
                        data.looks[c].missing);
  return text;
}

}  // namespace bisector::cli
