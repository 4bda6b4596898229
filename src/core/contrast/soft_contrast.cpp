#include "core/contrast/soft_contrast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bisector/error.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

std::vector<linalg::PointIndex> points_of_sign(std::span<const double> coefficients, double sign) {
  std::vector<linalg::PointIndex> indices;
  for (std::size_t n = 0; n < coefficients.size(); ++n) {
    if (coefficients[n] * sign > 0.0) indices.push_back(static_cast<linalg::PointIndex>(n));
  }
  indices.shrink_to_fit();
  return indices;
}

std::vector<double> log_weights(std::span<const double> coefficients,
                                std::span<const linalg::PointIndex> indices) {
  std::vector<double> logs;
  logs.reserve(indices.size());
  for (const linalg::PointIndex n : indices) logs.push_back(std::log(std::abs(coefficients[n])));
  return logs;
}

/// The mean of P's points and then N's.
std::vector<double> mean_of(const Matrix& points, std::span<const linalg::PointIndex> positive,
                            std::span<const linalg::PointIndex> negative) {
  std::vector<double> sum(points.cols(), 0.0);
  const auto count = static_cast<double>(positive.size() + negative.size());
  for (const auto indices : {positive, negative}) {
    for (const linalg::PointIndex n : indices) {
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += points(n, d) / count;
    }
  }
  return sum;
}

double largest_distance(const SoftPool& pool, std::span<const double> center) {
  double largest = 0.0;
  for (std::size_t n = 0; n < pool.points->size(); ++n)
    largest = std::max(largest, linalg::squared_distance((*pool.points)[n], center));
  return std::sqrt(largest);
}

/// log of the sum of all |alpha| and |theta|, which may be beyond the range of numbers.
double log_total(const KernelMachine& machine) {
  double largest = std::abs(machine.intercept());
  for (const double value : machine.coefficients()) largest = std::max(largest, std::abs(value));
  double sum = std::abs(machine.intercept()) / largest;
  for (const double value : machine.coefficients()) sum += std::abs(value) / largest;
  return std::log(largest) + std::log(sum);
}

void require_something(const SoftPool& pool, bool has_intercept, const char* sign,
                       double intercept) {
  if (pool.empty() && !has_intercept)
    throw InvalidModel(
        fmt::format("the model has no {0} coefficient and no {0} intercept "
                    "({1:.6g}), expected something on both sides to contrast",
                    sign, intercept));
}

}  // namespace

std::optional<double> SoftContrast::positive_intercept() const {
  return intercept > 0.0 ? std::optional(std::log(intercept)) : std::nullopt;
}
std::optional<double> SoftContrast::negative_intercept() const {
  return intercept < 0.0 ? std::optional(std::log(-intercept)) : std::nullopt;
}

SoftContrast neuralize(const KernelMachine& machine) {
  std::vector<linalg::PointIndex> positive = points_of_sign(machine.coefficients(), 1.0);
  std::vector<linalg::PointIndex> negative = points_of_sign(machine.coefficients(), -1.0);
  SoftContrast contrast;
  contrast.kernel = machine.kernel();
  contrast.gamma = machine.gamma();
  contrast.intercept = machine.intercept();
  contrast.center = contrast.kernel.distance().is_euclidean()
                        ? mean_of(machine.points(), positive, negative)
                        : std::vector<double>(machine.features(), 0.0);
  contrast.log_total = log_total(machine);
  const auto pool = [&](std::vector<linalg::PointIndex>& indices) {
    std::vector<double> logs = log_weights(machine.coefficients(), indices);
    return SoftPool{std::make_shared<const linalg::PointSet>(machine.shared_points(),
                                                             std::move(indices), contrast.center),
                    std::move(logs)};
  };
  contrast.positive = pool(positive);
  contrast.negative = pool(negative);
  require_something(contrast.positive, contrast.intercept > 0.0, "positive", contrast.intercept);
  require_something(contrast.negative, contrast.intercept < 0.0, "negative", contrast.intercept);
  contrast.radius = std::max(largest_distance(contrast.positive, contrast.center),
                             largest_distance(contrast.negative, contrast.center));
  return contrast;
}

}  // namespace bisector::detail
