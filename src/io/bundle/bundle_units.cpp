#include "io/bundle/bundle_units.h"

#include <nlohmann/json.hpp>

namespace bisector::io {

nlohmann::ordered_json unit_scales_json(const std::vector<UnitScale>& scales) {
  auto list = nlohmann::ordered_json::array();
  for (const UnitScale& own : scales)
    list.push_back({{"positive", own.positive},
                    {"negative", own.negative},
                    {"mean", own.mean},
                    {"scale", own.scale},
                    {"limit", own.limit}});
  return list;
}

std::vector<UnitScale> parse_unit_scales(const nlohmann::json& value,
                                         const std::function<void(const std::string&)>& fail) {
  if (!value.is_array()) fail("unit_scales is not a list");
  std::vector<UnitScale> scales;
  for (const nlohmann::json& own : value) {
    const auto is_count = [&](const char* key) {
      return own.contains(key) && own[key].is_number_unsigned();
    };
    const auto is_number = [&](const char* key) {
      return own.contains(key) && own[key].is_number();
    };
    if (!own.is_object() || !is_count("positive") || !is_count("negative") || !is_number("mean") ||
        !is_number("scale") || !is_number("limit"))
      fail("unit_scales: an entry lacks positive, negative, mean, scale or limit");
    scales.push_back({own["positive"].get<std::size_t>(), own["negative"].get<std::size_t>(),
                      own["mean"].get<double>(), own["scale"].get<double>(),
                      own["limit"].get<double>()});
  }
  return scales;
}

}  // namespace bisector::io
