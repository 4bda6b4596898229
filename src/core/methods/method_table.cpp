#include "bisector/method_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <type_traits>

#include "bisector/error.h"

namespace bisector {
namespace {

template <class... M>
std::vector<Method> defaults_of(const std::variant<M...>*) {
  return {M{}...};
}

template <class T>
struct Plain {
  using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using Type = T;
};
/// The type of a parameter's values, without std::optional.
template <class Member, class M>
using ValueOf = typename Plain<std::remove_cvref_t<std::invoke_result_t<const Member&, M&>>>::Type;

template <class T>
constexpr ParameterInfo::Type type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return ParameterInfo::Type::flag;
  else if constexpr (std::unsigned_integral<T>)
    return ParameterInfo::Type::count;
  else if constexpr (std::is_same_v<T, double>)
    return ParameterInfo::Type::number;
  else
    return ParameterInfo::Type::choice;
}

template <class T>
std::optional<ParameterValue> value_of(const T& member) {
  return ParameterValue(member);
}
template <class T>
std::optional<ParameterValue> value_of(const std::optional<T>& member) {
  return member ? value_of(*member) : std::nullopt;
}

template <class T>
ParameterInfo info_of(const Parameter& parameter, std::optional<ParameterValue> default_value) {
  ParameterInfo info{parameter, type_of<T>(), {}, std::move(default_value)};
  if constexpr (std::is_enum_v<T>) {
    for (const T value : enum_values<T>()) info.choices.push_back(name(value));
  }
  return info;
}

/// Calls use(description, member accessor) for every parameter of a method.
template <class M, class Use>
void for_each_parameter(const Use& use) {
  M::parameters(use);
}

template <class M>
MethodInfo describe(const M& method) {
  MethodInfo info{M::kName, M::kTitle, M::kHelp, M::kCitation, {}};
  for_each_parameter<M>([&](const Parameter& parameter, const auto& member) {
    using T = ValueOf<std::remove_cvref_t<decltype(member)>, const M>;
    info.parameters.push_back(info_of<T>(parameter, value_of(std::invoke(member, method))));
  });
  return info;
}

void require_range(const ParameterInfo& info, const ParameterValue& value) {
  if (is_in_range(info, value)) return;
  const bool is_text = std::holds_alternative<std::string>(value.held());
  throw InvalidInput(fmt::format("{} is {}{}{}, expected {}", info.name, is_text ? "\"" : "",
                                 text(value), is_text ? "\"" : "", expected_text(info)));
}

/// The value is in range.
template <class T>
T converted(const ParameterValue& value) {
  if constexpr (std::is_same_v<T, double>) {
    if (const auto* count = std::get_if<std::uint64_t>(&value.held()))
      return static_cast<double>(*count);
    return std::get<double>(value.held());
  } else if constexpr (std::is_same_v<T, bool>) {
    return std::get<bool>(value.held());
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(std::get<std::uint64_t>(value.held()));
  } else {
    return enum_from_name<T>(std::get<std::string>(value.held())).value();
  }
}

/// Sets a parameter by its name; false if the method does not have it.
bool set(Method& method, const std::string& wanted, const ParameterValue& value) {
  return std::visit(
      [&]<class M>(M& own) {
        bool is_set = false;
        for_each_parameter<M>([&](const Parameter& parameter, const auto& member) {
          if (parameter.name != wanted) return;
          using T = ValueOf<std::remove_cvref_t<decltype(member)>, M>;
          require_range(info_of<T>(parameter, {}), value);
          std::invoke(member, own) = converted<T>(value);
          is_set = true;
        });
        return is_set;
      },
      method);
}

Method default_method(std::string_view wanted) {
  std::vector<std::string_view> known;
  for (const Method& method : all_methods()) {
    if (name(method) == wanted) return method;
    known.push_back(name(method));
  }
  throw InvalidInput(
      fmt::format("no method \"{}\", expected one of {}", wanted, fmt::join(known, ", ")));
}

std::string listed(const std::vector<std::string_view>& words, std::string_view last) {
  if (words.size() < 2) return fmt::format("{}", fmt::join(words, ""));
  return fmt::format("{} {} {}", fmt::join(words.begin(), words.end() - 1, ", "), last,
                     words.back());
}

[[noreturn]] void refuse(const std::string& parameter, std::span<const std::string_view> methods) {
  for (const SharedParameter& known : parameter_table()) {
    if (known.info.name == parameter)
      throw InvalidInput(fmt::format(
          "{} is a parameter of {}{}{}", parameter, listed(known.methods, "and"),
          methods.empty() ? ", and no method is given" : ", not of ", fmt::join(methods, ", ")));
  }
  std::vector<std::string_view> known;
  for (const std::string_view method : methods) {
    for (const ParameterInfo& info : method_info(method).parameters) known.push_back(info.name);
  }
  throw InvalidInput(fmt::format("no method has a parameter \"{}\"{}", parameter,
                                 known.empty() ? "" : ", expected " + listed(known, "or")));
}

/// "HELP (default: D)" for each group of methods that say the same about a parameter.
std::string shared_help(std::string_view parameter) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> groups;
  for (const MethodInfo& method : method_table()) {
    for (const ParameterInfo& info : method.parameters) {
      if (info.name != parameter) continue;
      std::string help(info.help);
      if (info.type != ParameterInfo::Type::flag)
        help += fmt::format(" (default: {})", default_text(info));
      const auto same = std::ranges::find(groups, help, [](const auto& g) { return g.first; });
      if (same == groups.end())
        groups.push_back({help, {method.name}});
      else
        same->second.push_back(method.name);
    }
  }
  std::vector<std::string> texts;
  for (const auto& [help, methods] : groups)
    texts.push_back(fmt::format("{}: {}", fmt::join(methods, ", "), help));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::vector<SharedParameter> shared_parameters() {
  std::vector<SharedParameter> table;
  for (const MethodInfo& method : method_table()) {
    for (const ParameterInfo& info : method.parameters) {
      const auto known = std::ranges::find_if(
          table, [&](const SharedParameter& shared) { return shared.info.name == info.name; });
      if (known == table.end())
        table.push_back({info, {method.name}, shared_help(info.name)});
      else
        known->methods.push_back(method.name);
    }
  }
  return table;
}

}  // namespace

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = defaults_of(static_cast<const Method*>(nullptr));
  return methods;
}

