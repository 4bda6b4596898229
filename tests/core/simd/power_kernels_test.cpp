// Sums of powers of differences at every level, against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bisector/distance.h"
#include "bisector/random.h"
#include "core/linalg/packed_matrix.h"
#include "core/simd/kernels.h"
#include "reference/random_models.h"

namespace bisector::simd {
namespace {

constexpr double kPowers[] = {1.01, 1.5, 2.5, 3.0, 4.0, 5.0, 7.3, 50.0};

/// Leaves the level as it found it.
class PowersAtEveryLevel : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override { force_level(GetParam()); }
  void TearDown() override { force_level(before_); }

 private:
  Level before_ = active_level();
};

/// Numbers of many sizes, among them equal ones.
Matrix numbers(Random& random, std::size_t rows, std::size_t cols, double size) {
  Matrix matrix = reference::random_matrix(random, rows, cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : matrix.row(r))
      value = random.below(5) == 0 ? size : size * value * std::pow(10.0, -3.0 * random.uniform());
  }
  return matrix;
}

template <class T>
std::vector<T> power_sums(const Matrix& a, const Matrix& b, double power, const T* shifts) {
  const auto packed = linalg::PackedMatrix<T>::of(b.view());
  const std::vector<T> left(a.values().begin(), a.values().end());
  const std::size_t stride = packed.padded_columns();
  std::vector<T> sums(a.rows() * stride);
  kernels<T>().power_distances(left.data(), a.cols(), a.rows(), packed.panel(0),
                               packed.panel_stride(), a.cols(), stride, power, shifts, sums.data(),
                               stride);
  return sums;
}

TEST_P(PowersAtEveryLevel, SumPowersOfDifferencesAsAPlainLoop) {
  for (const double size : {1.0, 1e-40, 1e100}) {
    for (const std::size_t depth : {1, 7, 40}) {
      Random random(depth);
      const Matrix a = numbers(random, 7, depth, size), b = numbers(random, depth, 53, size);
      for (const double power : kPowers) {
        const Distance distance(power);
        const auto sums = power_sums<double>(a, b, power, nullptr);
        const std::size_t stride = sums.size() / a.rows();
        for (std::size_t r = 0; r < a.rows(); ++r) {
          for (std::size_t n = 0; n < b.cols(); ++n) {
            double expected = 0.0;
            for (std::size_t k = 0; k < depth; ++k) expected += distance.part(k, b(k, n) - a(r, k));
            const double found = sums[r * stride + n];
            if (Distance::is_product(power) || !std::isfinite(expected)) {
              ASSERT_EQ(found, expected) << power;
            } else {
              // Parts below the smallest normal number are 0.
              const double error = 1e-12 * expected + 1e-307 * static_cast<double>(depth);
              ASSERT_NEAR(found, expected, error) << power;
            }
          }
        }
      }
    }
  }
}

TEST_P(PowersAtEveryLevel, SinglePrecisionErrsByLessThanProposalsAllow) {
  for (const double size : {1.0, 1e-8, 1e8}) {
    Random random(3);
    const std::size_t depth = 30;
    const Matrix a = numbers(random, 5, depth, size), b = numbers(random, depth, 53, size);
    for (const double power : {1.01, 5.0, 7.3, 50.0}) {
      const std::vector<float> shifts(a.rows(), static_cast<float>(power * std::log2(3.0 * size)));
      const auto sums = power_sums<float>(a, b, power, shifts.data());
      const std::size_t stride = sums.size() / a.rows();
      for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::size_t n = 0; n < b.cols(); ++n) {
          double expected = 0.0;
          for (std::size_t k = 0; k < depth; ++k) {
            const float t = static_cast<float>(b(k, n)) - static_cast<float>(a(r, k));
            expected += std::pow(static_cast<double>(std::abs(t)) / (3.0 * size), power);
          }
          const double found = sums[r * stride + n], length = std::pow(found, 1.0 / power);
          ASSERT_NEAR(length, std::pow(expected, 1.0 / power), 7e-5 * length) << power;
        }
      }
    }
  }
}

TEST_P(PowersAtEveryLevel, AddThePartsAndSlopesOfADistance) {
  for (const std::size_t n : {1, 5, 16, 37}) {
    Random random(n);
    const Matrix points = numbers(random, 2, n, 1.0);
    for (const double power : kPowers) {
      const Distance distance(power);
      std::vector<double> slopes(n, 0.25), parts(n, 0.5), alone(n, 0.25);
      const auto add = kernels<double>().add_power_parts;
      add(points.row(0).data(), points.row(1).data(), n, power, 0.7, slopes.data(), parts.data());
      add(points.row(0).data(), points.row(1).data(), n, power, 0.7, alone.data(), nullptr);
      EXPECT_EQ(alone, slopes);
      for (std::size_t k = 0; k < n; ++k) {
        const double t = points(0, k) - points(1, k);
        const double slope = 0.7 * distance.half_slope(k, t), part = 0.7 * distance.part(k, t);
        ASSERT_NEAR(slopes[k], 0.25 + slope, 1e-13 * (1.0 + std::abs(slope))) << power;
        ASSERT_NEAR(parts[k], 0.5 + part, 1e-13 * (1.0 + part)) << power;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PerIsa, PowersAtEveryLevel, testing::ValuesIn(supported_levels()),
                         [](const auto& level) { return std::string(name(level.param)); });

}  // namespace
}  // namespace bisector::simd
