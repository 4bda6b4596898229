#include "common/dataset_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bisector/error.h"

namespace bisector::paper {
namespace {

DatasetInfo info_of(const nlohmann::json& json) {
  DatasetInfo info;
  info.id = json.at("id");
  info.name = json.at("name");
  info.file = json.at("file");
  info.sha256 = json.at("sha256");
  info.address = json.at("address");
  info.license = json.at("license");
  info.note = json.value("note", "");
  if (json.contains("header")) info.header = json.at("header").get<bool>();
  info.columns = json.value("columns", info.columns);
  info.rows_after = json.value("rows_after", "");
  info.target = json.value("target", "");
  if (json.contains("positive")) info.positive = json.at("positive");
  if (json.contains("above")) info.above = json.at("above");
  info.drop = json.value("drop", info.drop);
  info.ordinal = json.value("ordinal", info.ordinal);
  info.one_hot = json.value("one_hot", info.one_hot);
  if (json.value("missing", "error") == "median") info.missing = MissingPolicy::median;
  for (const auto& part : json.value("arrays", nlohmann::json::array()))
    info.arrays.push_back({part.at("rows"), part.at("target")});
  info.is_image = json.value("image", false);
  info.is_extra = json.value("extra", false);
  const auto& paper = json.at("paper");
  info.same_data = paper.value("same_data", true);
  info.gamma = paper.at("gamma");
  // The JSON library would silently convert a negative or real number.
  info.k = paper.at("k").is_number_unsigned() ? paper.at("k").get<std::size_t>() : 0;
  info.published = paper.value("row", info.id);
  return info;
}

/// Copying JSON recurses, so its depth is limited.
nlohmann::json parse_shallow(std::string_view text, std::string_view source) {
  constexpr int kDeepest = 8;
  const auto limit_depth = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > kDeepest)
      throw FormatError(source, 0,
                        fmt::format("nested over {} levels deep, expected less", kDeepest));
    return true;
  };
  nlohmann::json json = nlohmann::json::parse(text, limit_depth, false);
  if (!json.is_object()) throw FormatError(source, 0, "not a JSON object");
  return json;
}

bool is_below(const std::filesystem::path& path) {
  return !path.empty() && path.is_relative() && std::ranges::find(path, "..") == path.end();
}

void require_usable(const DatasetInfo& info, std::string_view source) {
  if (!is_below(info.file))
    throw FormatError(source, 0, "the file has a path that leaves the data folder");
  if (!(info.gamma > 0.0)) throw FormatError(source, 0, "gamma is not above 0");
  if (info.k == 0) throw FormatError(source, 0, "k is not a whole number from 1 up");
}

}  // namespace

DatasetInfo parse_dataset_info(std::string_view text, std::string_view source) {
  const nlohmann::json json = parse_shallow(text, source);
  try {
    DatasetInfo info = info_of(json);
    require_usable(info, source);
    return info;
  } catch (const nlohmann::json::exception&) {
    // The library's own messages would quote the text.
    throw FormatError(source, 0, "a part of the description is missing or of another type");
  }
}

}  // namespace bisector::paper
