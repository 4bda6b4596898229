// Models and rows of eighths between -16 and 16, whose sums of squares are exact: what remains
// between two ways of computing is the rounding of exponentials, which can be bounded.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bisector/model.h"
#include "recipe.h"

namespace bisector::fuzz {

inline double eighths(Recipe& recipe) { return (static_cast<double>(recipe.byte()) - 128.0) / 8.0; }

/// The recipe's bytes are few: they are spread over the matrix by a walk of its own.
inline Matrix tame_matrix(Recipe& recipe, std::size_t rows, std::size_t cols) {
  Matrix matrix(rows, cols);
  unsigned walk = recipe.byte();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t d = 0; d < cols; ++d) {
      walk = walk * 1103515245U + 12345U;
      const double fallback = (static_cast<double>(walk >> 16 & 255U) - 128.0) / 8.0;
      matrix(r, d) = recipe.is_empty() ? fallback : eighths(recipe);
    }
  }
  return matrix;
}

struct TameMachine {
  Matrix points;
  std::vector<double> coefficients;
  double gamma, intercept;
  Matrix rows;

  KernelMachine machine() const { return {points, coefficients, Kernel(gamma), intercept}; }
};

/// Has a point of either sign.
inline TameMachine tame_machine(Recipe& recipe, std::size_t most_points,
                                std::size_t most_features) {
  const std::size_t points = 2 + recipe.below(most_points - 1);
  const std::size_t features = 1 + recipe.below(most_features);
  TameMachine m;
  m.gamma = std::ldexp(1.0, static_cast<int>(recipe.below(9)) - 8);
  m.intercept = recipe.flag() ? eighths(recipe) : 0.0;
  for (std::size_t n = 0; n < points; ++n) {
    const double size = 0.125 + static_cast<double>(recipe.below(128)) / 8.0;
    const bool is_positive = n == 0 || (n > 1 && recipe.flag());
    m.coefficients.push_back(is_positive ? size : -size);
  }
  m.rows = tame_matrix(recipe, 1 + recipe.below(4), features);
  m.points = tame_matrix(recipe, points, features);
  return m;
}

struct TameNeighbors {
  Matrix points;
  std::vector<std::size_t> classes;
  std::size_t class_count, k;
  Matrix rows;

  Model model() const {
    std::vector<std::string> labels;
    for (std::size_t c = 0; c < class_count; ++c) labels.push_back(std::to_string(c));
    return Model(NeighborModel(points, classes, labels, k));
  }
};

inline TameNeighbors tame_neighbors(Recipe& recipe, std::size_t most_points,
                                    std::size_t most_features) {
  TameNeighbors m;
  m.class_count = 2 + recipe.below(3);
  const std::size_t points = m.class_count + recipe.below(most_points);
  const std::size_t features = 1 + recipe.below(most_features);
  m.k = 1 + recipe.below(points);
  for (std::size_t n = 0; n < points; ++n)
    m.classes.push_back(n < m.class_count ? n : recipe.below(m.class_count));
  m.rows = tame_matrix(recipe, 1 + recipe.below(4), features);
  m.points = tame_matrix(recipe, points, features);
  return m;
}

}  // namespace bisector::fuzz
