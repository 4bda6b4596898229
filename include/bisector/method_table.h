// The table of methods: names, help and parameters with types, defaults and ranges, as front ends
// need them. The table is made from the descriptions in bisector/method.h.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/export.h"
#include "bisector/method.h"

namespace bisector {

/// The value of a parameter: a flag, a whole number, a number or the name of a choice.
class ParameterValue {
 public:
  using Held = std::variant<bool, std::uint64_t, double, std::string>;

  ParameterValue(bool flag) : held_(flag) {}
  template <std::integral T>
  ParameterValue(T count) : held_(std::uint64_t{0}) {
    if (std::cmp_less(count, 0))
      held_ = static_cast<double>(count);  // out of every range, and shown as it was given
    else
      held_ = static_cast<std::uint64_t>(count);
  }
  ParameterValue(double number) : held_(number) {}
  ParameterValue(std::string_view choice) : held_(std::string(choice)) {}
  ParameterValue(const char* choice) : held_(std::string(choice)) {}
  ParameterValue(const std::string& choice) : held_(choice) {}
  template <NamedEnum E>
  ParameterValue(E choice) : held_(std::string(name(choice))) {}

  const Held& held() const { return held_; }
  bool operator==(const ParameterValue&) const = default;

 private:
  Held held_;
};
BISECTOR_EXPORT std::string text(const ParameterValue& value);

/// Parameters by name; a parameter that is absent keeps its default.
using MethodParameters = std::map<std::string, ParameterValue, std::less<>>;

struct ParameterInfo : Parameter {
  enum class Type { flag, count, number, choice };
  Type type = Type::flag;
  std::vector<std::string_view> choices = {};
  std::optional<ParameterValue> default_value = {};  // none: what `automatic` states
};
/// The default as text.
BISECTOR_EXPORT std::string default_text(const ParameterInfo& parameter);
/// The expected values in words: "a number from 0 to 1", "all, other or both".
BISECTOR_EXPORT std::string expected_text(const ParameterInfo& parameter);
BISECTOR_EXPORT bool is_in_range(const ParameterInfo& parameter, const ParameterValue& value);
/// "flag", "count", "number" or "choice".
BISECTOR_EXPORT std::string_view name(ParameterInfo::Type type);

struct MethodInfo {
  std::string_view name, title, help, citation;
  std::vector<ParameterInfo> parameters;
};

/// One entry per method, in the order of all_methods().
BISECTOR_EXPORT const std::vector<MethodInfo>& method_table();
BISECTOR_EXPORT const MethodInfo& method_info(const Method& method);
/// Throws InvalidInput for an unknown name.
BISECTOR_EXPORT const MethodInfo& method_info(std::string_view name);

/// A parameter with everything that different methods say about it: one entry per name.
struct SharedParameter {
  ParameterInfo info;                     // of the first method that has it
  std::vector<std::string_view> methods;  // all methods that have it
  std::string help;  // "lrp, lrp-path: HELP (default: D); ig: HELP (default: D)"
};
BISECTOR_EXPORT const std::vector<SharedParameter>& parameter_table();

/// The table as Markdown, for the documentation.
BISECTOR_EXPORT std::string method_table_markdown();

/// All parameters of a method that have a value.
BISECTOR_EXPORT MethodParameters parameters_of(const Method& method);

/// An empty name means auto, or lrp if a parameter of lrp that auto lacks is given. Throws
/// InvalidInput for an unknown name, for a parameter that the method does not have, and for a value
/// outside the parameter's range.
BISECTOR_EXPORT Method method_from_name(std::string_view name,
                                        const MethodParameters& parameters = {});
/// Several methods: each parameter is set in the methods that have it. Throws InvalidInput if none
/// of them has it.
BISECTOR_EXPORT std::vector<Method> methods_from_names(std::span<const std::string_view> names,
                                                       const MethodParameters& parameters = {});
/// Throws InvalidInput if a parameter is outside its range.
BISECTOR_EXPORT void require_ranges(const Method& method);

}  // namespace bisector
