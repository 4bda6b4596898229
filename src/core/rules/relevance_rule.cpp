#include "core/rules/relevance_rule.h"

#include <algorithm>
#include <cmath>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

/// The largest term of a sum that was seen, against the largest sum.
class Cancellation {
 public:
  void see(double term, double sum) {
    largest_term_ = std::max(largest_term_, term);
    largest_sum_ = std::max(largest_sum_, std::abs(sum));
  }
  double ratio() const { return largest_term_ > 0.0 ? largest_term_ / largest_sum_ : 1.0; }

 private:
  double largest_term_ = 0.0, largest_sum_ = 0.0;
};

double larger_magnitude(double a, double b) { return std::max(std::abs(a), std::abs(b)); }

}  // namespace

RelevanceRule::RelevanceRule(const AffineMap& input, std::vector<double> reference,
                             std::vector<double> input_reference, double eta, Distance distance)
    : reference_(std::move(reference)),
      input_reference_(std::move(input_reference)),
      eta_(eta),
      distance_(std::move(distance)) {
  if (!input.has_matrix()) return;
  const Matrix& m = input.matrix();
  Matrix forward(m.rows(), m.cols());
  map_ = Matrix(m.cols(), m.rows());
  for (std::size_t o = 0; o < m.rows(); ++o) {
    for (std::size_t d = 0; d < m.cols(); ++d)
      forward(o, d) = map_(d, o) = m(o, d) * input.scale()[d];
  }
  inverse_ = linalg::pseudo_inverse(forward);
}

std::size_t RelevanceRule::columns() const {
  // eta = 0 is the gradient alone, which needs no second moment.
  return reference_.size() + (eta_ == 0.0 ? 0 : input_reference_.size());
}

/// matrix * (u - r).
std::vector<double> RelevanceRule::to_inputs(const Matrix& matrix, std::span<const double> centered,
                                             std::span<const double> center) const {
  std::vector<double> out(matrix.rows(), 0.0);
  for (std::size_t d = 0; d < matrix.rows(); ++d) {
    for (std::size_t o = 0; o < matrix.cols(); ++o)
      out[d] += matrix(d, o) * (centered[o] + (center[o] - reference_[o]));
  }
  return out;
}

void RelevanceRule::values(std::span<const double> centered, std::span<const double> center,
                           std::span<double> out) const {
  if (is_seen_from_row()) {
    std::vector<double> point(centered.begin(), centered.end());
    for (std::size_t d = 0; d < point.size(); ++d) point[d] += center[d];
    std::ranges::fill(out, 0.0);
    linalg::RowDistance(distance_, center)
        .add(point.data(), 1.0, out.first(point.size()), out.subspan(point.size()));
    return;
  }
  std::ranges::copy(centered, out.begin());
  if (eta_ == 0.0) return;
  const auto second = out.subspan(centered.size());
  if (!has_matrix()) {
    for (std::size_t d = 0; d < centered.size(); ++d) second[d] = centered[d] * centered[d];
    return;
  }
  const auto a = to_inputs(inverse_, centered, center), b = to_inputs(map_, centered, center);
  for (std::size_t d = 0; d < a.size(); ++d) second[d] = a[d] * b[d];
}

void RelevanceRule::mean_values(std::span<const double* const> points,
                                std::span<const double> center, std::span<double> mean,
                                std::span<const double> weights) const {
  const std::size_t features = center.size();
  if (weights.empty() && !has_matrix() && eta_ != 0.0 && !is_seen_from_row()) {
    linalg::sum_moments(points, center, mean.first(features), mean.subspan(features));
  } else if (!weights.empty() && !has_matrix() && !is_seen_from_row()) {
    linalg::sum_weighted_moments(points, weights, center, mean);
  } else {
    std::vector<double> centered(features), added(columns());
    std::ranges::fill(mean, 0.0);
    for (std::size_t n = 0; n < points.size(); ++n) {
      for (std::size_t d = 0; d < features; ++d) centered[d] = points[n][d] - center[d];
      values(centered, center, added);
      const double weight = weights.empty() ? 1.0 : weights[n];
      for (std::size_t v = 0; v < added.size(); ++v) mean[v] += weight * added[v];
    }
  }
  if (!weights.empty()) return;
  for (double& value : mean) value /= static_cast<double>(points.size());
}

double RelevanceRule::relevance(const Row& row, std::span<const double> positive_mean,
                                std::span<const double> negative_mean,
                                std::span<const double> gradient_term,
                                std::span<double> out) const {
  if (has_matrix())
    return relevance_behind_matrix(row, positive_mean, negative_mean, gradient_term, out);
  Cancellation cancellation;
  const std::size_t features = reference_.size();
  for (std::size_t d = 0; d < features; ++d) {
    const double at_x = positive_mean[d] - negative_mean[d];
    const double from_reference = row.centered[d] + (row.center[d] - reference_[d]);
    out[d] = gradient_term.empty()
                 ? 2.0 * ((1.0 - eta_) * from_reference * at_x + eta_ * row.centered[d] * at_x)
                 : (1.0 - eta_) * gradient_term[d] + 2.0 * eta_ * row.centered[d] * at_x;
    double term = 2.0 * larger_magnitude(from_reference, row.centered[d]) *
                  larger_magnitude(positive_mean[d], negative_mean[d]);
    if (eta_ != 0.0) {
      out[d] += eta_ * (negative_mean[features + d] - positive_mean[features + d]);
      term = std::max(
          term, eta_ * larger_magnitude(positive_mean[features + d], negative_mean[features + d]));
    }
    cancellation.see(term, out[d]);
  }
  return cancellation.ratio();
}

void RelevanceRule::add_step(const End& row, const End& reference,
                             std::span<const double> moment_difference, double weight,
                             std::span<double> gradient_term) const {
  if (!has_matrix()) {
    for (std::size_t d = 0; d < gradient_term.size(); ++d)
      gradient_term[d] += 2.0 * weight * (row.point[d] - reference.point[d]) * moment_difference[d];
    return;
  }
  for (std::size_t d = 0; d < gradient_term.size(); ++d)
    gradient_term[d] += 2.0 * weight * (row.input[d] - reference.input[d]) *
                        linalg::dot(map_.row(d), moment_difference);
}

double RelevanceRule::relevance_behind_matrix(const Row& row, std::span<const double> positive_mean,
                                              std::span<const double> negative_mean,
                                              std::span<const double> gradient_term,
                                              std::span<double> out) const {
  const std::size_t features = reference_.size();
  const auto mapped = [&](const Matrix& matrix, std::span<const double> mean) {
    return to_inputs(matrix, mean.first(features), row.center);
  };
  const auto b_positive = mapped(map_, positive_mean), b_negative = mapped(map_, negative_mean);
  Cancellation cancellation;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double at_x = b_positive[d] - b_negative[d];
    const double lever = 2.0 * (row.input[d] - input_reference_[d]);
    out[d] = gradient_term.empty() ? lever * at_x
                                   : (1.0 - eta_) * gradient_term[d] + eta_ * lever * at_x;
    cancellation.see(std::abs(lever) * larger_magnitude(b_positive[d], b_negative[d]), out[d]);
  }
  if (eta_ == 0.0) return cancellation.ratio();
  const auto a_positive = mapped(inverse_, positive_mean);
  const auto a_negative = mapped(inverse_, negative_mean);
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] -= eta_ * (positive_mean[features + d] - negative_mean[features + d] +
                      a_negative[d] * b_positive[d] - a_positive[d] * b_negative[d]);
  return cancellation.ratio();
}

}  // namespace bisector::detail
