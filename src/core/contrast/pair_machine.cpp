#include "core/contrast/pair_machine.h"

#include <algorithm>
#include <vector>

#include "bisector/error.h"
#include "core/models/model_fields.h"

namespace bisector::detail {
namespace {

using ClassPair = Model::ClassPair;

KernelMachine times(double sign, const SharedMatrix& points, std::vector<double> coefficients,
                    const Kernel& kernel, double intercept) {
  for (double& value : coefficients) value *= sign;
  return KernelMachine(points, std::move(coefficients), kernel, sign * intercept);
}

KernelMachine machine_of(const KernelClassifier& classifier, ClassPair pair, double) {
  const std::size_t low = std::min(pair.positive, pair.negative);
  const std::size_t high = std::max(pair.positive, pair.negative);
  return times(pair.positive == low ? 1.0 : -1.0, classifier.shared_points(),
               classifier.pair_coefficients(low, high), classifier.kernel(),
               classifier.pair_intercept(low, high));
}

KernelMachine machine_of(const OneClassMachine& model, ClassPair pair, double) {
  const KernelMachine& m = model.machine;
  return times(pair.positive == 0 ? 1.0 : -1.0, m.shared_points(), m.coefficients(), m.kernel(),
               m.intercept());
}

KernelMachine machine_of(const KernelRegressor& model, ClassPair, double level) {
  const KernelMachine& m = model.machine;
  return KernelMachine(m.shared_points(), m.coefficients(), m.kernel(), m.intercept() - level);
}

template <class M>
requires(!KernelKind<M>) KernelMachine machine_of(const M&, ClassPair, double) {
  throw InvalidInput("a model without a kernel, expected a kernel machine");
}

}  // namespace

KernelMachine pair_machine(const Model& model, ClassPair pair, double level) {
  return std::visit([&](const auto& m) { return machine_of(m, pair, level); }, model.predictor());
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
