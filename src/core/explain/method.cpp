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

/// Sets a parameter that `member` finds in some methods.
template <class Value, class Member>
void set(Method& method, std::string_view parameter, const std::optional<Value>& value,
         const Member& member) {
  const auto set_in = [&](auto& own) {
    constexpr bool has_member = std::invocable<const Member&, decltype(own)>;
    if constexpr (has_member) member(own) = *value;
    return has_member;
  };
  if (!value || std::visit(set_in, method)) return;
  std::vector<std::string_view> users;
  for (Method other : all_methods()) {
    if (std::visit(set_in, other)) users.push_back(name(other));
  }
  throw InvalidInput(fmt::format("{} was given with method {}, expected {}", parameter,
                                 name(method), fmt::join(users, " or ")));
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

Method method_from_name(std::string_view wanted, const MethodParameters& p) {
  const bool sets_rule = p.eta || p.beta || p.kappa || p.ignore_intercept;
  if (wanted.empty()) wanted = sets_rule ? EtaRule::kName : Auto::kName;
  std::vector<std::string_view> known;
  for (Method method : all_methods()) {
    known.push_back(name(method));
    if (name(method) != wanted) continue;
    set(method, "eta", p.eta, [](auto& m) -> decltype((m.eta)) { return m.eta; });
    const auto in_responsibilities = [&](std::string_view parameter, const auto& value,
                                         auto member) {
      set(method, parameter, value, [member](auto& m) -> decltype((m.responsibilities.*member)) {
        return m.responsibilities.*member;
      });
    };
    in_responsibilities("beta", p.beta, &Responsibilities::beta);
    in_responsibilities("kappa", p.kappa, &Responsibilities::kappa);
    in_responsibilities("ignoring the intercept", p.ignore_intercept,
                        &Responsibilities::ignore_intercept);
    set(method, "path steps", p.path_steps, [](PathRule& m) -> std::size_t& { return m.steps; });
    set(method, "references", p.references,
        [](auto& m) -> decltype((m.references)) { return m.references; });
    set(method, "a side of references", p.side,
        [](auto& m) -> decltype((m.side)) { return m.side; });
    set(method, "a share of the neighborhood rule", p.neighborhood,
        [](auto& m) -> decltype((m.neighborhood)) { return m.neighborhood; });
    set(method, "a view", p.view, [](auto& m) -> decltype((m.view)) { return m.view; });
    set(method, "steps", p.steps, [](IntegratedGradients& m) -> std::size_t& { return m.steps; });
    set(method, "sequences", p.sequences,
        [](auto& m) -> decltype((m.sequences)) { return m.sequences; });
    set(method, "a seed", p.seed, [](auto& m) -> decltype((m.seed)) { return m.seed; });
    set(method, "an output", p.output, [](auto& m) -> decltype((m.output)) { return m.output; });
    return method;
  }
  throw InvalidInput(
      fmt::format("no method \"{}\", expected one of {}", wanted, fmt::join(known, ", ")));
}

}  // namespace bisector
