#include "bisector/method.h"

#include <fmt/format.h>

#include <concepts>

#include "bisector/error.h"

namespace bisector {
namespace {

template <class M>
concept LrpMethod = requires(M& method) {
  method.responsibilities;
};

template <class... M>
std::vector<Method> defaults_of(const std::variant<M...>*) {
  return {M{}...};
}

/// Calls use(words, member of MethodParameters, function that finds it in a method) for each.
template <class Use>
void for_each_parameter(const Use& use) {
  using P = MethodParameters;
  const auto of_rule = [](auto member) {
    return [member](auto& m) -> decltype((m.responsibilities.*member)) {
      return m.responsibilities.*member;
    };
  };
  use("eta", &P::eta, [](auto& m) -> decltype((m.eta)) { return m.eta; });
  use("beta", &P::beta, of_rule(&Responsibilities::beta));
  use("kappa", &P::kappa, of_rule(&Responsibilities::kappa));
  use("ignoring the intercept", &P::ignore_intercept, of_rule(&Responsibilities::ignore_intercept));
  use(
      "path steps", &P::path_steps,
      [](auto& m) -> decltype((m.steps)) requires(LrpMethod<decltype(m)>) { return m.steps; });
  use(
      "steps", &P::steps,
      [](auto& m) -> decltype((m.steps)) requires(!LrpMethod<decltype(m)>) { return m.steps; });
  use("references", &P::references,
      [](auto& m) -> decltype((m.references)) { return m.references; });
  use("a side of references", &P::side, [](auto& m) -> decltype((m.side)) { return m.side; });
  use("a share of the neighborhood rule", &P::neighborhood,
      [](auto& m) -> decltype((m.neighborhood)) { return m.neighborhood; });
  use("a view", &P::view, [](auto& m) -> decltype((m.view)) { return m.view; });
  use("sequences", &P::sequences, [](auto& m) -> decltype((m.sequences)) { return m.sequences; });
  use("a seed", &P::seed, [](auto& m) -> decltype((m.seed)) { return m.seed; });
  use("an output", &P::output, [](auto& m) -> decltype((m.output)) { return m.output; });
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

MethodParameters parameters_of(const Method& method) {
  MethodParameters parameters;
  for_each_parameter([&](std::string_view, auto in_parameters, auto in_method) {
    std::visit(
        [&](const auto& own) {
          if constexpr (std::invocable<decltype(in_method), decltype(own)>)
            parameters.*in_parameters = in_method(own);
        },
        method);
  });
  return parameters;
}

std::vector<Method> methods_from_names(std::span<const std::string_view> names,
                                       const MethodParameters& given) {
  std::vector<Method> methods;
  for (const std::string_view wanted : names) methods.push_back(default_method(wanted));
  for_each_parameter([&](std::string_view parameter, auto in_parameters, auto in_method) {
    set(methods, parameter, given.*in_parameters, in_method);
  });
  return methods;
}

Method method_from_name(std::string_view wanted, const MethodParameters& given) {
  const bool sets_rule = given.eta || given.beta || given.kappa || given.ignore_intercept;
  if (wanted.empty()) wanted = sets_rule ? EtaRule::kName : Auto::kName;
  return methods_from_names({&wanted, 1}, given).front();
}

}  // namespace bisector
