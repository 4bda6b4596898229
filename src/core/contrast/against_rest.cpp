#include "bisector/against_rest.h"

#include <string>

namespace bisector {

std::vector<Model> models_against_rest(const Model& model) {
  std::vector<Model> result;
  const std::vector<std::string> labels = model.labels();
  if (labels.size() == 2) return result;
  const auto add = [&](Predictor predictor) {
    result.push_back(
        Model(std::move(predictor), model.input()).with_background(model.background()));
  };
  if (const auto* neighbors = std::get_if<NeighborModel>(&model.predictor())) {
    for (std::size_t c = 0; c < labels.size(); ++c) {
      std::vector<std::size_t> is_own;
      for (const std::size_t own : neighbors->classes()) is_own.push_back(own == c ? 1 : 0);
      NeighborVote vote = neighbors->vote();
      if (vote.outlier_class) vote.outlier_class = *vote.outlier_class == c ? 1 : 0;
      add(NeighborModel(neighbors->shared_points(), std::move(is_own), {kRest, labels[c]},
                        neighbors->k(), std::move(vote)));
    }
  }
  const auto* machines = std::get_if<KernelClassifier>(&model.predictor());
  if (machines && machines->has_machine_per_class()) {
    for (std::size_t c = 0; c < labels.size(); ++c) {
      const auto own = machines->coefficients().row(c);
      add(KernelClassifier::two_class(
          KernelMachine(machines->shared_points(), {own.begin(), own.end()}, machines->kernel(),
                        machines->intercepts()[c]),
          labels[c], kRest));
    }
  }
  return result;
}

}  // namespace bisector
