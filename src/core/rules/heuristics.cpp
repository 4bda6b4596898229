#include "core/rules/heuristics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bisector/error.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "core/models/checks.h"
#include "core/models/rows.h"
#include "core/util/row_sample.h"

namespace bisector::detail {
namespace {

/// Preprocessing may map a point out of the range of coordinates, in both directions.
void require_reference(std::span<const double> point) {
  for (const double value : point) {
    if (!is_coordinate(value))
      throw InvalidInput(
          fmt::format("the reference: a feature on the other side of the preprocessing is {}, "
                      "expected a number within ±{}",
                      value, kLargestCoordinate));
  }
}

ResolvedReference given_reference(const Model& model, const std::vector<double>& point) {
  if (point.size() != model.features())
    throw InvalidInput(
        fmt::format("the reference has {} features, the model {}", point.size(), model.features()));
  require_rows(model, {point.data(), 1, point.size()});
  std::vector<double> mapped(model.model_features());
  model.input().apply(point, mapped);
  require_reference(mapped);
  return {mapped, point, "given"};
}

/// 0.4 log10(gamma s^2) + `at_one`, within 0 and 1.
double eta_on_line(double gamma, double median_distance, double at_one) {
  return std::clamp(0.4 * std::log10(gamma * median_distance * median_distance) + at_one, 0.0, 1.0);
}

}  // namespace

double kernel_eta(double gamma, double median_distance) {
  return eta_on_line(gamma, median_distance, 0.4);
}

double kernel_path_eta(double gamma, double median_distance) {
  return eta_on_line(gamma, median_distance, 0.1);
}

std::size_t neighbor_kappa(std::size_t k) { return (k - 1) / 2; }

bool is_off_center(const SharedMatrix& points) {
  const auto count = static_cast<double>(points.rows());
  const std::vector<double> mean = linalg::row_mean(points);
  std::vector<double> variances(points.cols(), 0.0);
  points.for_each_block([&](std::size_t, MatrixView<const double> block) {
    for (std::size_t n = 0; n < block.rows(); ++n) {
      for (std::size_t d = 0; d < block.cols(); ++d)
        variances[d] += (block(n, d) - mean[d]) * (block(n, d) - mean[d]) / count;
    }
  });
  std::size_t off = 0;
  for (std::size_t d = 0; d < points.cols(); ++d) {
    const double spread = std::sqrt(variances[d]);
    if (spread > 0.0 && std::abs(mean[d]) > spread * std::max(1.0, 5.0 / std::sqrt(count))) ++off;
  }
  return 2 * off >= points.cols() && off > 0;
}

ResolvedReference resolve_reference(const Model& model, const Reference& reference,
                                    const std::optional<Background>& background) {
  if (reference.kind == Reference::Kind::given) return given_reference(model, reference.point);
  // A cosine does not change along a path from the origin. One background row is a baseline.
  const bool wants_mean = model.distance().is_cosine() ||
                          (background ? background->is_off_center || background->rows.rows() == 1
                                      : is_off_center(model.shared_points()));
  const bool at_mean = reference.kind == Reference::Kind::mean ||
                       (reference.kind == Reference::Kind::automatic && wants_mean);
  std::vector<double> point = !at_mean     ? std::vector<double>(model.model_features(), 0.0)
                              : background ? background->mean
                                           : linalg::row_mean(model.shared_points());
  std::vector<double> input_point =
      back_through(model.input(), Matrix(1, point.size(), point)).values();
  // A matrix may not reach the point exactly; the image of the input point is used.
  if (model.input().has_matrix()) model.input().apply(input_point, point);
  require_reference(input_point);
  require_reference(point);
  return {std::move(point), std::move(input_point), at_mean ? "mean" : "origin"};
}

}  // namespace bisector::detail

namespace bisector {

using namespace detail;

Background background_of(const Model& model, MatrixView<const double> rows, std::uint64_t seed) {
  require_rows(model, rows);
  if (rows.rows() == 0)
    throw InvalidInput("the background has no rows, expected rows that represent the data");
  const SharedMatrix mapped = preprocessed(model.input(), rows, model.model_features()).copy();
  const std::size_t most =
      std::clamp<std::size_t>(Background::kMostNumbers / rows.cols(), 60, Background::kMostRows);
  Background background{gather_rows(rows, util::sample_rows(rows.rows(), most, seed)),
                        linalg::row_mean(mapped), is_off_center(mapped), std::nullopt};
  const Kernel* kernel = model.kernel();
  if (kernel != nullptr && kernel->is_of_distance() && rows.rows() > 1)
    background.median_distance = linalg::median_distance(mapped->view(), model.distance());
  return background;
}

}  // namespace bisector
