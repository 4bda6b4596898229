#include "bisector/kernel_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/describe.h"

namespace bisector {

using namespace detail;

namespace {

PoolSizes sizes_by_sign(const KernelMachine& machine) {
  PoolSizes sizes{0, 0, machine.intercept()};
  for (const double value : machine.coefficients()) {
    if (value > 0.0) ++sizes.positive;
    if (value < 0.0) ++sizes.negative;
  }
  return sizes;
}

KernelMachine times(double sign, const SharedMatrix& points, std::vector<double> coefficients,
                    const Kernel& kernel, double intercept) {
  for (double& value : coefficients) value *= sign;
  return KernelMachine(points, std::move(coefficients), kernel, sign * intercept);
}

/// The points by the sign of their coefficients.
std::vector<PointCount> counts_by_sign(const KernelMachine& machine) {
  const PoolSizes sizes = sizes_by_sign(machine);
  return {{"with coefficient > 0", sizes.positive}, {"with coefficient < 0", sizes.negative}};
}

}  // namespace

KernelMachine::KernelMachine(Data data) : data_(std::move(data)) {
  require_points(points(), "support vectors");
  require_equal(coefficients().size(), points().rows(), "coefficients", "support vectors");
  require_finite(coefficients(), "coefficients");
  require_distance(kernel().distance(), points());
  require_finite({&data_.intercept, 1}, "intercept");
}

KernelClassifier::KernelClassifier(SharedMatrix points, std::vector<std::size_t> points_per_class,
                                   Matrix coefficients, std::vector<double> intercepts,
                                   Kernel kernel, std::vector<std::string> labels)
    : KernelClassifier(Data{points, std::move(coefficients), std::move(intercepts),
                            std::move(kernel), Arrangement::one_vs_one, std::move(points_per_class),
                            std::move(labels)}) {}

KernelClassifier KernelClassifier::one_vs_rest(SharedMatrix points, Matrix coefficients,
                                               std::vector<double> intercepts, Kernel kernel,
                                               std::vector<std::string> labels) {
  return KernelClassifier(Data{points,
                               std::move(coefficients),
                               std::move(intercepts),
                               std::move(kernel),
                               Arrangement::one_vs_rest,
                               {},
                               std::move(labels)});
}

KernelClassifier::KernelClassifier(Data data) : data_(std::move(data)) {
  const std::size_t count = classes(), size = data_.points->rows();
  const bool by_pair = !has_machine_per_class();
  if (!by_pair && count < 3)
    throw InvalidModel(fmt::format(
        "{} classes with a machine for each, expected at least three: two have one machine",
        count));
  if (arrangement() == Arrangement::one_vs_one_by_confidence && count < 3)
    throw InvalidModel("no ties to break, expected machines of the pairs of three classes or more");
  if (count < 2) throw InvalidModel(fmt::format("{} labels, expected at least two", count));
  require_distinct(labels());
  require_points(points(), "support vectors");
  if (!by_pair) {
    // All classes share the points. Files store counts that add up to their number.
    data_.points_per_class.assign(count, 0);
    data_.points_per_class[0] = size;
  }
  require_equal(points_per_class().size(), count, "counts of support vectors", "classes");
  require_equal(
      std::accumulate(points_per_class().begin(), points_per_class().end(), std::size_t{0}), size,
      "support vectors counted by class", "support vectors");
  require_equal(coefficients().rows(), by_pair ? count - 1 : count, "rows of coefficients",
                by_pair ? "classes but one" : "classes");
  require_equal(coefficients().cols(), size, "columns of coefficients", "support vectors");
  require_finite(coefficients().values(), "coefficients");
  require_equal(intercepts().size(), by_pair ? count * (count - 1) / 2 : count, "intercepts",
                by_pair ? "pairs of classes" : "classes");
  require_finite(intercepts(), "intercepts");
  require_distance(distance(), points());
}

KernelClassifier KernelClassifier::with_broken_ties() const {
  if (has_machine_per_class())
    throw InvalidModel("no ties to break, expected machines of the pairs of three classes or more");
  Data data = data_;
  data.arrangement = Arrangement::one_vs_one_by_confidence;
  return KernelClassifier(std::move(data));
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
  return has_machine_per_class() ? intercepts()[a] - intercepts()[b]
                                 : intercepts()[pair_index(a, b)];
}

std::vector<double> KernelClassifier::pair_coefficients(std::size_t a, std::size_t b) const {
  std::vector<double> signed_weights(points().rows(), 0.0);
  if (has_machine_per_class()) {
    for (std::size_t n = 0; n < signed_weights.size(); ++n)
      signed_weights[n] = data_.coefficients(a, n) - data_.coefficients(b, n);
    return signed_weights;
  }
  std::size_t first = 0;
  for (std::size_t c = 0; c < classes(); ++c) {
    const std::size_t last = first + points_per_class()[c];
    if (c == a || c == b) {
      const auto row = data_.coefficients.row(c == a ? b - 1 : a);
      for (std::size_t n = first; n < last; ++n) signed_weights[n] = row[n];
    }
    first = last;
  }
  return signed_weights;
}

ModelSummary KernelClassifier::summary() const {
  const std::string kernel_words = describe(kernel());
  if (has_machine_per_class())
    return {kernel_words + " machines, one for each class: the largest wins",
            "support vectors",
            {{"shared by all classes", points().rows()}},
            intercepts()};
  ModelSummary result{kernel_words + " SVM classifier", "support vectors", {}, intercepts()};
  if (classes() > 2) result.description += ", one machine for each pair of classes";
  if (arrangement() == Arrangement::one_vs_one_by_confidence)
    result.description += "; of equal votes the largest sum of decision values wins";
  for (std::size_t c = 0; c < classes(); ++c)
    result.points.push_back({"of class " + labels()[c], points_per_class()[c]});
  return result;
}

KernelMachine KernelClassifier::pair_machine(std::size_t positive, std::size_t negative,
                                             double) const {
  const auto [low, high] = std::minmax(positive, negative);
  return times(positive == low ? 1.0 : -1.0, data_.points, pair_coefficients(low, high), kernel(),
               pair_intercept(low, high));
}

PoolSizes KernelClassifier::pool_sizes(std::size_t positive, std::size_t negative,
                                       double level) const {
  return sizes_by_sign(pair_machine(positive, negative, level));
}

std::vector<KernelClassifier> KernelClassifier::against_rest() const {
  std::vector<KernelClassifier> result;
  for (std::size_t c = 0; has_machine_per_class() && c < classes(); ++c) {
    const auto own = coefficients().row(c);
    result.push_back(
        two_class(KernelMachine(data_.points, {own.begin(), own.end()}, kernel(), intercepts()[c]),
                  labels()[c], kRest));
  }
  return result;
}

ModelSummary KernelRegressor::summary() const {
  return {describe(kernel()) + " kernel regression (SVR, kernel ridge, Gaussian process mean)",
          "points",
          counts_by_sign(machine),
          {machine.intercept()}};
}

KernelMachine KernelRegressor::pair_machine(std::size_t, std::size_t, double level) const {
  return KernelMachine(machine.shared_points(), machine.coefficients(), machine.kernel(),
                       machine.intercept() - level);
}

PoolSizes KernelRegressor::pool_sizes(std::size_t positive, std::size_t negative,
                                      double level) const {
  return sizes_by_sign(pair_machine(positive, negative, level));
}

ModelSummary OneClassMachine::summary() const {
  const bool is_density = detail::is_density(*this);
  const std::string prefix = kernel().is_gaussian() ? "" : describe(kernel()) + " kernel, ";
  return {
      prefix + (is_density
                    ? "kernel density: class 1 is inside, where it is above its level, -1 outside"
                    : "one-class SVM: class 1 is inside, -1 outside"),
      is_density ? "training points" : "support vectors",
      counts_by_sign(machine),
      {machine.intercept()}};
}

KernelMachine OneClassMachine::pair_machine(std::size_t positive, std::size_t, double) const {
  return times(positive == 0 ? 1.0 : -1.0, machine.shared_points(), machine.coefficients(),
               machine.kernel(), machine.intercept());
}

PoolSizes OneClassMachine::pool_sizes(std::size_t positive, std::size_t negative,
                                      double level) const {
  return sizes_by_sign(pair_machine(positive, negative, level));
}

}  // namespace bisector
