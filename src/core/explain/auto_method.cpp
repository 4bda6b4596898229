#include "core/explain/auto_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "bisector/baselines.h"
#include "core/contrast/one_hot.h"
#include "core/models/density.h"
#include "core/models/rows.h"
#include "core/models/visit.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {
namespace {

/// Above kManyFeatures no rule for SVMs was better than the paper's (choice_many_features.csv).
ChosenMethod for_many_features() {
  return {EtaRule{},
          fmt::format("the paper's rule: no other was more faithful for SVMs with more than {} "
                      "features",
                      kManyFeatures)};
}

/// No rule is the best on every problem, so the reason names the metric and the view.
std::string default_for(const char* kind) {
  return fmt::format(
      "the default for {}, among the best rules of the model view by AUFC on benchmark problems",
      kind);
}

bool has_shapley_values(const Model& model) {
  const Kernel* kernel = model.kernel();
  return kernel != nullptr && is_product_kernel(*kernel) && !model.input().has_matrix();
}

std::size_t number_count(const Model& model) {
  return model.shared_points().rows() * model.shared_points().cols();
}

/// Levels of one column are one feature to the user, and a projection leaves few features.
std::size_t columns_of(const Model& model, std::optional<std::size_t> table_columns) {
  const std::size_t columns =
      model.encoding() ? model.encoding()->columns().size() : model.model_features();
  return std::min(columns, table_columns.value_or(columns));
}

/// Exact Shapley values if they are defined and affordable, otherwise the rule.
ChosenMethod shapley_or(ChosenMethod rule, const char* kind, const Model& model) {
  if (!has_shapley_values(model)) return rule;
  if (number_count(model) > kMaxShapleyNumbers) {
    rule.reason +=
        fmt::format("; exact Shapley values take too long with more than {} stored numbers",
                    kMaxShapleyNumbers);
    return rule;
  }
  const Method shapley = ExactShapley{.references = kShapleyReferences};
  ChosenMethod chosen{shapley, fmt::format("exact Shapley values of {} with this kernel", kind)};
  const std::size_t cost = evaluations(shapley, model.features());
  const std::size_t faster = evaluations(rule.method, model.features());
  if (cost > kExpensive * evaluations(EtaRule{}, model.features()))
    chosen.reason +=
        fmt::format("; {} is about {} times as fast", name(rule.method), cost / faster);
  return chosen;
}

/// Detectors that compare distances between points, not values of a kernel.
template <class M>
concept DistanceDetector = M::kTask == Task::detection && !requires(const M& m) {
  m.kernel();
};

/// The method for a kernel or distance that leaves no choice; nothing for the others.
std::optional<ChosenMethod> for_distance(const Model& model) {
  if (model.has_dot_product())
    return ChosenMethod{IntegratedGradients{.output = ExplainedOutput::f},
                        "the kernel is one of the dot product, no distance: an exact path on f"};
  const ExpectedPathRule expected{};
  if (!model.distance().categories().empty() && !model.is_detector() && OneHot::serves(model))
    return ChosenMethod{expected, default_for("categories") + ": paths between them"};
  if (!model.distance().categories().empty())
    return ChosenMethod{EtaRule{1.0}, "categories have no gradient: the parts of the distances"};
  if (!has_parts(model))
    return ChosenMethod{expected,
                        "behind a matrix, distances that are not Euclidean have gradients alone"};
  if (model.distance().is_cosine())
    return ChosenMethod{expected, "a cosine has no reference of its own: paths from many rows"};
  return std::nullopt;
}

/// The model view. The evidence is in paper/results/choice.md, from problems that
/// are not in the tables that later measured the rules.
ChosenMethod for_model(const Model& model, std::optional<std::size_t> table_columns) {
  if (auto chosen = for_distance(model)) return *chosen;
  const ExpectedPathRule expected{};
  const bool has_many = columns_of(model, table_columns) > kManyFeatures;
  return std::visit(
      Overloaded{[&](const KernelClassifier&) {
                   if (has_many) return for_many_features();
                   return ChosenMethod{PathRule{}, default_for("kernel classifiers")};
                 },
                 [&](const NeighborModel&) {
                   return ChosenMethod{expected, default_for("neighbors")};
                 },
                 [&](const NeighborRegressor&) {
                   return ChosenMethod{expected, default_for("regressors")};
                 },
                 [&](const CentroidModel&) {
                   return ChosenMethod{expected, "centroids are neighbors of one point per class"};
                 },
                 [&](const KernelRegressor&) {
                   return shapley_or({expected, default_for("regressors")}, "regressors", model);
                 },
                 [&](const OneClassMachine&) {
                   return shapley_or({PathRule{}, default_for("one-class machines")},
                                     is_density(model) ? "the density (not of its logarithm)"
                                                       : "one-class machines",
                                     model);
                 },
                 [&]<DistanceDetector M>(const M&) {
                   return ChosenMethod{
                       EtaRule{1.0},
                       "the parts of the distance that the detector compares with its level"};
                 }},
      model.predictor());
}

/// The data view: blends the neighborhood in. A detector has no second class to be near to.
void add_data(const Model& model, ChosenMethod& chosen) {
  if (model.is_detector()) {
    chosen.reason += "; detectors have no second class whose neighborhood could be blended in";
    return;
  }
  if (model.has_dot_product()) {
    chosen.reason += "; the neighborhood rule needs distances";
    return;
  }
  if (!model.distance().categories().empty() && std::holds_alternative<EtaRule>(chosen.method)) {
    chosen = {NeighborhoodRule{}, "categories have no gradient: the neighborhood alone"};
    return;
  }
  if (!has_parts(model)) {
    chosen.reason += "; without the neighborhood, which needs Euclidean distances there";
    return;
  }
  if (std::holds_alternative<EtaRule>(chosen.method)) chosen.method = PathRule{};
  std::visit(
      []<class M>(M& own) {
        if constexpr (requires { own.neighborhood; }) own.neighborhood = kDataViewShare;
      },
      chosen.method);
  chosen.reason += ", half of it by the neighborhood rule";
}

/// Sets `references` and `seed` of the automatic choice in the method taken, if it has them.
void pass_on(const Auto& asked, ChosenMethod& chosen) {
  bool has_references = false;
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.references; }) {
          has_references = true;
          if (asked.references) own.references = *asked.references;
        }
        if constexpr (requires { own.seed; }) {
          if (asked.seed) own.seed = *asked.seed;
        }
      },
      chosen.method);
  if (asked.references && !has_references)
    chosen.reason += fmt::format("; {} takes no references", name(chosen.method));
}

