#include "train/cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector::detail {
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

TEST(Cholesky, TheFactorTimesItsTransposeIsTheMatrix) {
  for (const std::size_t size : {1, 2, 191, 192, 193, 384, 500}) {
    const Matrix matrix = positive_definite(size);
    Matrix lower = matrix;
    factor(lower);
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c <= r; ++c) {
        double product = 0.0;
        for (std::size_t k = 0; k <= c; ++k) product += lower(r, k) * lower(c, k);
        ASSERT_NEAR(product, matrix(r, c), 1e-12 * static_cast<double>(size))
            << size << ": " << r << ", " << c;
      }
    }
  }
}

TEST(Cholesky, NamesTheRowAtWhichAMatrixIsNotPositiveDefinite) {
  Matrix matrix = positive_definite(400);
  matrix(300, 300) = -1.0;
  try {
    factor(matrix);
    FAIL() << "no error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("(row 301)"), std::string::npos) << error.what();
  }
}

/// Gaussian elimination with pivoting.
std::vector<double> slow_solve(Matrix a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    std::swap_ranges(a.row(k).begin(), a.row(k).end(), a.row(pivot).begin());
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a(k, j) * b[j];
    b[k] /= a(k, k);
  }
  return b;
}

TEST(Cholesky, SolvesWhatEliminationSolves) {
  for (const std::size_t size : {1, 2, 17, 90}) {
    SCOPED_TRACE(size);
    Random random(size);
    const Matrix root = reference::random_matrix(random, size, size);
    Matrix a(size, size);
    std::vector<double> b;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) a(i, j) += root(i, k) * root(j, k);
      }
      a(i, i) += 1.0;
      b.push_back(random.normal());
    }
    const std::vector<double> expected = slow_solve(a, b), found = solve_positive_definite(a, b);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(found[i], expected[i], 1e-10);
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  EXPECT_THROW(solve_positive_definite(Matrix(2, 2, {1, 2, 2, 1}), {1, 1}), InvalidInput);
  EXPECT_THROW(solve_positive_definite(Matrix(2, 2, 1.0), {1, 1}), InvalidInput);
  EXPECT_THROW(solve_positive_definite(Matrix(2, 3, 1.0), {1, 1}), InvalidInput);
}

}  // namespace
}  // namespace bisector::detail
