#include "core/contrast/pair_machine.h"

#include <algorithm>
#include <vector>

#include "bisector/error.h"
#include "core/models/visit.h"

namespace bisector::detail {
namespace {

using ClassPair = Model::ClassPair;

KernelMachine times(double sign, const SharedMatrix& points, std::vector<double> coefficients,
                    const Kernel& kernel, double intercept) {
  for (double& value : coefficients) value *= sign;
  return KernelMachine(points, std::move(coefficients), kernel, sign * intercept);
}

KernelMachine of_classifier(const KernelClassifier& classifier, ClassPair pair) {
  const std::size_t low = std::min(pair.positive, pair.negative);
  const std::size_t high = std::max(pair.positive, pair.negative);
  return times(pair.positive == low ? 1.0 : -1.0, classifier.shared_points(),
               classifier.pair_coefficients(low, high), classifier.kernel(),
               classifier.pair_intercept(low, high));
}

KernelMachine of_one_class(const KernelMachine& m, ClassPair pair) {
  return times(pair.positive == 0 ? 1.0 : -1.0, m.shared_points(), m.coefficients(), m.kernel(),
               m.intercept());
}

}  // namespace

KernelMachine pair_machine(const Model& model, ClassPair pair, double level) {
  return std::visit(
      Overloaded{[&](const KernelClassifier& m) { return of_classifier(m, pair); },
                 [&](const OneClassMachine& m) { return of_one_class(m.machine, pair); },
                 [&](const KernelRegressor& m) {
                   return KernelMachine(m.machine.shared_points(), m.machine.coefficients(),
                                        m.machine.kernel(), m.machine.intercept() - level);
                 },
                 [](const auto&) -> KernelMachine {
                   throw InvalidInput("a model without a kernel, expected a kernel machine");
                 }},
      model.predictor());
}

double pair_decision(const Model& model, ClassPair pair, std::span<const double> decisions,
                     double level) {
  if (model.is_regressor()) return decisions[0] - level;
  const auto* machines = std::get_if<KernelClassifier>(&model.predictor());
  if (machines && machines->classes() > 2 && machines->has_machine_per_class())
    return decisions[pair.positive] - decisions[pair.negative];
  const auto [low, high] = std::minmax(pair.positive, pair.negative);
  const double first = decisions[machines ? machines->pair_index(low, high) : 0];
  return pair.positive == low ? first : -first;
}

}  // namespace bisector::detail
