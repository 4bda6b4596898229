// The shortest vector in half-spaces and a box, against cyclic projections and random vectors.
#include "core/flips/half_spaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/random.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {
namespace {

struct Problem {
  std::size_t dimensions;
  std::vector<std::vector<double>> normals;
  std::vector<double> bounds;
  std::vector<double> lowest, highest;

  HalfSpaces spaces() const {
    HalfSpaces result(lowest, highest);
    for (std::size_t c = 0; c < bounds.size(); ++c) result.add(normals[c], bounds[c]);
    return result;
  }
  bool contains(std::span<const double> v, double tolerance) const {
    for (std::size_t d = 0; d < dimensions; ++d)
      if (v[d] < lowest[d] - tolerance || v[d] > highest[d] + tolerance) return false;
    for (std::size_t c = 0; c < bounds.size(); ++c)
      if (linalg::dot(normals[c], v) > bounds[c] + tolerance) return false;
    return true;
  }
};

/// Contains a random vector, so that it is not empty.
Problem random_problem(std::uint64_t seed, std::size_t dimensions, std::size_t count) {
  Random random(seed);
  Problem problem{dimensions, {}, {}, {}, {}};
  std::vector<double> inside(dimensions);
  for (double& entry : inside) entry = random.normal();
  for (std::size_t d = 0; d < dimensions; ++d) {
    problem.lowest.push_back(std::min(inside[d], 0.0) - random.uniform());
    problem.highest.push_back(std::max(inside[d], 0.0) + random.uniform());
  }
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> normal(dimensions);
    for (double& entry : normal) entry = random.normal();
    problem.bounds.push_back(linalg::dot(normal, inside) + 0.3 * random.uniform());
    problem.normals.push_back(std::move(normal));
  }
  return problem;
}

/// Dykstra's cyclic projections: slow, and right in the limit.
std::vector<double> reference_solution(const Problem& problem) {
  const std::size_t n = problem.dimensions, sets = problem.bounds.size() + 1;
  std::vector<double> v(n, 0.0);
  std::vector<std::vector<double>> corrections(sets, std::vector<double>(n, 0.0));
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (std::size_t s = 0; s < sets; ++s) {
      std::vector<double> from(n), to(n);
      for (std::size_t d = 0; d < n; ++d) from[d] = to[d] = v[d] + corrections[s][d];
      if (s + 1 == sets) {
        for (std::size_t d = 0; d < n; ++d)
          to[d] = std::clamp(from[d], problem.lowest[d], problem.highest[d]);
      } else {
        const auto& normal = problem.normals[s];
        const double excess = linalg::dot(normal, from) - problem.bounds[s];
        for (std::size_t d = 0; excess > 0.0 && d < n; ++d)
          to[d] -= excess / linalg::squared_norm(normal) * normal[d];
      }
      for (std::size_t d = 0; d < n; ++d) corrections[s][d] = from[d] - to[d];
      v = to;
    }
  }
  return v;
}

TEST(HalfSpaces, SolutionIsThatOfCyclicProjections) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem problem = random_problem(seed, 2 + seed % 6, 1 + seed % 12);
    HalfSpaces spaces = problem.spaces();
    ASSERT_TRUE(spaces.solve());
    const std::vector<double> expected = reference_solution(problem);
    for (std::size_t d = 0; d < problem.dimensions; ++d)
      EXPECT_NEAR(spaces.solution()[d], expected[d], 1e-5) << "seed " << seed;
    EXPECT_TRUE(problem.contains(spaces.solution(), 1e-9));
    EXPECT_NEAR(spaces.least_length(), std::sqrt(linalg::squared_norm(spaces.solution())), 1e-9);
  }
}

TEST(HalfSpaces, HalfSpacesAddedLaterGiveTheSameSolution) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem(seed, 5, 10);
    HalfSpaces all = problem.spaces(), one_by_one(problem.lowest, problem.highest);
    ASSERT_TRUE(all.solve());
    for (std::size_t c = 0; c < problem.bounds.size(); ++c) {
      one_by_one.add(problem.normals[c], problem.bounds[c]);
      ASSERT_TRUE(one_by_one.solve());
    }
    for (std::size_t d = 0; d < 5; ++d)
      EXPECT_NEAR(one_by_one.solution()[d], all.solution()[d], 1e-8);
  }
}

TEST(HalfSpaces, MultipliersOfTheNormalsAddUpToTheSolution) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Problem problem = random_problem(seed, 5, 10);
    HalfSpaces spaces(5);
    for (std::size_t c = 0; c < problem.bounds.size(); ++c)
      EXPECT_TRUE(spaces.add(problem.normals[c], problem.bounds[c]));
    EXPECT_FALSE(spaces.add(std::vector<double>(5, 0.0), 1.0));
    if (!spaces.solve()) continue;
    const std::vector<double> multipliers = spaces.multipliers();
    ASSERT_EQ(multipliers.size(), problem.bounds.size());
    std::vector<double> sum(5, 0.0);
    for (std::size_t c = 0; c < multipliers.size(); ++c) {
      EXPECT_GE(multipliers[c], 0.0);
      const double length = std::sqrt(linalg::squared_norm(problem.normals[c]));
      for (std::size_t d = 0; d < 5; ++d) sum[d] -= multipliers[c] * problem.normals[c][d] / length;
    }
    for (std::size_t d = 0; d < 5; ++d) EXPECT_NEAR(spaces.solution()[d], sum[d], 1e-8);
  }
}

TEST(HalfSpaces, LeastLengthOfAnEmptyIntersectionIsLarge) {
  HalfSpaces spaces(2);
  spaces.add(std::vector<double>{1.0, 0.0}, -1.0);   // x <= -1
  spaces.add(std::vector<double>{-1.0, 0.0}, -1.0);  // x >= 1
  EXPECT_FALSE(spaces.solve());
  EXPECT_GT(spaces.least_length(), 1e6);
}

TEST(HalfSpaces, AlmostParallelHalfSpacesMeetFarAway) {
  // y <= -1 and y >= 1 - x / 1000 meet at x = 2000.
  HalfSpaces spaces(2);
  spaces.add(std::vector<double>{0.0, 1.0}, -1.0);
  spaces.add(std::vector<double>{-1e-3, -1.0}, -1.0);
  ASSERT_TRUE(spaces.solve());
  EXPECT_NEAR(spaces.solution()[0], 2000.0, 1e-6);
  EXPECT_LE(spaces.least_length(), std::hypot(2000.0, 1.0) * (1.0 + 1e-12));
  EXPECT_GT(spaces.least_length(), 1999.0);
}

}  // namespace
}  // namespace bisector::detail