std::string_view name(const Method& method) {
  return std::visit([](const auto& own) { return own.kName; }, method);
}

std::string_view name(ParameterInfo::Type type) {
  switch (type) {
    case ParameterInfo::Type::flag:
      return "flag";
    case ParameterInfo::Type::count:
      return "count";
    case ParameterInfo::Type::number:
      return "number";
    case ParameterInfo::Type::choice:
      return "choice";
  }
  return {};
}

std::string text(const ParameterValue& value) {
  return std::visit([](const auto& own) { return fmt::format("{}", own); }, value.held());
}

std::string default_text(const ParameterInfo& parameter) {
  return parameter.default_value ? text(*parameter.default_value)
                                 : std::string(parameter.automatic);
}

std::string expected_text(const ParameterInfo& parameter) {
  const char* const kind =
      parameter.type == ParameterInfo::Type::count ? "a whole number" : "a number";
  if (parameter.type == ParameterInfo::Type::flag) return "true or false";
  if (parameter.type == ParameterInfo::Type::choice) return listed(parameter.choices, "or");
  if (parameter.most < Parameter::kNoLimit)
    return fmt::format("{} from {} to {}", kind, parameter.least, parameter.most);
  if (parameter.least == Parameter::kAboveZero) return fmt::format("{} above 0", kind);
  return fmt::format("{} from {} up", kind, parameter.least);
}

