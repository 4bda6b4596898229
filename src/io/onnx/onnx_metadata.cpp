#include "io/onnx/onnx_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/common/limits.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector::io {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const OnnxGraph& graph, std::string_view key, std::string_view problem) {
  graph.fail(fmt::format("metadata {}: {}", key, problem));
}

std::optional<double> read_number(const OnnxGraph& graph, std::string_view key) {
  const auto text = graph.metadata(key);
  if (!text) return std::nullopt;
  const auto number = parse_finite(*text);
  if (!number) fail(graph, key, fmt::format("{}, expected a finite number", shown(*text)));
  return number;
}

std::vector<std::string> read_names(const OnnxGraph& graph) {
  const auto text = graph.metadata(kOnnxFeatureNames);
  if (!text) return {};
  if (text->size() > graph.limits().max_metadata_bytes)
    fail(graph, kOnnxFeatureNames,
         fmt::format("{} bytes, expected at most {} (limit metadata-bytes)", text->size(),
                     graph.limits().max_metadata_bytes));
  const auto is_flat = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 1) fail(graph, kOnnxFeatureNames, "expected a plain list of texts");
    return true;
  };
  const Json names = Json::parse(*text, is_flat, false);
  const auto is_text = [](const Json& name) { return name.is_string(); };
  if (!names.is_array() || !std::ranges::all_of(names, is_text))
    fail(graph, kOnnxFeatureNames, "expected a JSON list of texts");
  return names.get<std::vector<std::string>>();
}

}  // namespace

OnnxMetadata read_onnx_metadata(const OnnxGraph& graph) {
  return {read_names(graph), read_number(graph, kOnnxTargetMean),
          read_number(graph, kOnnxMedianDistance)};
}

}  // namespace bisector::io
