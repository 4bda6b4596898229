// Small helpers for JSON that is written row by row.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::cli {

using Json = nlohmann::ordered_json;

/// JSON text in one line. Bytes that are no UTF-8, as an old file's labels may have, become U+FFFD.
inline std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What a model is: kind, classes, number of points, gamma or k.
Json model_json(const Model& model);
/// What a model learned; null where nobody said so.
Json target_json(const std::optional<LearnedTarget>& target);
/// What an explainer settled on; what does not apply to the model is null.
Json settings_json(const ExplainSettings& settings);
/// A point of the model, counted from one; null for the intercept's virtual point.
Json member_json(PoolMember member);
Json evidence_json(const Evidence& evidence);

/// A number, or null where it is infinite or missing.
Json number_json(std::optional<double> value);

}  // namespace bisector::cli
