#include "core/rules/relevance_rule.h"

#include <algorithm>
#include <cmath>

namespace bisector::detail {
namespace {

/// The ratio of the largest term of any sum to the largest sum.
class Cancellation {
 public:
  void add(double term, double sum) {
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
                             std::vector<double> input_reference, double eta,
                             const Distance& distance)
    : input_reference_(std::move(input_reference)),
      eta_(eta),
      // eta = 0 is the gradient alone, which needs no second moment.
      values_(std::make_shared<const PointValues>(
          input, std::move(reference),
          eta == 0.0 ? PointValues::Kind::first : PointValues::Kind::both, distance)) {}

double RelevanceRule::relevance(const Row& row, std::span<const double> positive_mean,
                                std::span<const double> negative_mean,
                                std::span<const double> gradient_term,
                                std::span<double> out) const {
  if (values_->has_matrix())
    return relevance_behind_matrix(row, positive_mean, negative_mean, gradient_term, out);
  Cancellation cancellation;
  const std::vector<double>& reference = values_->reference();
  const std::size_t features = reference.size();
  for (std::size_t d = 0; d < features; ++d) {
    const double at_x = positive_mean[d] - negative_mean[d];
    const double from_reference = row.centered[d] + (row.center[d] - reference[d]);
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
    cancellation.add(term, out[d]);
  }
  return cancellation.ratio();
}

double RelevanceRule::relevance_behind_matrix(const Row& row, std::span<const double> positive_mean,
                                              std::span<const double> negative_mean,
                                              std::span<const double> gradient_term,
                                              std::span<double> out) const {
  const std::size_t features = values_->reference().size();
  const auto b_positive = values_->mapped(positive_mean.first(features), row.center);
  const auto b_negative = values_->mapped(negative_mean.first(features), row.center);
  Cancellation cancellation;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double at_x = b_positive[d] - b_negative[d];
    const double from_reference = 2.0 * (row.input[d] - input_reference_[d]);
    out[d] = gradient_term.empty() ? from_reference * at_x
                                   : (1.0 - eta_) * gradient_term[d] + eta_ * from_reference * at_x;
    cancellation.add(std::abs(from_reference) * larger_magnitude(b_positive[d], b_negative[d]),
                     out[d]);
  }
  if (eta_ == 0.0) return cancellation.ratio();
  const auto a_positive = values_->inverse_mapped(positive_mean.first(features), row.center);
  const auto a_negative = values_->inverse_mapped(negative_mean.first(features), row.center);
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] -= eta_ * (positive_mean[features + d] - negative_mean[features + d] +
                      a_negative[d] * b_positive[d] - a_positive[d] * b_negative[d]);
  return cancellation.ratio();
}

}  // namespace bisector::detail
