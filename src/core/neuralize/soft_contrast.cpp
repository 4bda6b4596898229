#include "core/neuralize/soft_contrast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bisector/error.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

SoftPool pool_of_sign(const Matrix& points, std::span<const double> coefficients, double sign) {
  SoftPool pool;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    if (coefficients[n] * sign <= 0.0) continue;
    pool.indices.push_back(n);
    pool.log_weights.push_back(std::log(std::abs(coefficients[n])));
  }
  pool.points = Matrix(pool.indices.size(), points.cols());
  for (std::size_t n = 0; n < pool.indices.size(); ++n)
    std::ranges::copy(points.row(pool.indices[n]), pool.points.row(n).begin());
  return pool;
}

}  // namespace

std::optional<double> SoftContrast::positive_intercept() const {
  return intercept > 0.0 ? std::optional(std::log(intercept)) : std::nullopt;
}
std::optional<double> SoftContrast::negative_intercept() const {
  return intercept < 0.0 ? std::optional(std::log(-intercept)) : std::nullopt;
}

std::vector<double> SoftContrast::mean() const {
  std::vector<double> sum(std::max(positive.points.cols(), negative.points.cols()), 0.0);
  const auto count = static_cast<double>(positive.indices.size() + negative.indices.size());
  for (const SoftPool* pool : {&positive, &negative}) {
    for (std::size_t n = 0; n < pool->points.rows(); ++n) {
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += pool->points(n, d) / count;
    }
  }
  return sum;
}

double SoftContrast::radius(std::span<const double> center) const {
  double largest = 0.0;
  for (const SoftPool* pool : {&positive, &negative}) {
    for (std::size_t n = 0; n < pool->points.rows(); ++n)
      largest = std::max(largest, linalg::squared_distance(pool->points.row(n), center));
  }
  return std::sqrt(largest);
}

SoftContrast neuralize(const KernelMachine& machine) {
  const double intercept = machine.intercept();
  SoftContrast contrast{pool_of_sign(machine.points(), machine.coefficients(), 1.0),
                        pool_of_sign(machine.points(), machine.coefficients(), -1.0),
                        machine.gamma(), intercept};
  const auto require = [&](const SoftPool& pool, bool has_intercept, const char* sign) {
    if (pool.indices.empty() && !has_intercept)
      throw InvalidModel(
          fmt::format("the model has no {0} coefficient and no {0} intercept "
                      "({1:.6g}), expected something on both sides to contrast",
                      sign, intercept));
  };
  require(contrast.positive, intercept > 0.0, "positive");
  require(contrast.negative, intercept < 0.0, "negative");
  return contrast;
}

}  // namespace bisector::detail
