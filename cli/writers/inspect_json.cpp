#include "cli/verbs/inspect.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/json_text.h"

namespace bisector::cli {
namespace {

Json matrix_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    const auto row = matrix.row(r);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

Json preprocessing_json(const AffineMap& map) {
  if (map.is_identity()) return nullptr;
  return {{"shift", map.shift()},
          {"scale", map.scale()},
          {"matrix", map.has_matrix() ? matrix_json(map.matrix()) : Json(nullptr)},
          {"offset", map.offset()}};
}

Json pool_json(const PoolFacts& pool) {
  return {{"name", pool.name}, {"points", pool.points}, {"intercept", pool.has_intercept}};
}

Json whole_model_json(const Inspection& inspection) {
  const ModelSummary summary = inspection.model.summary();
  Json json = model_json(inspection.model);
  json["feature_names"] = inspection.features.empty() ? Json(nullptr) : Json(inspection.features);
  Json counts = Json::array();
  for (const PointCount& count : summary.points)
    counts.push_back({{"of", count.of}, {"count", count.count}});
  json["point_counts"] = counts;
  json["intercepts"] = summary.intercepts;
  json["description"] = summary.description;
  json["probabilities"] = inspection.has_probabilities;
  json["columns"] = inspection.model.encoding() ? Json(inspection.model.encoding()->column_names())
                                                : Json(nullptr);
  json["target"] = target_json(inspection.model.target());
  json["preprocessing"] = preprocessing_json(inspection.model.input());
  return json;
}

Json pools_json(const Inspection& inspection) {
  const auto pools = pools_of(inspection.model, inspection.settings);
  if (!pools) return nullptr;  // they follow the prediction
  return {{"positive", pool_json(pools->positive)}, {"negative", pool_json(pools->negative)}};
}

Json members_json(const std::vector<PoolMember>& members) {
  Json list = Json::array();
  for (const PoolMember member : members) list.push_back(member_json(member));
  return list;
}

Json network_json(const Model& model, const NetworkAtRow& at) {
  const Explanation& e = at.explanation;
  Json json = {{"source", at.source}, {"row", at.row}};
  const auto labels = model.labels();
  json["prediction"] =
      model.is_regressor() ? number_json(e.value[0]) : Json(labels[e.prediction[0]]);
  json["positive_class"] = model.is_regressor() ? Json(nullptr) : Json(labels[e.positive[0]]);
  json["negative_class"] = model.is_regressor() ? Json(nullptr) : Json(labels[e.negative[0]]);
  json["decision"] = number_json(e.decision[0]);
  json["tie"] = static_cast<bool>(e.tie[0]);
  json["g"] = number_json(at.network.g);
  json["positive"] = members_json(at.network.positive);
  json["negative"] = members_json(at.network.negative);
  json["positive_weights"] = at.network.positive_weights;
  json["negative_weights"] = at.network.negative_weights;
  json["detection"] = matrix_json(at.network.detection);
  json["hidden"] = at.network.hidden;
  json["evidence"] = Json::array();
  for (const Evidence& pair : at.evidence) json["evidence"].push_back(evidence_json(model, pair));
  return json;
}

}  // namespace

std::string inspection_json(const Inspection& inspection) {
  Json json = {{"source", inspection.source}};
  json["model"] = whole_model_json(inspection);
  json["pools"] = pools_json(inspection);
  json["settings"] = settings_json(inspection.settings);
  if (inspection.network) json["network"] = network_json(inspection.model, *inspection.network);
  return json_text(json) + '\n';
}

}  // namespace bisector::cli
