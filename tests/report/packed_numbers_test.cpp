// Numbers in few bytes come back as they were.
#include "report/page/packed_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace bisector::report {
namespace {

struct Case {
  const char* type;
  double scale;
  std::vector<double> numbers;
};

std::size_t size_of(const nlohmann::ordered_json& packed) {
  return packed["data"].get<std::string>().size();
}

TEST(PackedNumbers, TakeTheSmallestTypeThatIsExact) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Case> cases{
      {"u8", 1.0, {0, 255, 7}},
      {"u8", 10.0, {0.1, 25.5}},
      {"i16", 1.0, {-1, 255}},
      {"i16", 1000.0, {0.125, -32.767}},
      {"i32", 1.0, {70'000, -2}},
      {"i32", 100'000.0, {121.54024, 24.98298}},
      {"f32", 1.0, {0.1f, 1e20f}},
      {"f64", 1.0, {1.0 / 3.0, 2.0}},
      {"f64", 1.0, {infinity, 1.0}},
      {"f64", 1.0, {std::nan(""), 1.0}},
      {"u8", 1.0, {}},
  };
  for (const Case& c : cases) {
    const auto packed = packed_numbers(c.numbers);
    EXPECT_EQ(packed["type"], c.type) << (c.numbers.empty() ? 0.0 : c.numbers[0]);
    EXPECT_EQ(packed["scale"], c.scale) << (c.numbers.empty() ? 0.0 : c.numbers[0]);
    // What the page computes.
    if (c.type[0] != 'f') {
      for (const double number : c.numbers)
        EXPECT_EQ(std::round(number * c.scale) / c.scale, number);
    }
  }
}

TEST(PackedNumbers, ForgiveTheRoundingOfTheInverse) {
  const std::vector<double> numbers{127.99999999999997, 3.0000000000000004};
  EXPECT_EQ(packed_numbers(numbers)["type"], "f64");
  EXPECT_EQ(packed_numbers(numbers, 1e-9)["type"], "u8");
  EXPECT_EQ(packed_floats(numbers)["type"], "f32");
  EXPECT_LT(size_of(packed_numbers(numbers, 1e-9)), size_of(packed_numbers(numbers)));
}

}  // namespace
}  // namespace bisector::report
