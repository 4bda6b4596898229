#include "cli/writers/json_text.h"

#include <cmath>

#include "cli/writers/describe_model.h"

namespace bisector::cli {

Json number_json(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json model_json(const Model& model) {
  Json json = {{"kind", std::string(model.kind())}, {"features", model.features()}};
  json["points"] = model.shared_points().rows();
  json["classes"] = model.labels();
  const Kernel* kernel = model.kernel();
  json["gamma"] = kernel ? Json(kernel->terms()[0].gamma) : Json(nullptr);
  const std::optional<std::size_t> k = model.summary().k;
  json["k"] = k ? Json(*k) : Json(nullptr);
  return json;
}

Json target_json(const std::optional<LearnedTarget>& target) {
  if (!target) return nullptr;
  return {{"column", target->column.empty() ? Json(nullptr) : Json(target->column)},
          {"above", number_json(target->above)},
          {"positive", target->positive ? Json(*target->positive) : Json(nullptr)}};
}

Json settings_json(const ExplainSettings& settings) {
  const auto name = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json json = {{"method", settings.method}, {"reason", settings.reason}};
  json["unit"] = std::string(bisector::name(settings.unit));
  for (const auto& [parameter, value] : settings.parameters)
    std::visit([&](const auto& held) { json[parameter] = held; }, value.held());
  json["level"] = number_json(settings.level);
  json["reference"] = settings.reference;
  json["reference_name"] = settings.reference_name;
  json["median_distance"] = number_json(settings.median_distance);
  json["positive"] = name(settings.positive);
  json["negative"] = name(settings.negative);
  return json;
}

Json member_json(PoolMember member) { return member ? Json(*member + 1) : Json(nullptr); }

Json evidence_json(const Model& model, const Evidence& evidence) {
  Json json = {{"positive", member_json(evidence.positive)},
               {"negative", member_json(evidence.negative)}};
  if (const auto& rows = model.training_rows(); !rows.empty()) {
    const auto row_of = [&](PoolMember member) {
      return member_json(member ? PoolMember(rows[*member]) : member);
    };
    json["positive_row"] = row_of(evidence.positive);
    json["negative_row"] = row_of(evidence.negative);
  }
  json["weight"] = evidence.weight;
  json["activation"] = number_json(evidence.activation);
  json["relevance"] = evidence.relevance;
  return json;
}

}  // namespace bisector::cli
