#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "bisector/model.h"
#include "core/models/visit.h"

namespace bisector {

using namespace detail;

namespace {

Matrix pad_features(const Matrix& points, std::size_t features) {
  Matrix wide(points.rows(), features);
  for (std::size_t n = 0; n < points.rows(); ++n)
    std::ranges::copy(points.row(n), wide.row(n).begin());
  return wide;
}

KernelMachine pad_features(const KernelMachine& machine, std::size_t features) {
  return {pad_features(machine.points(), features), machine.coefficients(), machine.kernel(),
          machine.intercept()};
}

Predictor pad_features(const Predictor& predictor, std::size_t features) {
  return std::visit(
      Overloaded{
          [&](const KernelClassifier& m) -> Predictor {
            if (m.has_machine_per_class())
              return KernelClassifier::one_vs_rest(pad_features(m.points(), features),
                                                   m.coefficients(), m.intercepts(), m.kernel(),
                                                   m.labels());
            const KernelClassifier padded(pad_features(m.points(), features), m.points_per_class(),
                                          m.coefficients(), m.intercepts(), m.kernel(), m.labels());
            const bool by_votes = m.arrangement() == KernelClassifier::Arrangement::one_vs_one;
            return by_votes ? padded : padded.with_broken_ties();
          },
          [&](const KernelRegressor& m) -> Predictor {
            return KernelRegressor{pad_features(m.machine, features), m.target_mean};
          },
          [&](const OneClassMachine& m) -> Predictor {
            return OneClassMachine{pad_features(m.machine, features)};
          },
          [&](const NeighborModel& m) -> Predictor {
            return NeighborModel(pad_features(m.points(), features), m.classes(), m.labels(), m.k(),
                                 m.vote());
          },
          [&](const NeighborRegressor& m) -> Predictor {
            return NeighborRegressor(pad_features(m.points(), features), m.targets(), m.k(),
                                     m.vote());
          },
          [&](const OutlierDetector& m) -> Predictor {
            return OutlierDetector(pad_features(m.points(), features), m.k(), m.score(),
                                   m.threshold(), m.distance());
          },
          [&](const CentroidModel& m) -> Predictor {
            return CentroidModel(pad_features(m.centroids(), features), m.labels(), m.distance());
          }},
      predictor);
}

}  // namespace

Model pad_features(const Model& model, std::size_t features, const Limits& limits) {
  if (!model.input().is_identity())
    throw InvalidInput("a model behind preprocessing cannot take more features");
  if (!model.feature_names().empty())
    throw InvalidInput("a model with feature names cannot take more features");
  if (!model.distance().categories().empty())
    throw InvalidInput("a model with categories cannot take more features");
  if (features < model.features())
    throw InvalidInput(
        fmt::format("a model of {} features cannot be padded to {}", model.features(), features));
  const Matrix& points = model.points();
  if (!limits.allow_table(points.values().size() * sizeof(double), points.rows(), features))
    throw InvalidInput(
        fmt::format("a model of {} points and {} features cannot be padded to {} features (limits "
                    "elements, expansion)",
                    points.rows(), points.cols(), features));
  // Zeros on both sides change no distance between the points, so their median stays.
  Model padded(pad_features(model.predictor(), features), {}, {}, model.median_distance());
  if (model.measured()) padded = padded.with_measured(*model.measured());
  if (model.target()) padded = padded.with_target(*model.target());
  return padded;
}

}  // namespace bisector
