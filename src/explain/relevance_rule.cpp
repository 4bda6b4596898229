#include "explain/relevance_rule.h"

#include <algorithm>
#include <cmath>

#include "linalg/vectors.h"

namespace bisector {
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

}  // namespace

RelevanceRule::RelevanceRule(const AffineMap& input, std::vector<double> reference,
                             std::vector<double> input_reference, double eta)
    : reference_(std::move(reference)), input_reference_(std::move(input_reference)), eta_(eta) {
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
std::vector<double> RelevanceRule::to_inputs(const Matrix& matrix, std::span<const double> centred,
                                             std::span<const double> center) const {
  std::vector<double> out(matrix.rows(), 0.0);
  for (std::size_t d = 0; d < matrix.rows(); ++d) {
    for (std::size_t o = 0; o < matrix.cols(); ++o)
      out[d] += matrix(d, o) * (centred[o] + (center[o] - reference_[o]));
  }
  return out;
}

void RelevanceRule::values(std::span<const double> centred, std::span<const double> center,
                           std::span<double> out) const {
  std::ranges::copy(centred, out.begin());
  if (eta_ == 0.0) return;
  const auto second = out.subspan(centred.size());
  if (!has_matrix()) {
    for (std::size_t d = 0; d < centred.size(); ++d) second[d] = centred[d] * centred[d];
    return;
  }
  const auto a = to_inputs(inverse_, centred, center), b = to_inputs(map_, centred, center);
  for (std::size_t d = 0; d < a.size(); ++d) second[d] = a[d] * b[d];
}

double RelevanceRule::relevance(std::span<const double> input_row, std::span<const double> centred,
                                std::span<const double> center,
                                std::span<const double> positive_mean,
                                std::span<const double> negative_mean,
                                std::span<double> out) const {
  if (has_matrix())
    return relevance_behind_matrix(input_row, center, positive_mean, negative_mean, out);
  Cancellation cancellation;
  const std::size_t features = centred.size();
  for (std::size_t d = 0; d < features; ++d) {
    const double positive = positive_mean[d], negative = negative_mean[d];
    const double from_reference = centred[d] + (center[d] - reference_[d]);
    const double lever = 2.0 * ((1.0 - eta_) * from_reference + eta_ * centred[d]);
    out[d] = lever * (positive - negative);
    double term = std::abs(lever) * std::max(std::abs(positive), std::abs(negative));
    if (eta_ != 0.0) {
      const double positive_square = positive_mean[features + d];
      const double negative_square = negative_mean[features + d];
      out[d] += eta_ * (negative_square - positive_square);
      term = std::max(term, eta_ * std::max(positive_square, negative_square));
    }
    cancellation.see(term, out[d]);
  }
  return cancellation.ratio();
}

double RelevanceRule::relevance_behind_matrix(std::span<const double> input_row,
                                              std::span<const double> center,
                                              std::span<const double> positive_mean,
                                              std::span<const double> negative_mean,
                                              std::span<double> out) const {
  const std::size_t features = reference_.size();
  const auto mapped = [&](const Matrix& matrix, std::span<const double> mean) {
    return to_inputs(matrix, mean.first(features), center);
  };
  const auto b_positive = mapped(map_, positive_mean), b_negative = mapped(map_, negative_mean);
  Cancellation cancellation;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double lever = 2.0 * (input_row[d] - input_reference_[d]);
    out[d] = lever * (b_positive[d] - b_negative[d]);
    cancellation.see(std::abs(lever) * std::max(std::abs(b_positive[d]), std::abs(b_negative[d])),
                     out[d]);
  }
  if (eta_ == 0.0) return cancellation.ratio();
  const auto a_positive = mapped(inverse_, positive_mean);
  const auto a_negative = mapped(inverse_, negative_mean);
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double square = positive_mean[features + d] - negative_mean[features + d];
    const double cross = a_negative[d] * b_positive[d] - a_positive[d] * b_negative[d];
    out[d] -= eta_ * (square + cross);
  }
  return cancellation.ratio();
}

}  // namespace bisector
