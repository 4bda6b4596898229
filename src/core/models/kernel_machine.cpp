#include "bisector/kernel_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

KernelMachine::KernelMachine(SharedMatrix points, std::vector<double> coefficients, Kernel kernel,
                             double intercept)
    : points_(points),
      coefficients_(std::move(coefficients)),
      kernel_(std::move(kernel)),
      intercept_(intercept) {
  require_points(*points_, "support vectors");
  require_equal(coefficients_.size(), points_->rows(), "coefficients", "support vectors");
  require_finite(coefficients_, "coefficients");
  require_distance(kernel_.distance(), *points_);
  require_finite({&intercept_, 1}, "intercept");
}

KernelClassifier::KernelClassifier(SharedMatrix points, std::vector<std::size_t> points_per_class,
                                   Matrix coefficients, std::vector<double> intercepts,
                                   Kernel kernel, std::vector<std::string> labels)
    : KernelClassifier(Arrangement::one_vs_one, points, std::move(points_per_class),
                       std::move(coefficients), std::move(intercepts), std::move(kernel),
                       std::move(labels)) {}

KernelClassifier KernelClassifier::one_vs_rest(SharedMatrix points, Matrix coefficients,
                                               std::vector<double> intercepts, Kernel kernel,
                                               std::vector<std::string> labels) {
  if (labels.size() < 3)
    throw InvalidModel(fmt::format(
        "{} classes with a machine for each, expected at least three: two have one machine",
        labels.size()));
  // Nobody owns a point: the count by class only has to add up.
  std::vector<std::size_t> counts(labels.size(), 0);
  if (!counts.empty()) counts[0] = points->rows();
  return KernelClassifier(Arrangement::one_vs_rest, points, std::move(counts),
                          std::move(coefficients), std::move(intercepts), std::move(kernel),
                          std::move(labels));
}

KernelClassifier::KernelClassifier(Arrangement arrangement, SharedMatrix points,
                                   std::vector<std::size_t> points_per_class, Matrix coefficients,
                                   std::vector<double> intercepts, Kernel kernel,
                                   std::vector<std::string> labels)
    : arrangement_(arrangement),
      points_(points),
      points_per_class_(std::move(points_per_class)),
      coefficients_(std::move(coefficients)),
      intercepts_(std::move(intercepts)),
      kernel_(std::move(kernel)),
      labels_(std::move(labels)) {
  const std::size_t count = labels_.size();
  if (count < 2) throw InvalidModel(fmt::format("{} labels, expected at least two", count));
  require_distinct(labels_);
  require_points(*points_, "support vectors");
  require_equal(points_per_class_.size(), count, "counts of support vectors", "classes");
  require_equal(std::accumulate(points_per_class_.begin(), points_per_class_.end(), std::size_t{0}),
                points_->rows(), "support vectors counted by class", "support vectors");
  const bool by_pair = !has_machine_per_class();
  if (by_pair)
    require_equal(coefficients_.rows(), count - 1, "rows of coefficients", "classes but one");
  else
    require_equal(coefficients_.rows(), count, "rows of coefficients", "classes");
  require_equal(coefficients_.cols(), points_->rows(), "columns of coefficients",
                "support vectors");
  require_finite(coefficients_.values(), "coefficients");
  require_equal(intercepts_.size(), by_pair ? count * (count - 1) / 2 : count, "intercepts",
                by_pair ? "pairs of classes" : "classes");
  require_finite(intercepts_, "intercepts");
  require_distance(kernel_.distance(), *points_);
}

KernelClassifier KernelClassifier::with_broken_ties() const {
  if (classes() < 3 || has_machine_per_class())
    throw InvalidModel("no ties to break, expected machines of the pairs of three classes or more");
  KernelClassifier broken = *this;
  broken.arrangement_ = Arrangement::one_vs_one_by_confidence;
  return broken;
}

KernelClassifier KernelClassifier::two_class(const KernelMachine& machine, std::string positive,
                                             std::string negative) {
  const auto& coefficients = machine.coefficients();
  std::vector<std::size_t> order(coefficients.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto middle = std::stable_partition(order.begin(), order.end(),
                                            [&](std::size_t n) { return coefficients[n] > 0.0; });
  Matrix row(1, order.size());
  for (std::size_t n = 0; n < order.size(); ++n) row(0, n) = coefficients[order[n]];
  const auto positives = static_cast<std::size_t>(middle - order.begin());
  return KernelClassifier(
      gather_rows(machine.points(), order), {positives, order.size() - positives}, std::move(row),
      {machine.intercept()}, machine.kernel(), {std::move(positive), std::move(negative)});
}

std::size_t KernelClassifier::pair_index(std::size_t a, std::size_t b) const {
  // Pairs before row a: (C-1) + (C-2) + ... + (C-a).
  return a * (2 * classes() - a - 1) / 2 + (b - a - 1);
}

double KernelClassifier::pair_intercept(std::size_t a, std::size_t b) const {
  return has_machine_per_class() ? intercepts_[a] - intercepts_[b] : intercepts_[pair_index(a, b)];
}

std::vector<double> KernelClassifier::pair_coefficients(std::size_t a, std::size_t b) const {
  std::vector<double> signed_weights(points_->rows(), 0.0);
  if (has_machine_per_class()) {
    for (std::size_t n = 0; n < signed_weights.size(); ++n)
      signed_weights[n] = coefficients_(a, n) - coefficients_(b, n);
    return signed_weights;
  }
  std::size_t first = 0;
  for (std::size_t c = 0; c < classes(); ++c) {
    const std::size_t last = first + points_per_class_[c];
    if (c == a || c == b) {
      const auto row = coefficients_.row(c == a ? b - 1 : a);
      for (std::size_t n = first; n < last; ++n) signed_weights[n] = row[n];
    }
    first = last;
  }
  return signed_weights;
}

}  // namespace bisector
