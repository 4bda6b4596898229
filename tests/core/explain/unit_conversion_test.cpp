// Converting the relevance of a row to a given total and limit: signs, order and bounds. The
// reference implementation is reference/unit_conversion.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/explain/units.h"
#include "reference/random_models.h"
#include "reference/unit_conversion.h"

namespace bisector {
namespace {

using reference::has_same_order;
using reference::has_same_signs;
using reference::side;
using reference::Vector;

TEST(UnitConversion, IsTheReferenceImplementationForRandomRows) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    Vector relevance(1 + random.below(8));
    for (double& value : relevance) value = random.normal() * reference::log_uniform(random, -3, 3);
    if (seed % 7 == 0)
      for (double& value : relevance) value = std::abs(value);
    if (seed % 11 == 0)
      for (double& value : relevance) value = -std::abs(value);
    if (seed % 13 == 0) relevance[0] = 0.0;
    const reference::Scale scale{0.0, reference::log_uniform(random, -2, 2),
                                 reference::log_uniform(random, -1, 2)};
    std::optional<double> ratio;
    if (seed % 2 == 0) ratio = reference::log_uniform(random, -4, 4);
    const bool is_vote = seed % 4 == 1;
    const auto kind = is_vote ? reference::OutputKind::vote
                      : ratio ? reference::OutputKind::kernel
                              : reference::OutputKind::score;
    const double t = random.normal() * reference::log_uniform(random, -2, 2);
    const bool is_stretched = seed % 3 != 0;
    const reference::UnitRow expected =
        reference::convert_row(relevance, t, scale, kind, ratio, is_stretched);
    Vector values = relevance;
    const detail::Converted found = detail::convert(
        {t, scale.scale, scale.limit, ratio, is_vote},
        is_stretched ? detail::Conversion::stretch : detail::Conversion::scale, values);
    const double size = std::abs(t) + scale.limit;
    for (std::size_t d = 0; d < values.size(); ++d)
      EXPECT_NEAR(values[d], expected.values[d], 1e-9 * size);
    EXPECT_NEAR(found.remainder, expected.remainder, 1e-9 * size);
    EXPECT_NEAR(found.stretch, expected.stretch, 1e-6 * expected.stretch);
    EXPECT_NEAR(sum(values) + found.remainder, t, 1e-12 * size);
    EXPECT_TRUE(has_same_signs(relevance, values));
    EXPECT_TRUE(has_same_order(relevance, values));
    EXPECT_LE(side(values, 1.0), size * (1.0 + 1e-12));
    EXPECT_LE(side(values, -1.0), size * (1.0 + 1e-12));
  }
}

TEST(UnitConversion, IsFiniteForExtremeNumbers) {
  constexpr double kHuge = 1e300, kTiny = 1e-310;
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double a : {0.0, kTiny, 1.0, kHuge, infinity}) {
    for (const double b : {0.0, kTiny, 1.0, kHuge, infinity}) {
      for (const double t : {-kHuge, -1.0, -kTiny, 0.0, kTiny, 1.0, kHuge}) {
        for (const double scale : {0.0, kTiny, 1.0, kHuge}) {
          for (const double limit : {0.0, kTiny, 1.0, kHuge}) {
            for (const bool is_vote : {false, true}) {
              Vector values{a, -b};
              const detail::Converted found = detail::convert({t, scale, limit, {}, is_vote},
                                                              detail::Conversion::stretch, values);
              EXPECT_TRUE(std::isfinite(values[0]) && std::isfinite(values[1]));
              EXPECT_TRUE(std::isfinite(found.remainder) && std::isfinite(found.stretch));
              EXPECT_TRUE(std::isfinite(found.positive) && std::isfinite(found.negative));
              EXPECT_GE(values[0], 0.0);
              EXPECT_LE(values[1], 0.0);
            }
          }
        }
      }
    }
  }
}

TEST(UnitConversion, PartsNeedNoScale) {
  Vector values{-1.0, -3.0, 0.0};
  const detail::Converted found =
      detail::convert({-2.0, 0.0, 0.0, {}}, detail::Conversion::parts, values);
  EXPECT_EQ(values, (Vector{-0.5, -1.5, 0.0}));
  EXPECT_EQ(found.remainder, 0.0);
  EXPECT_EQ(found.stretch, 1.0);
  Vector none{0.0, 0.0};
  EXPECT_EQ(detail::convert({-2.0, 1.0, 1.0, {}}, detail::Conversion::parts, none).remainder, -2.0);
}

