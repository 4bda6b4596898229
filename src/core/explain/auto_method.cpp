#include "core/explain/auto_method.h"

#include <fmt/format.h>

#include "core/contrast/contrast_functions.h"
#include "core/contrast/one_hot.h"
#include "core/models/visit.h"

namespace bisector::detail {
namespace {

/// Above kManyFeatures no rule of SVMs was better than the paper's (choice_many_features.md).
ChosenMethod for_many_features() {
  return {EtaRule{},
          fmt::format("the paper's rule: of SVMs with more than {} features no other was "
                      "found to be more faithful",
                      kManyFeatures)};
}

/// `kind` is taken by exact Shapley values where the kernel is narrow, else by the rule.
ChosenMethod shapley_or(const ChosenMethod& rule, const char* kind, const Model& model,
                        std::optional<double> gamma_s2) {
  if (!(gamma_s2.value_or(0.0) >= kShapleyFrom && can_be_shapley(model))) return rule;
  return {ExactShapley{.references = kShapleyReferences},
          fmt::format("the most faithful method for {} with gamma s^2 of {} or more", kind,
                      kShapleyFrom)};
}

/// What the model uses. docs/results/choice*.md and truth.md have the evidence, from problems
/// outside the tables in which the rules are then measured.
ChosenMethod for_model(const Model& model, std::optional<double> gamma_s2) {
  if (has_dot_product(model))
    return {IntegratedGradients{.output = ExplainedOutput::f},
            "the kernel is one of the dot product, no distance: an exact path on f"};
  const ExpectedPathRule expected{};
  if (!model.distance().categories().empty() && !model.is_detector() && OneHot::serves(model))
    return {expected, "the most faithful rule for categories: ways between them"};
  if (!model.distance().categories().empty())
    return {EtaRule{1.0}, "categories have no gradient: the parts of the distances"};
  if (!model.distance().is_euclidean() && model.input().has_matrix())
    return {expected, "behind a matrix, distances that are not Euclidean have gradients alone"};
  if (model.distance().is_cosine())
    return {expected, "a cosine has no reference of its own: ways from many rows"};
  const bool has_many = model.model_features() > kManyFeatures;
  return std::visit(
      Overloaded{[&](const KernelClassifier&) {
                   if (has_many) return for_many_features();
                   return ChosenMethod{PathRule{}, "the most faithful rule for kernel classifiers"};
                 },
                 [&](const NeighborModel&) {
                   return ChosenMethod{expected, "the most faithful rule for neighbors"};
                 },
                 [&](const NeighborRegressor&) {
                   return ChosenMethod{expected, "the most faithful rule for regressors"};
                 },
                 [&](const CentroidModel&) {
                   return ChosenMethod{expected, "centroids are neighbors of one point per class"};
                 },
                 [&](const KernelRegressor&) {
                   return shapley_or({expected, "the most faithful rule for regressors"},
                                     "regressors", model, gamma_s2);
                 },
                 [&](const OneClassMachine&) {
                   return shapley_or({PathRule{}, "the most faithful rule for one-class machines"},
                                     "one-class machines", model, gamma_s2);
                 },
                 [&](const OutlierDetector&) {
                   return ChosenMethod{EtaRule{1.0},
                                       "the parts of the distance that the detector "
                                       "compares with its level"};
                 }},
      model.predictor());
}

/// The same with the neighborhood blended in. One class has no other to be near to.
void add_data(const Model& model, ChosenMethod& chosen) {
  if (model.is_detector()) {
    chosen.reason += "; one class has no neighborhood of another to blend in";
    return;
  }
  if (has_dot_product(model)) {
    chosen.reason += "; the neighborhood is of distances";
    return;
  }
  if (!model.distance().categories().empty() && std::holds_alternative<EtaRule>(chosen.method)) {
    chosen = {NeighborhoodRule{}, "categories have no gradient: the neighborhood alone"};
    return;
  }
  if (!model.distance().is_euclidean() && model.input().has_matrix()) {
    chosen.reason += "; without the neighborhood, which cannot be taken apart there";
    return;
  }
  if (std::holds_alternative<EtaRule>(chosen.method)) chosen.method = PathRule{};
  std::visit(
      []<class M>(M& own) {
        if constexpr (requires { own.neighborhood; }) own.neighborhood = kDataViewShare;
      },
      chosen.method);
  chosen.reason += ", half of it from the neighborhood";
}

std::string measured_reason(const MeasuredMethod& measured) {
  if (measured.figures.empty()) return "measured for this model";
  const auto& [name, aufc, error] = measured.figures.front();
  return fmt::format(
      "measured for this model: AUFC {:.3f} ± {:.3f} on {} rows, chosen among {} rules", aufc,
      error, measured.rows, measured.figures.size());
}

}  // namespace

bool can_be_shapley(const Model& model) {
  const Kernel* kernel = model.kernel();
  return kernel != nullptr && kernel->is_gaussian() && !model.input().has_matrix() &&
         model.model_features() <= kMaxShapleyFeatures;
}

ChosenMethod choose_method(const Model& model, const Method& asked,
                           std::optional<double> gamma_s2) {
  const auto* automatic = std::get_if<Auto>(&asked);
  if (automatic == nullptr) return {asked, "asked for"};
  if (const auto& measured = model.measured(); measured && measured->view == automatic->view)
    return {measured->method, measured_reason(*measured)};
  ChosenMethod chosen = for_model(model, gamma_s2);
  if (automatic->view == View::data) add_data(model, chosen);
  return chosen;
}

}  // namespace bisector::detail