std::string measured_reason(const MeasuredMethod& measured) {
  if (measured.figures.empty()) return "measured for this model";
  const auto& [name, aufc, error] = measured.figures.front();
  return fmt::format(
      "measured for this model: AUFC {:.3f} ± {:.3f} on {} rows, the best of {} rules", aufc, error,
      measured.rows, measured.figures.size());
}

}  // namespace

bool can_be_shapley(const Model& model) {
  return has_shapley_values(model) && number_count(model) <= kMaxShapleyNumbers;
}

std::uint64_t seed_of(const Method& method) {
  return std::visit(
      [](const auto& own) -> std::uint64_t {
        if constexpr (std::is_same_v<decltype(own), const Auto&>)
          return own.seed.value_or(0);
        else if constexpr (requires { own.seed; })
          return own.seed;
        else
          return 0;
      },
      method);
}

std::size_t evaluations(const Method& method, std::size_t features) {
  return std::visit([&](const auto& own) { return own.evaluations(features); }, method);
}

std::string method_that_adds_up(const Model& model, const Method& method) {
  const bool has_paths =
      std::holds_alternative<PathRule>(method) || std::holds_alternative<ExpectedPathRule>(method);
  const bool is_rule = has_paths || std::holds_alternative<EtaRule>(method) ||
                       std::holds_alternative<NeighborhoodRule>(method);
  const bool is_sum = std::holds_alternative<ExactShapley>(method) ||
                      std::holds_alternative<SampledShapley>(method) ||
                      std::holds_alternative<IntegratedGradients>(method);
  if (is_sum) return "";
  if (is_rule && !has_paths && model.distance().categories().empty()) {
    if (model.kernel() != nullptr) return std::string(PathRule::kName);
    if (!model.is_detector()) return std::string(ExpectedPathRule::kName);
  }
  return std::string(has_shapley_values(model) ? ExactShapley::kName : SampledShapley::kName);
}

ChosenMethod choose_method(const Model& model, const Method& asked,
                           std::optional<std::size_t> table_columns) {
  const auto* automatic = std::get_if<Auto>(&asked);
  if (automatic == nullptr) return {asked, "asked for"};
  ChosenMethod chosen;
  if (const auto& measured = model.measured(); measured && measured->view == automatic->view) {
    chosen = {measured->method, measured_reason(*measured)};
  } else {
    chosen = for_model(model, table_columns);
    if (automatic->view == View::data) add_data(model, chosen);
  }
  pass_on(*automatic, chosen);
  return chosen;
}

}  // namespace bisector::detail
