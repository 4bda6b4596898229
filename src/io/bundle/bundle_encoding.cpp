#include "io/bundle/bundle_encoding.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace bisector::io {
namespace {

using Json = nlohmann::json;
using Fail = std::function<void(const std::string&)>;

/// In the order of ColumnEncoding::Kind.
constexpr std::array<std::string_view, 4> kKinds = {"numeric", "ordinal", "one_hot", "category"};

bool is_text_array(const Json& value) {
  if (!value.is_array()) return false;
  for (const Json& item : value) {
    if (!item.is_string()) return false;
  }
  return true;
}

ColumnEncoding::Kind parse_kind(const Json& column, const std::string& place, const Fail& fail) {
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    if (column.contains("kind") && column["kind"] == kKinds[k])
      return static_cast<ColumnEncoding::Kind>(k);
  }
  fail(place + ": the kind is none of numeric, ordinal, one_hot, category");
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
    value["kind"] = kKinds[static_cast<std::size_t>(column.kind)];
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
