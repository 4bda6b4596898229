// The shortest vector in an intersection of half-spaces and a box.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::detail {

/// Minimizes |v|^2 / 2 over a.v <= b for every half-space and lowest <= v <= highest, by coordinate
/// ascent on the dual (Hildreth 1957). Half-spaces can be added between calls of solve(), which
/// continues from the last solution.
class HalfSpaces {
 public:
  explicit HalfSpaces(std::size_t dimensions);
  HalfSpaces(std::vector<double> lowest, std::vector<double> highest);

  void add(std::span<const double> normal, double bound);
  std::size_t size() const { return bounds_.size(); }
  /// The number of multiplications since the start.
  double work() const { return work_; }

  void solve();
  std::span<const double> solution() const { return solution_; }
  /// A length that no vector in the intersection is shorter than: the dual value is a lower bound
  /// of the minimum, also if solve() stopped early.
  double least_length() const;

 private:
  void update_solution();

  std::vector<double> lowest_, highest_;  // empty: no box
  std::vector<double> normals_;           // one after the other
  std::vector<double> bounds_, squares_, multipliers_;
  std::vector<double> free_;      // minus the sum of multipliers times normals
  std::vector<double> solution_;  // free_, clamped to the box
  double work_ = 0.0;
};

}  // namespace bisector::detail
