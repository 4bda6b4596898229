#include "io/bundle/bundle_target.h"

#include <nlohmann/json.hpp>

namespace bisector::io {

nlohmann::ordered_json target_json(const LearnedTarget& target) {
  auto json = nlohmann::ordered_json::object();
  if (!target.column.empty()) json["column"] = target.column;
  if (target.above) json["above"] = *target.above;
  if (target.positive) json["positive"] = *target.positive;
  return json;
}

LearnedTarget parse_target(const nlohmann::json& value,
                           const std::function<void(const std::string&)>& fail) {
  if (!value.is_object()) fail("target is not an object");
  LearnedTarget target;
  for (const char* text : {"column", "positive"}) {
    if (value.contains(text) && !value[text].is_string())
      fail(std::string("target: ") + text + " is not text");
  }
  if (value.contains("above") && !value["above"].is_number()) fail("target: above is not a number");
  target.column = value.value("column", std::string());
  if (value.contains("above")) target.above = value["above"].get<double>();
  if (value.contains("positive")) target.positive = value["positive"].get<std::string>();
  return target;
}

}  // namespace bisector::io