const std::vector<MethodInfo>& method_table() {
  static const std::vector<MethodInfo> table = [] {
    std::vector<MethodInfo> made;
    for (const Method& method : all_methods())
      made.push_back(std::visit([](const auto& own) { return describe(own); }, method));
    return made;
  }();
  return table;
}

bool is_in_range(const ParameterInfo& info, const ParameterValue& value) {
  const auto is_between = [&](double number) {
    return number >= info.least && number <= info.most;  // false for NaN
  };
  const auto& held = value.held();
  switch (info.type) {
    case ParameterInfo::Type::flag:
      return std::holds_alternative<bool>(held);
    case ParameterInfo::Type::count:
      return std::holds_alternative<std::uint64_t>(held) &&
             is_between(static_cast<double>(std::get<std::uint64_t>(held)));
    case ParameterInfo::Type::number:
      if (const auto* count = std::get_if<std::uint64_t>(&held))
        return is_between(static_cast<double>(*count));
      return std::holds_alternative<double>(held) && is_between(std::get<double>(held));
    case ParameterInfo::Type::choice:
      return std::holds_alternative<std::string>(held) &&
             std::ranges::find(info.choices, std::get<std::string>(held)) != info.choices.end();
  }
  return false;
}

const MethodInfo& method_info(const Method& method) { return method_table()[method.index()]; }

const MethodInfo& method_info(std::string_view name) { return method_info(default_method(name)); }

const std::vector<SharedParameter>& parameter_table() {
  static const std::vector<SharedParameter> table = shared_parameters();
  return table;
}

std::string method_table_markdown() {
  std::string text =
      "| method | what it does | parameter | default | values | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const MethodInfo& method : method_table()) {
    std::string start = fmt::format("| `{}` | {}: {} ({}) |", method.name, method.title,
                                    method.help, method.citation);
    for (const ParameterInfo& info : method.parameters) {
      text += fmt::format("{} `{}` | {} | {} | {} |\n", start, info.name, default_text(info),
                          expected_text(info), info.help);
      start = "| | |";
    }
    if (method.parameters.empty()) text += start + " | | | |\n";
  }
  return text;
}

MethodParameters parameters_of(const Method& method) {
  MethodParameters parameters;
  std::visit(
      [&]<class M>(const M& own) {
        for_each_parameter<M>([&](const Parameter& parameter, const auto& member) {
          if (const auto value = value_of(std::invoke(member, own)))
            parameters.emplace(parameter.name, *value);
        });
      },
      method);
  return parameters;
}

std::vector<Method> methods_from_names(std::span<const std::string_view> names,
                                       const MethodParameters& given) {
  std::vector<Method> methods;
  for (const std::string_view wanted : names) methods.push_back(default_method(wanted));
  for (const auto& [parameter, value] : given) {
    bool is_set = false;
    for (Method& method : methods) is_set |= set(method, parameter, value);
    if (!is_set) refuse(parameter, names);
  }
  return methods;
}

Method method_from_name(std::string_view wanted, const MethodParameters& given) {
  const auto has = [](const Method& method, std::string_view parameter) {
    const auto& parameters = method_info(method).parameters;
    return std::ranges::find(parameters, parameter, &ParameterInfo::name) != parameters.end();
  };
  const bool sets_rule = std::ranges::any_of(given, [&](const auto& parameter) {
    return has(EtaRule{}, parameter.first) && !has(Auto{}, parameter.first);
  });
  if (wanted.empty()) wanted = sets_rule ? EtaRule::kName : Auto::kName;
  return methods_from_names({&wanted, 1}, given).front();
}

void require_ranges(const Method& method) {
  std::visit(
      [&]<class M>(const M& own) {
        for_each_parameter<M>([&](const Parameter& parameter, const auto& member) {
          using T = ValueOf<std::remove_cvref_t<decltype(member)>, const M>;
          if (const auto value = value_of(std::invoke(member, own)))
            require_range(info_of<T>(parameter, {}), *value);
        });
      },
      method);
}

}  // namespace bisector
