#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"
#include "core/models/model_fields.h"

namespace bisector {

namespace {

Matrix pad_features(const Matrix& points, std::size_t features) {
  Matrix wide(points.rows(), features);
  for (std::size_t n = 0; n < points.rows(); ++n)
    std::ranges::copy(points.row(n), wide.row(n).begin());
  return wide;
}

/// The new points and the new distance in the fields that hold them; other fields stay.
struct ReplacePoints {
  const SharedMatrix& points;
  const Distance& distance;

  void operator()(SharedMatrix& value) const { value = points; }
  void operator()(Distance& value) const { value = distance; }
  void operator()(Kernel& value) const { value = Kernel(value.terms(), distance); }
  void operator()(NeighborVote& value) const { value.distance = distance; }
  template <detail::PlainField Other>
  void operator()(Other&) const {}
};

}  // namespace

Predictor with_points(const Predictor& predictor, const SharedMatrix& points,
                      const Distance& distance) {
  return std::visit(
      [&]<class M>(const M& model) -> Predictor {
        typename M::Data data = model.data();
        const ReplacePoints replace{points, distance};
        M::Data::fields([&](const Field&, auto member) { replace(data.*member); });
        return M(std::move(data));
      },
      predictor);
}

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
  // Zeros in the same columns change no distance between points, so the median distance stays.
  Model padded(with_points(model.predictor(), pad_features(points, features), model.distance()), {},
               {}, model.median_distance());
  if (model.measured()) padded = padded.with_measured(*model.measured());
  if (model.target()) padded = padded.with_target(*model.target());
  if (std::optional<Background> background = model.background()) {
    background->rows = pad_features(*background->rows, features);
    background->mean.resize(features, 0.0);
    padded = padded.with_background(std::move(background));
  }
  if (model.auto_check()) padded = padded.with_auto_check(*model.auto_check());
  if (!model.unit_scales().empty()) padded = padded.with_unit_scales(model.unit_scales());
  if (!model.training_rows().empty()) padded = padded.with_training_rows(model.training_rows());
  return padded;
}

}  // namespace bisector
