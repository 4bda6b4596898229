// A function that is not a model, to show that the baselines need none: its value and gradient a
// row at a time and in batches, and a count of what was asked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bisector/baselines.h"
#include "reference/baselines.h"

namespace bisector {

using reference::Vector;

/// sum_d (d + 1) sin(x_d) + sum_d x_d x_(d+1), with curvature and interactions.
inline double wavy(const Vector& x) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d)
    sum += static_cast<double>(d + 1) * std::sin(x[d]) + (d > 0 ? x[d - 1] * x[d] : 0.0);
  return sum;
}

inline Vector wavy_gradient(const Vector& x) {
  Vector slope(x.size());
  for (std::size_t d = 0; d < x.size(); ++d)
    slope[d] = static_cast<double>(d + 1) * std::cos(x[d]) + (d > 0 ? x[d - 1] : 0.0) +
               (d + 1 < x.size() ? x[d + 1] : 0.0);
  return slope;
}

struct Calls {
  std::size_t rows = 0, largest_batch = 0, count = 0;

  void add(std::size_t batch) {
    rows += batch;
    largest_batch = std::max(largest_batch, batch);
    ++count;
  }
};

inline BatchFunction batched(const reference::Function& f, Calls* calls = nullptr) {
  return [f, calls](MatrixView<const double> rows, std::span<double> values) {
    if (calls) calls->add(rows.rows());
    for (std::size_t r = 0; r < rows.rows(); ++r) values[r] = f(reference::to_vector(rows.row(r)));
  };
}

inline BatchGradient batched_gradient(const reference::Gradient& gradient, Calls* calls = nullptr) {
  return [gradient, calls](MatrixView<const double> rows, MatrixView<double> gradients) {
    if (calls) calls->add(rows.rows());
    for (std::size_t r = 0; r < rows.rows(); ++r)
      std::ranges::copy(gradient(reference::to_vector(rows.row(r))), gradients.row(r).begin());
  };
}

}  // namespace bisector
