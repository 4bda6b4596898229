#include "core/explain/auto_method.h"

#include <fmt/format.h>

#include "core/models/visit.h"

namespace bisector::detail {
namespace {

/// What the model uses. docs/results/choice.md and truth.md have the evidence, from problems
/// outside the tables in which the rules are then measured.
ChosenMethod for_model(const Model& model) {
  const ExpectedPathRule expected{};
  return std::visit(
      Overloaded{[&](const KernelClassifier& m) {
                   if (m.features() > kManyFeatures)
                     return ChosenMethod{
                         EtaRule{}, fmt::format("kernel classifiers of more than {} features: "
                                                "nothing is known to be more faithful",
                                                kManyFeatures)};
                   if (m.labels().size() > 2)
                     return ChosenMethod{PathRule{},
                                         "the most faithful rule for kernel classifiers of many "
                                         "classes"};
                   return ChosenMethod{expected,
                                       "true to the model, and as faithful as any rule for kernel "
                                       "classifiers"};
                 },
                 [&](const NeighborModel&) {
                   return ChosenMethod{expected, "the most faithful rule for neighbours"};
                 },
                 [&](const CentroidModel&) {
                   return ChosenMethod{expected, "neighbours of one point per class"};
                 },
                 [&](const KernelRegressor&) {
                   return ChosenMethod{expected, "the most faithful rule for regressors"};
                 },
                 [&](const OneClassMachine&) {
                   return ChosenMethod{PathRule{}, "the most faithful rule for one-class machines"};
                 }},
      model.predictor());
}

/// The same with the neighbourhood blended in. One class has no other to be near to.
void add_data(const Model& model, ChosenMethod& chosen) {
  if (std::holds_alternative<OneClassMachine>(model.predictor())) {
    chosen.reason += "; one class has no neighbourhood of another to blend in";
    return;
  }
  if (std::holds_alternative<EtaRule>(chosen.method)) chosen.method = PathRule{};
  std::visit(
      []<class M>(M& own) {
        if constexpr (requires { own.neighborhood; }) own.neighborhood = 0.5;
      },
      chosen.method);
  chosen.reason += ", half of it from the neighbourhood";
}

std::string measured_reason(const MeasuredMethod& measured) {
  if (measured.figures.empty()) return "measured for this model";
  const auto& [name, aufc, error] = measured.figures.front();
  return fmt::format("measured for this model: AUFC {:.3f} ± {:.3f} on {} rows, the lowest of {}",
                     aufc, error, measured.rows, measured.figures.size());
}

}  // namespace

ChosenMethod choose_method(const Model& model, const Method& asked) {
  const auto* automatic = std::get_if<Auto>(&asked);
  if (automatic == nullptr) return {asked, "asked for"};
  if (const auto& measured = model.measured(); measured && measured->view == automatic->view)
    return {measured->method, measured_reason(*measured)};
  ChosenMethod chosen = for_model(model);
  if (automatic->view == View::data) add_data(model, chosen);
  return chosen;
}

}  // namespace bisector::detail