TEST(UnitConversion, FarRowsReachTheDifferenceWithoutExcess) {
  // f/g goes to 0 while T does not: the values of both signs together are as large as T.
  for (const double ratio : {0.0, 1e-300, 1e-12}) {
    Vector values{30.0, -10.0};
    const detail::Converted found =
        detail::convert({0.5, 1.0, 2.0, ratio}, detail::Conversion::stretch, values);
    EXPECT_NEAR(values[0] + values[1], 0.5, 1e-12);
    EXPECT_LT(values[0] - values[1], 0.75);
    EXPECT_EQ(found.remainder, 0.0);
    EXPECT_LT(found.stretch, 3.0);
  }
}

TEST(UnitConversion, VotesFarFromTheBoundaryAreNotStretched) {
  // g grows while the votes do not: c times the sum of R is far above T.
  for (const double size : {10.0, 1e3, 1e200}) {
    Vector values{3.0 * size, -size};
    const detail::Converted found =
        detail::convert({1.0, 1.0, 2.0, {}, true}, detail::Conversion::stretch, values);
    EXPECT_NEAR(values[0] + values[1], 1.0, 1e-12);
    EXPECT_NEAR(values[0], 1.5, 0.02);
    EXPECT_NEAR(found.stretch, 1.0, 0.02);
  }
}

TEST(UnitConversion, VotesNearTheBoundaryHaveTheCommonScale) {
  // T / sum of R is arbitrary where the sum is near 0.
  for (const double t : {-1.0, 0.0, 1.0}) {
    Vector values{0.3, -0.29999};
    const detail::Converted found =
        detail::convert({t, 2.0, 4.0, {}, true}, detail::Conversion::scale, values);
    EXPECT_NEAR(found.positive, 2.0, 1e-3);
    EXPECT_NEAR(values[0], 0.6, 1e-3);
  }
}

TEST(UnitOfTheOutput, DistancesToCentroidsAreTheirOwnUnit) {
  // f = g: the values of the expected path rule sum to T without a stretch.
  const Model model(CentroidModel(reference::normal_rows(3, 2, 4), {"a", "b"}));
  const Matrix rows = reference::normal_rows(4, 30, 4);
  const Explanation e = explain(model, rows, ExpectedPathRule{.references = 1000});
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    EXPECT_EQ(e.output[r], e.g[r]);
    EXPECT_NEAR(e.stretch[r], 1.0, 0.5);
  }
}

TEST(UnitConversion, ConstantOutputsHaveNoScale) {
  EXPECT_EQ(detail::unit_scale(Vector{2.0, 2.0}, Vector{1.0, 3.0}).scale, 0.0);
  EXPECT_EQ(detail::unit_scale(Vector{1.0, 3.0}, Vector{2.0, 2.0}).scale, 0.0);
  EXPECT_EQ(detail::unit_scale({}, {}).mean, 0.0);
  Vector values{1.0, -2.0};
  const detail::Converted found =
      detail::convert({0.7, 0.0, 0.0, {}}, detail::Conversion::stretch, values);
  EXPECT_EQ(values, (Vector{0.0, 0.0}));
  EXPECT_EQ(found.remainder, 0.7);
}

TEST(UnitConversion, WithoutACommonScaleEveryRowHasItsOwn) {
  // g is constant or infinite over the background, and f varies: F is not 0.
  constexpr double kMark = std::numeric_limits<double>::max();
  for (const double t : {0.7, -0.7}) {
    Vector values{std::copysign(3.0, t), std::copysign(1.0, -t)};
    const detail::Converted found =
        detail::convert({t, 0.0, 2.0, {}, true}, detail::Conversion::scale, values);
    EXPECT_NEAR(values[0], 1.5 * t, 1e-15);  // T / sum of R is 0.35
    EXPECT_NEAR(values[1], -0.5 * t, 1e-15);
    EXPECT_NEAR(found.remainder, 0.0, 1e-15);
    EXPECT_EQ(found.stretch, kMark);
  }
  // The sum of R is nearly 0: F bounds both sides.
  Vector close{1.0, -1.0 + 1e-12};
  const detail::Converted found =
      detail::convert({0.5, 0.0, 2.0, {}, true}, detail::Conversion::stretch, close);
  EXPECT_NEAR(close[0] + close[1], 0.5, 1e-12);
  EXPECT_LE(side(close, 1.0), 2.5);
  EXPECT_EQ(found.stretch, kMark);
}

}  // namespace
}  // namespace bisector
