// Random and adversarial searches for the nearest points, and what sorting all distances finds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/random.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/vectors.h"
#include "reference/random_models.h"

namespace bisector::reference {

struct SearchCase {
  Matrix points, rows;
  std::vector<std::size_t> groups;  // of the points
  std::size_t group_count, wanted;
};

/// The number of cases of a test: BISECTOR_SEARCH_CASES if it is set, for longer runs.
inline std::uint64_t case_count(std::uint64_t usual) {
  const char* given = std::getenv("BISECTOR_SEARCH_CASES");
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

/// The kinds of data that bounds and ties find hardest.
inline void make_hard(Random& random, std::size_t kind, Matrix& points) {
  const std::size_t features = points.cols();
  for (std::size_t n = 0; n < points.rows(); ++n) {
    const auto point = points.row(n);
    for (std::size_t d = 0; d < features; ++d) {
      double& value = point[d];
      if (kind == 1) value = std::round(value);                              // ties
      if (kind == 2 && d % 3 == 0) value = 7.0;                              // constant columns
      if (kind == 3 && random.below(10) > 0) value = 0.0;                    // sparse
      if (kind == 4) value = value * value * value * value * value;          // heavy tails
      if (kind == 5) value = 1e5 + 1e-3 * value;                             // far from the origin
      if (kind == 6) value = (n % 2 == 0 ? 1.0 : -1.0) * 1e3 + value;        // two far clusters
      if (kind == 7 && d == 0) value *= 1e4;                                 // one large column
      if (kind == 8 && n % 50 == 0) value *= 1e6;                            // outliers
      if (kind == 9) value *= std::pow(10.0, -static_cast<double>(n % 30));  // shrinking points
    }
    if (kind % 3 == 0 && n % 4 == 1) std::ranges::copy(points.row(n - 1), point.begin());
  }
}

inline SearchCase search_case(std::uint64_t seed, std::size_t most_points,
                              std::size_t most_features, std::size_t least_features = 1) {
  Random random(seed);
  SearchCase c;
  const std::size_t features = least_features + random.below(most_features);
  c.points = random_matrix(random, 1 + random.below(most_points), features);
  c.rows = random_matrix(random, 1 + random.below(9), features);
  const std::size_t kind = random.below(11);
  make_hard(random, kind, c.points);
  make_hard(random, kind, c.rows);
  for (std::size_t r = 0; r < c.rows.rows(); ++r) {
    const std::size_t place = random.below(8);
    const auto near = c.points.row(random.below(c.points.rows()));
    if (place == 0) std::ranges::fill(c.rows.row(r), 0.0);
    if (place == 1 || place == 2) std::ranges::copy(near, c.rows.row(r).begin());
    if (place == 2) c.rows(r, 0) += 1e-9;
    if (place == 3) {
      for (double& value : c.rows.row(r)) value *= 1e4;
    }
  }
  constexpr double kUnits[] = {1.0, 1.0, 1.0, 1e-3, 1e6, 1e-18, 1e-30, 1e-160, 1e9};
  const double unit = kUnits[random.below(std::size(kUnits))];
  for (Matrix* m : {&c.points, &c.rows}) {
    for (std::size_t r = 0; r < m->rows(); ++r) {
      // The largest that single precision takes.
      for (double& value : m->row(r)) value = std::clamp(value * unit, -1e15, 1e15);
    }
  }
  c.group_count = 1 + random.below(3);
  for (std::size_t n = 0; n < c.points.rows(); ++n) c.groups.push_back(random.below(c.group_count));
  c.wanted = 1 + random.below(20);
  return c;
}

/// All distances, sorted.
inline linalg::GroupedNeighbors sorted_neighbors(const SearchCase& c, std::span<const double> row) {
  linalg::GroupedNeighbors found(c.group_count);
  for (std::size_t n = 0; n < c.points.rows(); ++n)
    found[c.groups[n]].push_back({linalg::squared_distance(row, c.points.row(n)), n});
  for (auto& own : found) {
    std::sort(own.begin(), own.end());
    own.resize(std::min(own.size(), c.wanted));
  }
  return found;
}

}  // namespace bisector::reference
