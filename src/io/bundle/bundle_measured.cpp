#include "io/bundle/bundle_measured.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "bisector/error.h"
#include "bisector/method_table.h"

namespace bisector::io {
namespace {

using Json = nlohmann::json;
using Fail = std::function<void(const std::string&)>;

/// The value of a parameter; method_from_name() checks its type and range.
ParameterValue parse_parameter(const Json& value, const Fail& fail) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) fail("measured: a parameter is not a number, a text or a boolean");
  return value.get<std::string>();
}

MethodParameters parse_parameters(const Json& value, const Fail& fail) {
  MethodParameters parameters;
  if (!value.is_object()) fail("measured: the parameters are not an object");
  for (const auto& [key, own] : value.items()) parameters.emplace(key, parse_parameter(own, fail));
  return parameters;
}

View parse_view(const Json& value, const Fail& fail) {
  const auto view = enum_from_name<View>(value.is_string() ? value.get<std::string>() : "");
  if (!view) fail("measured: the view is not " + enum_choices<View>());
  return view.value();
}

MeasuredMethod::Figure parse_figure(const Json& value, const Fail& fail) {
  const bool fits = value.is_object() && value.contains("name") && value["name"].is_string() &&
                    value.contains("aufc") && value["aufc"].is_number() &&
                    value.contains("standard_error") && value["standard_error"].is_number();
  if (!fits) fail("measured: a figure lacks its name, aufc or standard_error");
  return {value["name"], value["aufc"], value["standard_error"]};
}

}  // namespace

nlohmann::ordered_json measured_json(const MeasuredMethod& measured) {
  nlohmann::ordered_json json, parameters = nlohmann::ordered_json::object();
  for (const auto& [parameter, value] : parameters_of(measured.method))
    std::visit([&](const auto& held) { parameters[parameter] = held; }, value.held());
  json["method"] = name(measured.method);
  json["parameters"] = parameters;
  json["view"] = name(measured.view);
  json["rows"] = measured.rows;
  json["figures"] = nlohmann::ordered_json::array();
  for (const auto& [label, aufc, standard_error] : measured.figures)
    json["figures"].push_back(
        {{"name", label}, {"aufc", aufc}, {"standard_error", standard_error}});
  return json;
}

MeasuredMethod parse_measured(const Json& value, const Fail& fail) {
  const bool fits = value.is_object() && value.contains("method") && value["method"].is_string() &&
                    value.contains("view") && value.contains("rows") &&
                    value["rows"].is_number_unsigned() && value.contains("figures") &&
                    value["figures"].is_array();
  if (!fits) fail("measured: method, view, rows or figures are missing or of another kind");
  MeasuredMethod measured;
  try {
    measured.method =
        method_from_name(value["method"].get<std::string>(),
                         parse_parameters(value.value("parameters", Json::object()), fail));
  } catch (const InvalidInput& error) {
    fail(std::string("measured: ") + error.what());
  }
  measured.view = parse_view(value["view"], fail);
  measured.rows = value["rows"];
  for (const Json& figure : value["figures"])
    measured.figures.push_back(parse_figure(figure, fail));
  return measured;
}

}  // namespace bisector::io
