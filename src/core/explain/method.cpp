#include "bisector/method.h"

#include <fmt/format.h>

#include <concepts>

#include "bisector/error.h"

namespace bisector {
namespace {

template <class... M>
std::vector<Method> defaults_of(const std::variant<M...>*) {
  return {M{}...};
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

/// Sets a parameter that `member` finds in some methods; at least one of these must be among them.
template <class Value, class Member>
void set(std::span<Method> methods, std::string_view parameter, const std::optional<Value>& value,
         const Member& member) {
  const auto set_in = [&](auto& own) {
    constexpr bool has_member = std::invocable<const Member&, decltype(own)>;
    if constexpr (has_member) member(own) = *value;
    return has_member;
  };
  if (!value) return;
  std::vector<std::string_view> given, users;
  bool is_set = false;
  for (Method& method : methods) {
    given.push_back(name(method));
    is_set |= std::visit(set_in, method);
  }
  if (is_set) return;
  for (Method other : all_methods()) {
    if (std::visit(set_in, other)) users.push_back(name(other));
  }
  throw InvalidInput(fmt::format("{} was given with {}{}, expected {}", parameter,
                                 given.empty() ? "no method" : "method ", fmt::join(given, ", "),
                                 fmt::join(users, " or ")));
}

}  // namespace

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = defaults_of(static_cast<const Method*>(nullptr));
  return methods;
}

std::string_view name(const Method& method) {
  return std::visit([](const auto& own) { return own.kName; }, method);
}

std::string_view name(ReferenceSide side) {
  switch (side) {
    case ReferenceSide::all:
      return "all";
    case ReferenceSide::other:
      return "other";
    case ReferenceSide::both:
      break;
  }
  return "both";
}

std::string_view name(View view) { return view == View::model ? "model" : "data"; }

std::vector<Method> methods_from_names(std::span<const std::string_view> names,
                                       const MethodParameters& p) {
  std::vector<Method> methods;
  for (const std::string_view wanted : names) methods.push_back(default_method(wanted));
  set(methods, "eta", p.eta, [](auto& m) -> decltype((m.eta)) { return m.eta; });
  const auto in_responsibilities = [&](std::string_view parameter, const auto& value, auto member) {
    set(methods, parameter, value, [member](auto& m) -> decltype((m.responsibilities.*member)) {
      return m.responsibilities.*member;
    });
  };
  in_responsibilities("beta", p.beta, &Responsibilities::beta);
  in_responsibilities("kappa", p.kappa, &Responsibilities::kappa);
  in_responsibilities("ignoring the intercept", p.ignore_intercept,
                      &Responsibilities::ignore_intercept);
  set(methods, "path steps", p.path_steps, [](PathRule& m) -> std::size_t& { return m.steps; });
  set(methods, "references", p.references,
      [](auto& m) -> decltype((m.references)) { return m.references; });
  set(methods, "a side of references", p.side,
      [](auto& m) -> decltype((m.side)) { return m.side; });
  set(methods, "a share of the neighborhood rule", p.neighborhood,
      [](auto& m) -> decltype((m.neighborhood)) { return m.neighborhood; });
  set(methods, "a view", p.view, [](auto& m) -> decltype((m.view)) { return m.view; });
  set(methods, "steps", p.steps, [](IntegratedGradients& m) -> std::size_t& { return m.steps; });
  set(methods, "sequences", p.sequences,
      [](auto& m) -> decltype((m.sequences)) { return m.sequences; });
  set(methods, "a seed", p.seed, [](auto& m) -> decltype((m.seed)) { return m.seed; });
  set(methods, "an output", p.output, [](auto& m) -> decltype((m.output)) { return m.output; });
  return methods;
}

Method method_from_name(std::string_view wanted, const MethodParameters& parameters) {
  const bool sets_rule =
      parameters.eta || parameters.beta || parameters.kappa || parameters.ignore_intercept;
  if (wanted.empty()) wanted = sets_rule ? EtaRule::kName : Auto::kName;
  return methods_from_names({&wanted, 1}, parameters).front();
}

}  // namespace bisector
