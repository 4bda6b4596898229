#include "bisector/evaluate.h"

#include "bisector/error.h"
#include "core/models/rows.h"

namespace bisector {

using namespace detail;

namespace {

void require_applicable(const Model& model, const EvaluateOptions& options) {
  if (model.input().has_matrix())
    throw InvalidInput(
        "the model's preprocessing mixes features (it has a matrix), expected one that scales each "
        "feature by itself: a feature is removed in the space of the model");
  if (options.level && !model.is_regressor())
    throw InvalidInput("a level was given, expected a regression model");
}

/// The classes of rows that are in the model's space already.
BatchClassifier classifier_of(const Model& model, const EvaluateOptions& options) {
  // Shared, because a std::function has to be copyable.
  const auto decide = std::make_shared<const DecisionFunction>(
      Model(model.predictor()), options.precision, options.flipping.threads);
  if (!model.is_regressor())
    return [decide](MatrixView<const double> rows) { return (*decide)(rows).classes; };
  const auto& regressor = std::get<KernelRegressor>(model.predictor());
  const double level = options.level.value_or(regressor.target_mean.value_or(0.0));
  return [decide, level](MatrixView<const double> rows) {
    const Matrix values = (*decide)(rows).decisions;
    std::vector<std::size_t> classes(rows.rows());
    for (std::size_t r = 0; r < rows.rows(); ++r) classes[r] = values(r, 0) > level ? 0 : 1;
    return classes;
  };
}

}  // namespace

Evaluation evaluate_model(const Model& model, MatrixView<const double> rows,
                          MatrixView<const double> background, std::span<const Matrix> relevance,
                          const EvaluateOptions& options) {
  require_applicable(model, options);
  require_rows(model, rows);
  require_rows(model, background);
  const auto in_model_space = [&](MatrixView<const double> data) {
    return preprocessed(model.input(), data, model.model_features());
  };
  const DensityEstimate density(in_model_space(background).view(), options.flipping.threads);
  const ModelRows mapped = in_model_space(rows);
  Evaluation evaluation;
  evaluation.results = flip_features(density, mapped.view(), relevance,
                                     classifier_of(model, options), options.flipping);
  evaluation.background = density.points().rows();
  evaluation.bandwidth = density.bandwidth();
  evaluation.at_lowest_bandwidth = density.at_lowest_bandwidth();
  return evaluation;
}

}  // namespace bisector
