#include "core/flips/half_spaces.h"

#include <algorithm>
#include <cmath>

#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

constexpr int kMostSweeps = 300;

}  // namespace

HalfSpaces::HalfSpaces(std::size_t dimensions)
    : free_(dimensions, 0.0), solution_(dimensions, 0.0) {}

HalfSpaces::HalfSpaces(std::vector<double> lowest, std::vector<double> highest)
    : lowest_(std::move(lowest)),
      highest_(std::move(highest)),
      free_(lowest_.size(), 0.0),
      solution_(lowest_.size(), 0.0) {
  update_solution();
}

void HalfSpaces::add(std::span<const double> normal, double bound) {
  const double square = linalg::squared_norm(normal);
  if (!(square > 0.0)) return;
  normals_.insert(normals_.end(), normal.begin(), normal.end());
  bounds_.push_back(bound);
  squares_.push_back(square);
  multipliers_.push_back(0.0);
}

void HalfSpaces::update_solution() {
  for (std::size_t d = 0; d < free_.size(); ++d)
    solution_[d] = lowest_.empty() ? free_[d] : std::clamp(free_[d], lowest_[d], highest_[d]);
}

void HalfSpaces::solve() {
  const std::size_t n = free_.size();
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double largest = 0.0;
    for (std::size_t c = 0; c < bounds_.size(); ++c) {
      const std::span<const double> normal(normals_.data() + c * n, n);
      const double violation = linalg::dot(normal, solution_) - bounds_[c];
      const double step = std::max(-multipliers_[c], violation / squares_[c]);
      multipliers_[c] += step;
      for (std::size_t d = 0; d < n; ++d) free_[d] -= step * normal[d];
      update_solution();
      largest = std::max(largest, std::abs(step) * std::sqrt(squares_[c]));
    }
    work_ += 3.0 * static_cast<double>(n * bounds_.size());
    if (largest <= 1e-10 * std::sqrt(linalg::squared_norm(solution_))) break;
  }
}

double HalfSpaces::least_length() const {
  const std::size_t n = free_.size();
  double value = 0.5 * linalg::squared_norm(solution_);
  for (std::size_t c = 0; c < bounds_.size(); ++c) {
    const std::span<const double> normal(normals_.data() + c * n, n);
    value += multipliers_[c] * (linalg::dot(normal, solution_) - bounds_[c]);
  }
  return value > 0.0 ? std::sqrt(2.0 * value) : 0.0;
}

}  // namespace bisector::detail
