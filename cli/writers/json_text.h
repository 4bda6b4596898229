// JSON of models and settings, and of rows that are written one by one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::cli {

using Json = nlohmann::ordered_json;

/// JSON on one line. Bytes that are not UTF-8 become U+FFFD.
inline std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Kind, classes, number of points, gamma or k of a model.
Json model_json(const Model& model);
/// The training target, null if it was not recorded.
Json target_json(const std::optional<LearnedTarget>& target);
/// The resolved options of an explainer; null for what the model does not have.
Json settings_json(const ExplainSettings& settings);
/// A point of the model, counted from one; null for the intercept's virtual point.
Json member_json(PoolMember member);
/// With the rows of the training table, counted from one, if the model knows them.
Json evidence_json(const Model& model, const Evidence& evidence);

/// A number, or null if it is infinite or missing.
Json number_json(std::optional<double> value);

}  // namespace bisector::cli
