#include "core/explain/auto_method.h"

#include <fmt/format.h>

#include "core/models/visit.h"

namespace bisector::detail {
namespace {

/// What the model uses (docs/results/choice.md has the evidence).
ChosenMethod for_model(const Model& model) {
  return std::visit(
      Overloaded{[](const KernelClassifier&) {
                   return ChosenMethod{PathRule{}, "the most faithful rule for kernel classifiers"};
                 },
                 [](const NeighborModel&) {
                   return ChosenMethod{ExpectedPathRule{}, "the most faithful rule for neighbours"};
                 },
                 [](const CentroidModel&) {
                   return ChosenMethod{ExpectedPathRule{}, "the most faithful rule for centroids"};
                 },
                 [](const KernelRegressor&) {
                   return ChosenMethod{ExpectedPathRule{}, "the most faithful rule for regressors"};
                 },
                 [](const OneClassMachine&) {
                   return ChosenMethod{ExpectedPathRule{},
                                       "the most faithful rule for one-class machines"};
                 }},
      model.predictor());
}

std::string measured_reason(const MeasuredMethod& measured) {
  if (measured.figures.empty()) return "measured for this model";
  const auto& [name, aufc, error] = measured.figures.front();
  return fmt::format(
      "measured for this model: AUFC {:.3f} ± {:.3f} on {} rows, chosen among {} rules", aufc,
      error, measured.rows, measured.figures.size());
}

}  // namespace

ChosenMethod choose_method(const Model& model, const Method& asked, const ExplainSettings&) {
  const auto* automatic = std::get_if<Auto>(&asked);
  if (automatic == nullptr) return {asked, "asked for"};
  if (const auto& measured = model.measured(); measured && measured->view == automatic->view)
    return {measured->method, measured_reason(*measured)};
  ChosenMethod chosen = for_model(model);
  if (automatic->view == View::data) {
    std::visit(
        []<class M>(M& own) {
          if constexpr (requires { own.neighborhood; }) own.neighborhood = 0.5;
        },
        chosen.method);
  }
  return chosen;
}

}  // namespace bisector::detail
