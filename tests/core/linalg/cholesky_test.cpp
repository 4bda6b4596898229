#include "train/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/random.h"
#include "reference/random_models.h"
#include "train/blas.h"

namespace bisector::linalg {

using namespace detail;

namespace {

/// a a^T + n I for a random a.
Matrix positive_definite(std::size_t size) {
  Random random(size);
  const Matrix a = reference::random_matrix(random, size, 5);
  Matrix matrix(size, size);
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c < size; ++c) {
      for (std::size_t d = 0; d < 5; ++d) matrix(r, c) += a(r, d) * a(c, d);
      if (r == c) matrix(r, c) += static_cast<double>(size);
    }
  }
  return matrix;
}

TEST(Cholesky, ByBlocksIsThatOfLapack) {
  for (const std::size_t size : {1, 2, 191, 192, 193, 384, 500}) {
    Matrix by_lapack = positive_definite(size), by_blocks = by_lapack;
    factor(by_lapack);
    factor_by_blocks(by_blocks);
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c <= r; ++c)
        ASSERT_NEAR(by_blocks(r, c), by_lapack(r, c), 1e-12 * std::sqrt(double(size)))
            << size << ": " << r << ", " << c;
    }
  }
}

TEST(Cholesky, ByBlocksNamesTheRowAtWhichAMatrixIsNotPositiveDefinite) {
  Matrix matrix = positive_definite(400);
  matrix(300, 300) = -1.0;
  try {
    factor_by_blocks(matrix);
    FAIL() << "no error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("(row 301)"), std::string::npos) << error.what();
  }
}

TEST(Blas, OldKernelsAreKnownByTheirNames) {
  EXPECT_TRUE(is_before_avx2("Prescott"));
  EXPECT_TRUE(is_before_avx2("Sandybridge"));
  EXPECT_FALSE(is_before_avx2("Haswell"));
  EXPECT_FALSE(is_before_avx2("SkylakeX"));
  EXPECT_FALSE(is_before_avx2("Zen"));
  EXPECT_FALSE(is_before_avx2(""));
}

}  // namespace
}  // namespace bisector::linalg
