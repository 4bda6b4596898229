#include "io/bundle/bundle_measured.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "bisector/error.h"

namespace bisector::io {
namespace {

using Json = nlohmann::json;
using Fail = std::function<void(const std::string&)>;

constexpr std::array kSides = {ReferenceSide::all, ReferenceSide::other, ReferenceSide::both};
constexpr std::array kViews = {View::model, View::data};

/// Calls use(name, member) for every parameter that a measured method may have.
template <class Use>
void for_each_number(const Use& use) {
  using P = MethodParameters;
  use("eta", &P::eta);
  use("beta", &P::beta);
  use("kappa", &P::kappa);
  use("path_steps", &P::path_steps);
  use("references", &P::references);
  use("neighborhood", &P::neighborhood);
  use("seed", &P::seed);
  use("steps", &P::steps);
  use("sequences", &P::sequences);
  use("ignore_intercept", &P::ignore_intercept);
}

template <class Choices>
auto choice(const Json& value, const Choices& choices, const char* what, const Fail& fail) {
  for (const auto candidate : choices) {
    if (value == std::string(name(candidate))) return candidate;
  }
  fail(std::string("measured: the ") + what + " is not one that there is");
  return choices.front();
}

template <class T>
void parse_number(const Json& parameters, const char* key, std::optional<T>& out,
                  const Fail& fail) {
  if (!parameters.contains(key)) return;
  const Json& value = parameters[key];
  const bool fits = std::is_same_v<T, bool>     ? value.is_boolean()
                    : std::is_same_v<T, double> ? value.is_number()
                                                : value.is_number_unsigned();
  if (!fits) fail(std::string("measured: parameter ") + key + " is not a number of its kind");
  out = value.get<T>();
}

MethodParameters parse_parameters(const Json& value, const Fail& fail) {
  MethodParameters parameters;
  if (!value.is_object()) fail("measured: the parameters are not an object");
  for_each_number(
      [&](const char* key, auto member) { parse_number(value, key, parameters.*member, fail); });
  if (value.contains("side")) parameters.side = choice(value["side"], kSides, "side", fail);
  return parameters;
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
  const MethodParameters given = parameters_of(measured.method);
  for_each_number([&](const char* key, auto member) {
    if (given.*member) parameters[key] = *(given.*member);
  });
  if (given.side) parameters["side"] = name(*given.side);
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
  measured.view = choice(value["view"], kViews, "view", fail);
  measured.rows = value["rows"];
  for (const Json& figure : value["figures"])
    measured.figures.push_back(parse_figure(figure, fail));
  return measured;
}

}  // namespace bisector::io
