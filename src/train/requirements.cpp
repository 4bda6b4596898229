#include "train/requirements.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "core/models/model_fields.h"

namespace bisector::detail {
namespace {

void require_size(std::size_t actual, std::size_t rows) {
  if (actual != rows)
    throw InvalidInput(fmt::format("{} targets for {} rows, expected one each", actual, rows));
}

void require_k(std::size_t k, std::size_t rows) {
  if (k < 1 || k > rows)
    throw InvalidInput(
        fmt::format("k is {}, expected a number from 1 to {}, the number of rows", k, rows));
}

void require_share(double outliers) {
  if (!(outliers >= 0.0 && outliers < 1.0))
    throw InvalidInput(
        fmt::format("the fraction of outliers is {}, expected a number from 0, below 1", outliers));
}

}  // namespace

const ClassTarget& require_classes(const Target& target, std::size_t rows) {
  const auto* classes = std::get_if<ClassTarget>(&target);
  if (!classes) throw InvalidInput("the target has no classes, expected classes for a classifier");
  require_size(classes->classes.size(), rows);
  if (classes->labels.size() < 2)
    throw InvalidInput(fmt::format("{} classes, expected at least two", classes->labels.size()));
  std::vector<std::size_t> counts(classes->labels.size(), 0);
  for (const std::size_t c : classes->classes) {
    if (c >= counts.size())
      throw InvalidInput(fmt::format("a row has class {}, expected below {}", c, counts.size()));
    ++counts[c];
  }
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0)
      throw InvalidInput(
          fmt::format("class \"{}\" has no row, expected at least one", classes->labels[c]));
  }
  return *classes;
}

const std::vector<double>& require_numbers(const Target& target, std::size_t rows) {
  const auto* numbers = std::get_if<std::vector<double>>(&target);
  if (!numbers) throw InvalidInput("the target has no numbers, expected numbers for a regressor");
  require_size(numbers->size(), rows);
  for (std::size_t r = 0; r < rows; ++r) {
    if (!std::isfinite((*numbers)[r]))
      throw InvalidInput(
          fmt::format("the target of row {} is {}, expected a number", r + 1, (*numbers)[r]));
  }
  return *numbers;
}

void require_no_target(const Target& target) {
  if (!std::holds_alternative<std::monostate>(target))
    throw InvalidInput("a detector has no target");
}

void require_class_weights(const SvmLearner& learner, const ClassTarget& classes) {
  const std::size_t count = learner.class_weights.size();
  if (count != 0 && count != classes.labels.size())
    throw InvalidInput(fmt::format("{} class weights for {} classes, expected one each", count,
                                   classes.labels.size()));
}

void require_positive(double value, std::string_view name) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw InvalidInput(fmt::format("{} is {}, expected a number above 0", name, value));
}

void require_parameters(const Learner& learner, std::size_t rows) {
  std::visit(Overloaded{[](const SvmLearner& svm) {
                          require_positive(svm.gamma, "gamma");
                          require_positive(svm.cost, "cost");
                          for (const double weight : svm.class_weights)
                            require_positive(weight, "a class's weight");
                        },
                        [](const SvrLearner& svr) {
                          require_positive(svr.gamma, "gamma");
                          require_positive(svr.cost, "cost");
                          if (!(svr.epsilon >= 0.0) || !std::isfinite(svr.epsilon))
                            throw InvalidInput(fmt::format(
                                "epsilon is {}, expected a number from 0", svr.epsilon));
                        },
                        [](const OneClassLearner& one_class) {
                          require_positive(one_class.gamma, "gamma");
                          // With 1 every row is outside, and no level is high enough.
                          if (!(one_class.nu > 0.0 && one_class.nu < 1.0))
                            throw InvalidInput(fmt::format(
                                "nu is {}, expected a number above 0 and below 1", one_class.nu));
                        },
                        [&](const NeighborLearner& neighbors) { require_k(neighbors.k, rows); },
                        [](const RidgeLearner& ridge) {
                          require_positive(ridge.gamma, "gamma");
                          require_positive(ridge.lambda, "lambda");
                        },
                        [&](const DetectorLearner& detector) {
                          require_k(detector.k, rows - 1);  // each is scored by the others
                          require_share(detector.outliers);
                        },
                        [](const DensityLearner& density) {
                          require_positive(density.gamma, "gamma");
                          if (!density.kernel.with_gamma(1.0).is_of_distance())
                            throw InvalidInput(
                                "a density with a kernel of the dot product, expected a kernel of "
                                "a distance");
                          require_share(density.outliers);
                        }},
             learner);
}

}  // namespace bisector::detail
