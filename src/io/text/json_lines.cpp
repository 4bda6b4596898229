#include "io/text/text_formats.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "io/common/memory_source.h"

namespace bisector::io {
namespace {

using Json = nlohmann::ordered_json;

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The cell in quotes, so that any text is one cell.
std::string quoted(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

class JsonTable {
 public:
  explicit JsonTable(std::string source) : source_(std::move(source)) {}

  void add(const Json& object, std::size_t line) {
    if (!object.is_object())
      throw FormatError(
          source_, line,
          fmt::format("a JSON {}, expected an object such as {{\"a\": 1}}", object.type_name()));
    std::vector<std::string> row(names_.size());
    for (const auto& [name, value] : object.items()) {
      const auto [entry, is_new] = columns_.try_emplace(name, names_.size());
      if (is_new) {
        names_.push_back(name);
        row.emplace_back();
      }
      row[entry->second] = cell_of(value);
    }
    rows_.push_back(std::move(row));
  }

  /// The rows as CSV, with the names in the first row.
  std::string csv() const {
    std::string text = line_of(names_);
    for (const auto& row : rows_) text += line_of(row);
    return text;
  }
  bool is_empty() const { return names_.empty(); }

 private:
  std::string line_of(const std::vector<std::string>& cells) const {
    std::string line;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (c > 0) line += ',';
      line += quoted(c < cells.size() ? cells[c] : "");
    }
    return line + '\n';
  }

  std::string source_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<std::string>> rows_;
};

Json parse(std::string_view text, const std::string& source, std::size_t line) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw FormatError(source, line, "not valid JSON");
  return json;
}

}  // namespace

std::unique_ptr<DataReader> open_json(TextInput input) {
  const std::string source = input.source();
  JsonTable table(source);
  const bool is_array = input.head(1) == "[";
  if (is_array) {
    for (const Json& object : parse(input.take_rest(), source, 0)) table.add(object, 0);
  } else {
    for (InputLines lines(std::move(input)); lines.next();) {
      const std::string_view line = trimmed(lines.text());
      if (!line.empty()) table.add(parse(line, source, lines.number()), lines.number());
    }
  }
  if (table.is_empty()) throw FormatError(source, 0, "no columns, expected some");
  return open_converted_csv(TextInput(std::make_unique<MemorySource>(source, table.csv())), source,
                            is_array ? "JSON, an array of objects" : "JSON lines");
}

}  // namespace bisector::io
