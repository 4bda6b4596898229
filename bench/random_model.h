// Random models and rows of any shape.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bisector/model.h"
#include "bisector/random.h"

namespace bisector::bench {

struct Shape {
  std::size_t rows, points, features;
};

/// Normal numbers, scaled so that the median distance of two rows is about one.
inline Matrix normal_matrix(Random& random, std::size_t rows, std::size_t cols) {
  const double scale = 1.0 / std::sqrt(2.0 * static_cast<double>(cols));
  Matrix m(rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) m(r, c) = scale * random.normal();
  }
  return m;
}

/// A two-class machine with half of its points on each side; default: Gaussian kernel, gamma = 1.
inline Model random_machine(const Shape& shape, const Kernel& kernel = Kernel(1.0)) {
  Random random(1);
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < shape.points; ++n)
    coefficients.push_back((n % 2 == 0 ? 1.0 : -1.0) * (0.5 + random.uniform()));
  return Model(
      KernelClassifier::two_class(KernelMachine(normal_matrix(random, shape.points, shape.features),
                                                coefficients, kernel, 0.1),
                                  "for", "against"),
      {}, {}, 1.0);
}

/// Four classes with as many points each.
inline Model random_classes(const Shape& shape) {
  constexpr std::size_t kClasses = 4;
  Random random(1);
  std::vector<std::size_t> counts(kClasses, shape.points / kClasses);
  counts[0] += shape.points % kClasses;
  Matrix coefficients(kClasses - 1, shape.points);
  for (std::size_t c = 0, n = 0; c < kClasses; ++c) {
    for (const std::size_t last = n + counts[c]; n < last; ++n) {
      for (std::size_t row = 0; row < kClasses - 1; ++row)
        coefficients(row, n) = (row < c ? -1.0 : 1.0) * (0.5 + random.uniform());
    }
  }
  return Model(KernelClassifier(normal_matrix(random, shape.points, shape.features), counts,
                                std::move(coefficients),
                                std::vector<double>(kClasses * (kClasses - 1) / 2, 0.1),
                                Kernel(1.0), {"a", "b", "c", "d"}),
               {}, {}, 1.0);
}

inline Model random_regressor(const Shape& shape) {
  Random random(1);
  std::vector<double> coefficients(shape.points);
  for (double& value : coefficients) value = random.normal();
  return Model(KernelRegressor{KernelMachine(normal_matrix(random, shape.points, shape.features),
                                             std::move(coefficients), Kernel(1.0), 0.1),
                               0.0},
               {}, {}, 1.0);
}

inline Model random_one_class(const Shape& shape) {
  Random random(1);
  std::vector<double> coefficients(shape.points);
  for (double& value : coefficients) value = random.uniform() + 0.1;
  return Model(OneClassMachine{KernelMachine(normal_matrix(random, shape.points, shape.features),
                                             std::move(coefficients), Kernel(1.0),
                                             -0.1 * static_cast<double>(shape.points))},
               {}, {}, 1.0);
}

/// k = 9.
inline Model random_neighbors(const Shape& shape, std::size_t class_count,
                              NeighborVote::Weights weights = NeighborVote::Weights::uniform,
                              const Distance& distance = {}) {
  Random random(1);
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < class_count; ++c) labels.push_back(std::to_string(c));
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < shape.points; ++n) classes.push_back(n % class_count);
  NeighborVote vote;
  vote.weights = weights;
  vote.distance = distance;
  return Model(NeighborModel(normal_matrix(random, shape.points, shape.features),
                             std::move(classes), std::move(labels), 9, std::move(vote)));
}

inline Matrix random_rows(const Shape& shape) {
  Random random(2);
  return normal_matrix(random, shape.rows, shape.features);
}

}  // namespace bisector::bench
