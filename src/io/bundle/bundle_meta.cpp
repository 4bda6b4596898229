#include "io/bundle/bundle_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <nlohmann/json.hpp>
#include <utility>

#include "bisector/error.h"
#include "bisector/method_table.h"

namespace bisector::io {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

enum class Need { optional, required };

// Each structure lists its members once, for the reader and the writer.
template <class Archive>
void members(Archive&& archive, auto& column) requires requires {
  column.levels;
}
{
  archive("name", column.name);
  archive("kind", column.kind, Need::required);
  archive("levels", column.levels);
  archive("fill", column.fill);
  archive("format", column.format);
}
template <class Archive>
void members(Archive&& archive, auto& figure) requires requires {
  figure.aufc;
}
{
  archive("name", figure.name, Need::required);
  archive("aufc", figure.aufc, Need::required);
  archive("standard_error", figure.standard_error, Need::required);
}
template <class Archive>
void members(Archive&& archive, auto& target) requires requires {
  target.above;
}
{
  archive("column", target.column);
  archive("above", target.above);
  archive("positive", target.positive);
}
template <class Archive>
void members(Archive&& archive, auto& unit) requires requires {
  unit.scale;
}
{
  archive("positive", unit.positive, Need::required);
  archive("negative", unit.negative, Need::required);
  archive("mean", unit.mean, Need::required);
  archive("scale", unit.scale, Need::required);
  archive("limit", unit.limit, Need::required);
}
template <class Archive>
void members(Archive&& archive, auto& background) requires requires {
  background.is_off_center;
}
{
  archive("is_off_center", background.is_off_center, Need::required);
  archive("median_distance", background.median_distance);
}
template <class Archive>
void members(Archive&& archive, auto& check) requires requires {
  check.rarest_class;
}
{
  archive("correlation", check.correlation);
  archive("rarest_class", check.rarest_class);
}
template <class Archive>
void members(Archive&& archive, auto& record) requires requires {
  record.data;
}
{
  archive("data", record.data);
  archive("rows", record.rows);
  archive("parameters", record.parameters);
  archive("score", record.score);
}

/// True if the JSON value has the type T.
template <class T>
bool holds(const Json& value) {
  if constexpr (kIsList<T>)
    return value.is_array() && std::ranges::all_of(value, holds<typename T::value_type>);
  else if constexpr (std::same_as<T, std::string>)
    return value.is_string();
  else if constexpr (std::same_as<T, double>)
    return value.is_number();
  else if constexpr (std::same_as<T, bool>)
    return value.is_boolean();
  else
    return value.is_number_unsigned();
}

template <class T>
constexpr const char* type_words() {
  if constexpr (std::same_as<T, std::string>) return "text";
  if constexpr (std::same_as<T, double>) return "a number";
  if constexpr (std::same_as<T, bool>) return "true or false";
  if constexpr (std::same_as<T, std::vector<std::string>>) return "a list of texts";
  if constexpr (std::same_as<T, std::vector<double>>) return "a list of numbers";
  return "a count";
}

/// Reads the members of a JSON object; `place` names the object in messages.
class MemberReader {
 public:
  MemberReader(const Json& object, std::string place, const MetaFail& fail)
      : object_(object), place_(std::move(place)), fail_(fail) {
    if (!object.is_object()) fail(place_ + " is not an object");
  }

  template <class T>
  void operator()(const char* key, T& value, Need need = Need::optional) const {
    if constexpr (kIsOptional<T>) {
      if (object_.contains(key)) (*this)(key, value.emplace());
    } else if constexpr (NamedEnum<T>) {
      const bool is_text = object_.contains(key) && object_[key].is_string();
      const auto found = enum_from_name<T>(is_text ? object_[key].get<std::string>() : "");
      if (!found) fail_(fmt::format("{}: {} is not one of {}", place_, key, enum_choices<T>()));
      value = found.value_or(T{});
    } else if (object_.contains(key)) {
      if (!holds<T>(object_[key]))
        fail_(fmt::format("{}: {} is not {}", place_, key, type_words<T>()));
      value = object_[key].get<T>();
    } else if (need == Need::required) {
      fail_(fmt::format("{}: {} is missing, expected {}", place_, key, type_words<T>()));
    }
  }

 private:
  const Json& object_;
  std::string place_;
  const MetaFail& fail_;
};

/// Writes members in their order; optional ones only if they have a value.
class MemberWriter {
 public:
  explicit MemberWriter(OrderedJson& object) : object_(object) {}

  template <class T>
  void operator()(const char* key, const T& value, Need need = Need::optional) const {
    if constexpr (kIsOptional<T>) {
      if (value) object_[key] = *value;
    } else if constexpr (NamedEnum<T>) {
      object_[key] = name(value);
    } else if constexpr (requires { value.empty(); }) {
      if (need == Need::required || !value.empty()) object_[key] = value;
    } else {
      object_[key] = value;
    }
  }

