#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/contrast/one_hot.h"
#include "core/models/rows.h"
#include "core/models/visit.h"
#include "core/models/weighted_votes.h"

namespace bisector {

using namespace detail;

namespace {

/// True for methods that are defined for the model and fast. shapley-exact is slow. Neighbors and
/// categories have no gradients, categories have no reference point, and dot products have no
/// rules.
bool is_default(const Method& method, const Model& model) {
  const bool is_smooth = model.distance().categories().empty();
  const bool has_gradient = is_smooth && !has_ranked_pools(model);
  const bool has_pools = !model.has_dot_product();
  return std::visit(
      Overloaded{[](const ExactShapley&) { return false; },
                 [&](const GradientTimesInput&) { return has_gradient; },
                 [&](const IntegratedGradients&) { return has_gradient; },
                 [&](const Sensitivity&) { return has_gradient; },
                 [&](const EtaRule&) { return has_pools; },
                 [&](const PathRule&) { return has_pools && is_smooth; },
                 [&](const ExpectedPathRule&) {
                   return has_pools && (is_smooth || OneHot::serves(model));
                 },
                 [&](const NeighborhoodRule&) { return has_pools && has_parts(model); },
                 [](const auto&) { return true; }},
      method);
}

void set_seed(Method& method, std::uint64_t seed) {
  std::visit(
      [seed](auto& own) {
        if constexpr (requires { own.seed; }) own.seed = seed;
      },
      method);
}

void require_names(std::span<const std::string> names) {
  std::vector<std::string> known;
  for (const Method& method : all_methods()) known.emplace_back(name(method));
  known.emplace_back(RandomOrder::kName);
  for (const std::string& wanted : names) {
    if (std::ranges::find(known, wanted) == known.end())
      throw InvalidInput(
          fmt::format("no method \"{}\", expected {}", wanted, fmt::join(known, ", ")));
  }
}

}  // namespace

std::vector<Candidate> candidates_from_names(std::span<const std::string> names,
                                             const MethodParameters& parameters,
                                             std::uint64_t seed) {
  require_names(names);
  std::vector<std::string_view> of_methods;
  for (const std::string& wanted : names) {
    if (wanted != RandomOrder::kName) of_methods.push_back(wanted);
  }
  std::vector<Method> methods = methods_from_names(of_methods, parameters);
  std::vector<Candidate> candidates;
  auto next = methods.begin();
  for (const std::string& wanted : names) {
    if (wanted == RandomOrder::kName) {
      candidates.push_back({wanted, RandomOrder{seed}});
    } else {
      set_seed(*next, seed);
      candidates.push_back({wanted, *next++});
    }
  }
  return candidates;
}

std::vector<Candidate> default_candidates(const Model& model, const MethodParameters& parameters,
                                          std::uint64_t seed) {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) {
    if (is_default(method, model)) names.emplace_back(name(method));
  }
  names.emplace_back(RandomOrder::kName);
  return candidates_from_names(names, parameters, seed);
}

}  // namespace bisector
