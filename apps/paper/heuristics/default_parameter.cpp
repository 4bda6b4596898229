#include "heuristics/default_parameter.h"

#include "bisector/explain.h"

namespace bisector::paper {
namespace {

/// A small model with this parameter; the heuristics depend on nothing else.
Model example(ModelKind kind, double parameter) {
  if (kind == ModelKind::svm) {
    const KernelMachine machine(Matrix(2, 1, {0.0, 1.0}), {1.0, -1.0}, parameter, 0.0);
    return Model(KernelClassifier::two_class(machine, "a", "b"), {}, {}, 1.0);
  }
  const auto k = static_cast<std::size_t>(parameter);
  Matrix points(2 * k, 1);
  std::vector<std::size_t> classes(2 * k);
  for (std::size_t n = 0; n < 2 * k; ++n) {
    points(n, 0) = static_cast<double>(n);
    classes[n] = n % 2;
  }
  return Model(NeighborModel(points, classes, {"a", "b"}, k));
}

}  // namespace

double default_parameter(const std::string& sweep, ModelKind kind, double model_parameter) {
  const Model model = example(kind, model_parameter);
  const ExplainSettings settings =
      Explainer(model, sweep == "path eta" ? Method(PathRule{}) : Method(EtaRule{})).settings();
  if (sweep == "beta") return *settings.beta / *settings.gamma;
  if (sweep == "kappa") return static_cast<double>(*settings.kappa);
  return *settings.eta;
}

}  // namespace bisector::paper