 private:
  OrderedJson& object_;
};

template <class T>
OrderedJson object_json(const T& value) {
  OrderedJson json = OrderedJson::object();
  members(MemberWriter(json), value);
  return json;
}
template <class T>
OrderedJson list_json(const std::vector<T>& values) {
  OrderedJson list = OrderedJson::array();
  for (const T& value : values) list.push_back(object_json(value));
  return list;
}

template <class T>
T parse_object(const Json& value, const std::string& place, const MetaFail& fail) {
  T result;
  members(MemberReader(value, place, fail), result);
  return result;
}
/// `one` names an element in messages: "column" gives "column 3".
template <class T>
std::vector<T> parse_list(const Json& list, const std::string& title, const std::string& one,
                          const MetaFail& fail) {
  if (!list.is_array()) fail(title + " is not a list");
  std::vector<T> result;
  for (const Json& value : list)
    result.push_back(parse_object<T>(value, fmt::format("{} {}", one, result.size() + 1), fail));
  return result;
}

/// The value of a parameter; method_from_name() checks its type and range.
ParameterValue parse_parameter(const Json& value, const MetaFail& fail) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) fail("measured: a parameter is not a number, a text or a boolean");
  return value.get<std::string>();
}

MethodParameters parse_parameters(const Json& value, const MetaFail& fail) {
  MethodParameters parameters;
  if (!value.is_object()) fail("measured: the parameters are not an object");
  for (const auto& [key, own] : value.items()) parameters.emplace(key, parse_parameter(own, fail));
  return parameters;
}

}  // namespace

OrderedJson encoding_json(const TableEncoding& encoding) { return list_json(encoding.columns()); }

TableEncoding parse_encoding(const Json& columns, const MetaFail& fail) {
  return TableEncoding(parse_list<ColumnEncoding>(columns, "columns", "column", fail));
}

OrderedJson measured_json(const MeasuredMethod& measured) {
  OrderedJson parameters = OrderedJson::object();
  for (const auto& [parameter, value] : parameters_of(measured.method))
    std::visit([&](const auto& held) { parameters[parameter] = held; }, value.held());
  return {{"method", name(measured.method)},
          {"parameters", parameters},
          {"view", name(measured.view)},
          {"rows", measured.rows},
          {"figures", list_json(measured.figures)}};
}

MeasuredMethod parse_measured(const Json& value, const MetaFail& fail) {
  const MemberReader read(value, "measured", fail);
  MeasuredMethod measured;
  std::string method;
  read("method", method, Need::required);
  read("view", measured.view, Need::required);
  read("rows", measured.rows, Need::required);
  measured.figures = parse_list<MeasuredMethod::Figure>(value.value("figures", Json()),
                                                        "measured: figures", "figure", fail);
  try {
    measured.method =
        method_from_name(method, parse_parameters(value.value("parameters", Json::object()), fail));
  } catch (const InvalidInput& error) {
    fail(std::string("measured: ") + error.what());
  }
  return measured;
}

OrderedJson target_json(const LearnedTarget& target) { return object_json(target); }

LearnedTarget parse_target(const Json& value, const MetaFail& fail) {
  return parse_object<LearnedTarget>(value, "target", fail);
}

OrderedJson unit_scales_json(const std::vector<UnitScale>& scales) { return list_json(scales); }

std::vector<UnitScale> parse_unit_scales(const Json& value, const MetaFail& fail) {
  return parse_list<UnitScale>(value, "unit_scales", "unit_scales: entry", fail);
}

OrderedJson background_json(const Background& background) { return object_json(background); }

Background parse_background(const Json& value, const MetaFail& fail) {
  return parse_object<Background>(value, "background", fail);
}

OrderedJson auto_check_json(const AutoCheck& check) { return object_json(check); }

AutoCheck parse_auto_check(const Json& value, const MetaFail& fail) {
  return parse_object<AutoCheck>(value, "auto", fail);
}

OrderedJson probabilities_json(const SvmProbabilities& probabilities) {
  return {{"a", probabilities.a()}, {"b", probabilities.b()}};
}

SvmProbabilities parse_probabilities(const Json& value, std::size_t classes, const MetaFail& fail) {
  const MemberReader read(value, "probabilities", fail);
  std::vector<double> a, b;
  read("a", a, Need::required);
  read("b", b, Need::required);
  return SvmProbabilities(classes, std::move(a), std::move(b));
}

OrderedJson training_json(const TrainingRecord& record) { return object_json(record); }

TrainingRecord parse_training(const Json& value, const MetaFail& fail) {
  return parse_object<TrainingRecord>(value, "training", fail);
}

}  // namespace bisector::io
