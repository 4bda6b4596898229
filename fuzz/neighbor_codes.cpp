// The search by 8-bit codes against sorting all distances, on points of any numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/linalg/code_search.h"
#include "core/linalg/neighbor_search.h"
#include "core/simd/kernels.h"
#include "property.h"
#include "recipe.h"
#include "reference/search_cases.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

/// Numbers that single precision takes, a few of them many times: duplicates and ties.
Matrix repeated_numbers(Recipe& recipe, std::size_t rows, std::size_t features) {
  std::vector<double> numbers(1 + recipe.below(40));
  for (double& value : numbers) value = std::clamp(recipe.number(), -1e15, 1e15);
  Matrix matrix(rows, features);
  std::size_t at = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t step = 1 + recipe.below(7);
    for (double& value : matrix.row(r)) value = numbers[(at += step) % numbers.size()];
  }
  return matrix;
}

}  // namespace

FUZZ_TARGET(neighbor_codes, bytes) {
  Recipe recipe(bytes);
  reference::SearchCase c;
  const std::size_t features = 1 + recipe.below(80);
  c.points = repeated_numbers(recipe, 1 + recipe.below(200), features);
  c.rows = repeated_numbers(recipe, 1 + recipe.below(5), features);
  c.group_count = 1 + recipe.below(3);
  for (std::size_t n = 0; n < c.points.rows(); ++n) c.groups.push_back(n % c.group_count);
  c.wanted = 1 + recipe.below(12);
  const linalg::CodeSearch codes(linalg::make_groups(c.points, c.groups, c.group_count));
  const linalg::NeighborSearch all(c.points, c.groups, c.group_count);
  const simd::Level before = simd::active_level();
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    std::vector<std::size_t> crowded;
    const auto by_codes = codes.search(c.rows.view(), c.wanted, 1, crowded);
    const auto found = all.search(c.rows.view(), c.wanted, 1);
    for (std::size_t r = 0; r < c.rows.rows(); ++r) {
      const auto expected = reference::sorted_neighbors(c, c.rows.row(r));
      require(found[r] == expected, "the search finds what sorting finds");
      require(std::ranges::binary_search(crowded, r) || by_codes[r] == expected,
              "codes lose no neighbor");
    }
  }
  simd::force_level(before);
}

}  // namespace bisector::fuzz
