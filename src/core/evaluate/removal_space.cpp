#include "core/evaluate/removal_space.h"

#include <cmath>
#include <memory>

#include "bisector/predict.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// Standard deviation of every column; 1 for a constant column.
std::vector<double> deviations(MatrixView<const double> rows) {
  const std::vector<double> mean = linalg::row_mean(rows);
  std::vector<double> squares(rows.cols(), 0.0);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      squares[d] += (rows(r, d) - mean[d]) * (rows(r, d) - mean[d]);
  }
  for (double& value : squares) {
    value = std::sqrt(value / static_cast<double>(rows.rows()));
    if (!(value > 0.0)) value = 1.0;
  }
  return squares;
}

/// The map to the model from columns that are divided by their standard deviations.
AffineMap from_divided(const AffineMap& input, const std::vector<double>& deviation) {
  std::vector<double> shift = input.shift(), scale = input.scale();
  shift.resize(deviation.size(), 0.0);
  scale.resize(deviation.size(), 1.0);
  for (std::size_t d = 0; d < deviation.size(); ++d) {
    shift[d] /= deviation[d];
    scale[d] *= deviation[d];
  }
  return AffineMap(shift, scale, input.matrix(), input.offset());
}

AffineMap dividing(std::vector<double> deviation) {
  for (double& value : deviation) value = 1.0 / value;
  const std::size_t features = deviation.size();
  return AffineMap(std::vector<double>(features, 0.0), std::move(deviation));
}

}  // namespace

RemovalSpace::RemovalSpace(const Model& model, MatrixView<const double> donors)
    : map_(model.input()), model_(model.predictor()) {
  if (!map_.has_matrix()) return;
  const std::vector<double> deviation = deviations(donors);
  model_ = Model(model.predictor(), from_divided(map_, deviation));
  map_ = dividing(deviation);
}

MappedRows RemovalSpace::operator()(MatrixView<const double> rows) const {
  return preprocessed(map_, rows, rows.cols());
}

BatchClassifier RemovalSpace::classifier(std::optional<double> level, Precision precision,
                                         unsigned threads) const {
  // Shared, because a std::function has to be copyable.
  const auto decide = std::make_shared<const DecisionFunction>(model_, precision, threads);
  if (!level) return [decide](MatrixView<const double> rows) { return (*decide)(rows).classes; };
  return [decide, level](MatrixView<const double> rows) {
    const Matrix values = (*decide)(rows).decisions;
    std::vector<std::size_t> classes(rows.rows());
    for (std::size_t r = 0; r < rows.rows(); ++r) classes[r] = values(r, 0) > *level ? 0 : 1;
    return classes;
  };
}

}  // namespace bisector::detail
