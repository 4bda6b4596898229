// The whole explanation on every instruction set that this machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "core/simd/kernels.h"
#include "reference/in_g.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

TEST(PerIsa, ExplanationsAgree) {
  const simd::Level before = simd::active_level();
  // Where the processor always has vectors, as on aarch64, there are no scalar kernels.
  const auto levels = simd::supported_levels();
  const bool has_scalar = std::ranges::find(levels, simd::Level::scalar) != levels.end();
  const simd::Level plain = has_scalar ? simd::Level::scalar : levels.front();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto m = reference::random_machine(seed, 9);
    const auto n = reference::random_neighbors(seed, 3, false);
    simd::force_level(plain);
    const Explanation soft = explain(reference::two_class(m), m.rows, EtaRule{}, in_g());
    const Explanation ranked = explain(n.model(), n.rows, EtaRule{}, in_g());
    for (const simd::Level level : simd::supported_levels()) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << simd::name(level));
      simd::force_level(level);
      const Explanation other = explain(reference::two_class(m), m.rows, EtaRule{}, in_g());
      for (std::size_t r = 0; r < m.rows.rows(); ++r) {
        double scale = 1e-300;
        for (const double value : soft.relevance.row(r)) scale = std::max(scale, std::abs(value));
        for (std::size_t d = 0; d < m.rows.cols(); ++d)
          EXPECT_NEAR(other.relevance(r, d), soft.relevance(r, d), 1e-9 * scale);
        EXPECT_NEAR(other.g[r], soft.g[r], 1e-9 * (1.0 + std::abs(soft.g[r])));
      }
      // Exact distances decide the neighbors, so nothing may differ.
      EXPECT_EQ(explain(n.model(), n.rows, EtaRule{}, in_g()).relevance, ranked.relevance);
    }
  }
  simd::force_level(before);
}

}  // namespace
}  // namespace bisector
