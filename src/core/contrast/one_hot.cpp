#include "core/contrast/one_hot.h"

#include <algorithm>

namespace bisector::detail {
namespace {

std::vector<double> levels_of(const Matrix& points, std::size_t feature) {
  std::vector<double> levels(points.rows());
  for (std::size_t n = 0; n < points.rows(); ++n) levels[n] = points(n, feature);
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

}  // namespace

bool OneHot::serves(const Model& model) {
  const Distance& distance = model.distance();
  return model.kernel() == nullptr && !distance.categories().empty() && distance.power() == 1.0 &&
         !model.input().has_matrix() && OneHot(model).columns_ <= kMaxColumns;
}

OneHot::OneHot(const Model& model) {
  const std::vector<double>& weights = model.distance().categories();
  for (std::size_t d = 0; d < weights.size(); ++d) {
    features_.push_back({columns_, weights[d], {}});
    if (weights[d] > 0.0) features_.back().levels = levels_of(model.points(), d);
    columns_ += features_.back().columns();
  }
}

Matrix OneHot::expand(MatrixView<const double> rows) const {
  Matrix out(rows.rows(), columns_);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < features_.size(); ++d) {
      const auto& [first, weight, levels] = features_[d];
      const double value = rows(r, d);
      if (!(weight > 0.0)) {
        out(r, first) = value;
        continue;
      }
      const auto found = std::lower_bound(levels.begin(), levels.end(), value);
      const bool is_known = found != levels.end() && *found == value;
      const auto place =
          is_known ? static_cast<std::size_t>(found - levels.begin()) : levels.size();
      out(r, first + place) = weight / 2.0;
    }
  }
  return out;
}

Matrix OneHot::fold(const Matrix& columns) const {
  Matrix out(columns.rows(), features_.size());
  for (std::size_t r = 0; r < columns.rows(); ++r) {
    for (std::size_t d = 0; d < features_.size(); ++d) {
      for (std::size_t c = 0; c < features_[d].columns(); ++c)
        out(r, d) += columns(r, features_[d].first + c);
    }
  }
  return out;
}

Model OneHot::expanded(const Model& model) const {
  return Model(
      with_points(model.predictor(), expand(model.points().view()), Distance::manhattan()));
}

}  // namespace bisector::detail
