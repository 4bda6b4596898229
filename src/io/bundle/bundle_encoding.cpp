#include "io/bundle/bundle_encoding.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace bisector::io {
namespace {

using Json = nlohmann::json;
using Fail = std::function<void(const std::string&)>;

bool is_text_array(const Json& value) {
  if (!value.is_array()) return false;
  for (const Json& item : value) {
    if (!item.is_string()) return false;
  }
  return true;
}

ColumnEncoding::Kind parse_kind(const Json& column, const std::string& place, const Fail& fail) {
  if (column.contains("kind") && column["kind"].is_string()) {
    const auto kind = enum_from_name<ColumnEncoding::Kind>(column["kind"].get<std::string>());
    if (kind) return *kind;
  }
  fail(fmt::format("{}: the kind is not one of {}", place, enum_choices<ColumnEncoding::Kind>()));
  return {};
}

ColumnEncoding parse_column(const Json& value, const std::string& place, const Fail& fail) {
  if (!value.is_object()) fail(place + " is not an object");
  ColumnEncoding column;
  if (value.contains("name")) {
    if (!value["name"].is_string()) fail(place + ": the name is not text");
    column.name = value["name"].get<std::string>();
  }
  column.kind = parse_kind(value, place, fail);
  if (value.contains("levels")) {
    if (!is_text_array(value["levels"])) fail(place + ": the levels are not a list of texts");
    column.levels = value["levels"].get<std::vector<std::string>>();
  }
  if (value.contains("fill")) {
    if (!value["fill"].is_number()) fail(place + ": the fill is not a number");
    column.fill = value["fill"].get<double>();
  }
  return column;
}

}  // namespace

nlohmann::ordered_json encoding_json(const TableEncoding& encoding) {
  auto columns = nlohmann::ordered_json::array();
  for (const ColumnEncoding& column : encoding.columns()) {
    nlohmann::ordered_json value;
    if (!column.name.empty()) value["name"] = column.name;
    value["kind"] = name(column.kind);
    if (!column.levels.empty()) value["levels"] = column.levels;
    if (column.fill) value["fill"] = *column.fill;
    columns.push_back(std::move(value));
  }
  return columns;
}

TableEncoding parse_encoding(const Json& columns, const Fail& fail) {
  if (!columns.is_array()) fail("columns are not a list");
  std::vector<ColumnEncoding> parsed;
  for (std::size_t c = 0; c < columns.size(); ++c)
    parsed.push_back(parse_column(columns[c], fmt::format("column {}", c + 1), fail));
  return TableEncoding(std::move(parsed));
}

}  // namespace bisector::io
