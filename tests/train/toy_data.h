// Small seeded datasets for training.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/random.h"
#include "bisector/train/targets.h"
#include "reference/random_models.h"

namespace bisector::test {

struct ToyClasses {
  Matrix rows;
  ClassTarget target;
};

/// Overlapping Gaussian clouds, one per class, with unequal numbers of rows in mixed order.
inline ToyClasses clouds(std::uint64_t seed, std::size_t count, std::size_t classes,
                         std::size_t features = 3) {
  Random random(seed);
  ToyClasses toy{reference::random_matrix(random, count, features), {}};
  for (std::size_t c = 0; c < classes; ++c)
    toy.target.labels.push_back(std::string(1, char('a' + c)));
  for (std::size_t r = 0; r < count; ++r) {
    // Every class has a row; later ones have fewer.
    const std::size_t c = r < classes ? r : std::min(random.below(classes), random.below(classes));
    toy.target.classes.push_back(c);
    for (std::size_t d = 0; d < features; ++d)
      toy.rows(r, d) += 1.5 * std::sin(static_cast<double>(c * features + d + 1));
  }
  return toy;
}

struct ToyNumbers {
  Matrix rows;
  std::vector<double> target;
};

/// A smooth function of two features with a little noise.
inline ToyNumbers waves(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  ToyNumbers toy{reference::random_matrix(random, count, 2), {}};
  for (std::size_t r = 0; r < count; ++r)
    toy.target.push_back(5.0 + std::sin(2.0 * toy.rows(r, 0)) + toy.rows(r, 1) +
                         0.05 * random.normal());
  return toy;
}

/// The rows with these numbers.
inline Matrix picked(const Matrix& rows, const std::vector<std::size_t>& indices) {
  Matrix result(indices.size(), rows.cols());
  for (std::size_t n = 0; n < indices.size(); ++n) {
    for (std::size_t d = 0; d < rows.cols(); ++d) result(n, d) = rows(indices[n], d);
  }
  return result;
}

}  // namespace bisector::test
