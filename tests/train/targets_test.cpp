#include "bisector/train/targets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/random.h"

namespace bisector {
namespace {

using Texts = std::vector<std::string>;

TEST(SortedClasses, SortTextAsTextAndNumbersAsNumbers) {
  const Texts text = {"pear", "apple", "fig", "apple"};
  EXPECT_EQ(sorted_classes(text), (ClassTarget{{2, 0, 1, 0}, {"apple", "fig", "pear"}}));
  const Texts numbers = {"10", "9", "-1", "9.0"};
  EXPECT_EQ(sorted_classes(numbers), (ClassTarget{{2, 1, 0, 1}, {"-1", "9", "10"}}));
  EXPECT_THROW(sorted_classes(Texts{"a", "a"}), InvalidInput);
}

TEST(OneAgainstRest, NamesTheRestByItsNameOrByWhatItIsNot) {
  EXPECT_EQ(one_against_rest(Texts{"b", "a", "c", "a"}, "a"),
            (ClassTarget{{0, 1, 0, 1}, {"not a", "a"}}));
  EXPECT_EQ(one_against_rest(Texts{"yes", "no"}, "no"), (ClassTarget{{0, 1}, {"yes", "no"}}));
  EXPECT_EQ(one_against_rest(Texts{"3", "4", "5"}, "4.0"),
            (ClassTarget{{0, 1, 0}, {"not 4", "4"}}));
  EXPECT_THROW(one_against_rest(Texts{"a", "b"}, "c"), InvalidInput);
}

TEST(ClassesAbove, AreStrictlyAbove) {
  EXPECT_EQ(classes_above(std::vector<double>{5, 6, 5.5, 4}, 5),
            (ClassTarget{{0, 1, 1, 0}, {"not above", "above"}}));
  EXPECT_THROW(classes_above(std::vector<double>{1, 2}, 2), InvalidInput);
  EXPECT_THROW(classes_above(std::vector<double>{1, 2}, 0), InvalidInput);
}

/// From the definition: the line through the points (i / (n-1), i-th smallest), by counting.
double slow_percentile(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const double step = 100.0 / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double left = step * static_cast<double>(i);
    if (percent <= left + step) {
      const double share = (percent - left) / step;
      return values[i] * (1.0 - share) + values[i + 1] * share;
    }
  }
  return values.back();
}

TEST(Percentile, InterpolatesBetweenSortedValues) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    std::vector<double> values(2 + random.below(30));
    for (double& value : values) value = random.normal();
    const double percent = 100.0 * random.uniform();
    EXPECT_NEAR(percentile(values, percent), slow_percentile(values, percent), 1e-12);
  }
  // numpy.percentile([15, 20, 35, 40, 50], [0, 40, 90, 100])
  const std::vector<double> known = {50, 15, 35, 20, 40};
  EXPECT_DOUBLE_EQ(percentile(known, 0), 15);
  EXPECT_DOUBLE_EQ(percentile(known, 40), 29);
  EXPECT_DOUBLE_EQ(percentile(known, 90), 46);
  EXPECT_DOUBLE_EQ(percentile(known, 100), 50);
  EXPECT_THROW(percentile(known, 101), InvalidInput);
  EXPECT_THROW(percentile(std::vector<double>{}, 50), InvalidInput);
}

TEST(Threshold, IsReadAsPeopleWriteIt) {
  const std::vector<double> values = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(parse_threshold("median", values), 2.5);
  EXPECT_DOUBLE_EQ(parse_threshold("p100", values), 4);
  EXPECT_DOUBLE_EQ(parse_threshold("-1.5", values), -1.5);
  for (const char* wrong : {"", "p", "p101", "mean", "pp5", "5x"})
    EXPECT_THROW(parse_threshold(wrong, values), InvalidInput) << wrong;
}

}  // namespace
}  // namespace bisector
