#include "explain/relevance_rule.h"

#include <algorithm>

#include "linalg/vectors.h"

namespace bisector {

RelevanceRule::RelevanceRule(const AffineMap& input, std::vector<double> center,
                             std::vector<double> reference, std::vector<double> input_reference,
                             double eta)
    : center_(std::move(center)),
      offset_(center_.size()),
      input_reference_(std::move(input_reference)),
      eta_(eta) {
  for (std::size_t d = 0; d < center_.size(); ++d) offset_[d] = center_[d] - reference[d];
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
  const std::size_t second = has_matrix() ? map_.rows() : center_.size();
  return center_.size() + (eta_ == 0.0 ? 0 : second);
}

/// matrix * (u - r), for a point relative to the center.
std::vector<double> RelevanceRule::to_inputs(const Matrix& matrix,
                                             std::span<const double> centred) const {
  std::vector<double> out(matrix.rows(), 0.0);
  for (std::size_t d = 0; d < matrix.rows(); ++d) {
    for (std::size_t o = 0; o < matrix.cols(); ++o)
      out[d] += matrix(d, o) * (centred[o] + offset_[o]);
  }
  return out;
}

void RelevanceRule::values(std::span<const double> centred, std::span<double> out) const {
  std::ranges::copy(centred, out.begin());
  if (eta_ == 0.0) return;
  const auto second = out.subspan(centred.size());
  if (!has_matrix()) {
    for (std::size_t d = 0; d < centred.size(); ++d) second[d] = centred[d] * centred[d];
    return;
  }
  const std::vector<double> a = to_inputs(inverse_, centred), b = to_inputs(map_, centred);
  for (std::size_t d = 0; d < a.size(); ++d) second[d] = a[d] * b[d];
}

void RelevanceRule::relevance(std::span<const double> input_row, std::span<const double> centred,
                              std::span<const double> positive_mean,
                              std::span<const double> negative_mean,
                              std::span<const double> direction, std::span<double> out) const {
  if (has_matrix())
    return relevance_behind_matrix(input_row, positive_mean, negative_mean, direction, out);
  const std::size_t features = centred.size();
  for (std::size_t d = 0; d < features; ++d) {
    const double at_x = positive_mean[d] - negative_mean[d];
    const double first = direction.empty() ? at_x : direction[d];
    const double from_reference = centred[d] + offset_[d];
    out[d] = 2.0 * ((1.0 - eta_) * from_reference * first + eta_ * centred[d] * at_x);
    if (eta_ != 0.0) out[d] += eta_ * (negative_mean[features + d] - positive_mean[features + d]);
  }
}

void RelevanceRule::relevance_behind_matrix(std::span<const double> input_row,
                                            std::span<const double> positive_mean,
                                            std::span<const double> negative_mean,
                                            std::span<const double> direction,
                                            std::span<double> out) const {
  const std::size_t features = center_.size();
  const auto b_positive = to_inputs(map_, positive_mean.first(features));
  const auto b_negative = to_inputs(map_, negative_mean.first(features));
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double at_x = b_positive[d] - b_negative[d];
    double first = at_x;
    if (!direction.empty())
      first = (1.0 - eta_) * linalg::dot(map_.row(d), direction) + eta_ * at_x;
    out[d] = 2.0 * (input_row[d] - input_reference_[d]) * first;
  }
  if (eta_ == 0.0) return;
  const auto a_positive = to_inputs(inverse_, positive_mean.first(features));
  const auto a_negative = to_inputs(inverse_, negative_mean.first(features));
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] -= eta_ * (positive_mean[features + d] - negative_mean[features + d] +
                      a_negative[d] * b_positive[d] - a_positive[d] * b_negative[d]);
}

}  // namespace bisector
