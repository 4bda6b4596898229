#include "io/bundle/bundle_training.h"

#include <nlohmann/json.hpp>

namespace bisector::io {

nlohmann::ordered_json training_json(const TrainingRecord& record) {
  nlohmann::ordered_json json = {
      {"data", record.data}, {"rows", record.rows}, {"parameters", record.parameters}};
  if (!record.score.empty()) json["score"] = record.score;
  return json;
}

TrainingRecord parse_training(const nlohmann::json& value,
                              const std::function<void(const std::string&)>& fail) {
  if (!value.is_object()) fail("training is not an object");
  for (const char* const text : {"data", "parameters", "score"}) {
    if (value.contains(text) && !value[text].is_string())
      fail(std::string("training: ") + text + " is not text");
  }
  if (value.contains("rows") && !value["rows"].is_number_unsigned())
    fail("training: rows is not a count");
  return {value.value("data", std::string()), value.value("rows", std::size_t{0}),
          value.value("parameters", std::string()), value.value("score", std::string())};
}

}  // namespace bisector::io
