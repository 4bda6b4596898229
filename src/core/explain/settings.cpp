#include "core/explain/settings.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"
#include "core/models/visit.h"

namespace bisector::detail {
namespace {

/// Options that a kind of model has no use for are mistakes, not noise.
void require_applicable(const Model& model, const ExplainOptions& options) {
  const bool ranked = has_ranked_pools(model);
  if (options.beta && ranked)
    throw InvalidInput("beta was given, expected a kernel machine: neighbours have kappa");
  if (options.kappa && !ranked)
    throw InvalidInput("kappa was given, expected a neighbour model: kernel machines have beta");
  if (options.level && !model.is_regressor())
    throw InvalidInput("a level was given, expected a regression model");
  if ((options.of_class || options.versus) && model.is_regressor())
    throw InvalidInput("a class was given, expected a classifier: regressors take a level");
  if (options.ignore_intercept && ranked)
    throw InvalidInput("the intercept is to be ignored, expected a kernel machine");
}

void require_in_range(const Model& model, const ExplainOptions& options,
                      const std::optional<PathRule>& path) {
  if (options.eta && !(*options.eta >= 0.0 && *options.eta <= 1.0))
    throw InvalidInput(fmt::format("eta is {}, expected a number from 0 to 1", *options.eta));
  if (options.beta && !(*options.beta > 0.0 && std::isfinite(*options.beta)))
    throw InvalidInput(fmt::format("beta is {}, expected a finite number above 0", *options.beta));
  if (options.level && !std::isfinite(*options.level))
    throw InvalidInput("the level is not finite, expected a number");
  if (path && path->steps == 0) throw InvalidInput("the path has no steps, expected at least one");
  if (options.background) {
    require_rows(model, options.background->view());
    if (options.background->rows() < 2)
      throw InvalidInput(
          "the background has fewer than two rows, expected rows that stand for the data");
  }
}

double resolve_distance(const Model& model, const ExplainOptions& options) {
  if (options.background)
    return linalg::median_distance(
        preprocessed(model.input(), options.background->view(), model.model_features()).view());
  if (model.median_distance()) return *model.median_distance();
  return linalg::median_distance(model.points().view());
}

void settle_kernel(const Model& model, const ExplainOptions& options, double gamma,
                   ExplainSettings& settings) {
  settings.gamma = gamma;
  settings.beta = options.beta.value_or(gamma);
  settings.median_distance = resolve_distance(model, options);
  settings.eta = kernel_eta(gamma, *settings.median_distance);
}

void settle_ranked(const ExplainOptions& options, std::size_t k, ExplainSettings& settings) {
  settings.k = k;
  settings.kappa = options.kappa.value_or(neighbor_kappa(k));
  settings.eta = kNeighborEta;
}

void settle_numbers(const Model& model, const ExplainOptions& options,
                    const std::optional<PathRule>& path, ExplainSettings& settings) {
  const auto kernel = [&](double gamma) { settle_kernel(model, options, gamma, settings); };
  std::visit(Overloaded{[&](const KernelClassifier& m) { kernel(m.gamma()); },
                        [&](const OneClassMachine& m) { kernel(m.machine.gamma()); },
                        [&](const KernelRegressor& m) {
                          kernel(m.machine.gamma());
                          settings.level = options.level.value_or(m.target_mean.value_or(0.0));
                        },
                        [&](const NeighborModel& m) { settle_ranked(options, m.k(), settings); },
                        [&](const CentroidModel&) { settle_ranked(options, 1, settings); }},
             model.predictor());
  if (path) {
    settings.path_steps = path->steps;
    settings.eta = settings.gamma ? kernel_path_eta(*settings.gamma, *settings.median_distance)
                                  : kNeighborPathEta;
  }
  if (options.eta) settings.eta = *options.eta;
}

void name_pools(const Model& model, const ClassChoice& choice, ExplainSettings& settings) {
  if (model.is_regressor()) {
    settings.positive = "above";
    settings.negative = "below";
    return;
  }
  const std::vector<std::string> labels = model.labels();
  if (choice.positive) settings.positive = labels[*choice.positive];
  if (choice.negative) settings.negative = labels[*choice.negative];
}

}  // namespace

bool has_ranked_pools(const Model& model) {
  return std::holds_alternative<NeighborModel>(model.predictor()) ||
         std::holds_alternative<CentroidModel>(model.predictor());
}

Settled settle(const Model& model, const ExplainOptions& options,
               const std::optional<PathRule>& path) {
  require_applicable(model, options);
  require_in_range(model, options, path);
  Settled settled;
  settled.reference = resolve_reference(model, options.reference, options.background);
  settled.choice = resolve_classes(model, options.of_class, options.versus);
  settled.settings.reference = settled.reference.input_space;
  settled.settings.reference_name = settled.reference.name;
  settle_numbers(model, options, path, settled.settings);
  name_pools(model, settled.choice, settled.settings);
  return settled;
}

}  // namespace bisector::detail
