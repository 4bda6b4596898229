#include "linalg/cholesky.h"

#include <fmt/format.h>

#include <limits>

#include "bisector/error.h"

// LAPACK's Fortran names: every system's LAPACK has them, with or without C headers. The last
// argument is the length of the text, which Fortran passes unseen.
extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info, std::size_t);
}

namespace bisector::linalg {

std::vector<double> solve_positive_definite(Matrix matrix, std::vector<double> right) {
  if (matrix.rows() != matrix.cols() || matrix.rows() != right.size() || right.empty() ||
      right.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InvalidInput(
        fmt::format("a system of {} x {} with {} on its right, expected n x n with n",
                    matrix.rows(), matrix.cols(), right.size()));
  const int size = static_cast<int>(right.size()), one = 1;
  int info = 0;
  // Row-major and column-major are the same for a symmetric matrix; only its "upper" triangle, in
  // LAPACK's eyes, is read and overwritten.
  double* values = matrix.view().data();
  dpotrf_("U", &size, values, &size, &info, 1);
  if (info > 0)
    throw InvalidInput(fmt::format(
        "the matrix of {} rows is not positive definite in double precision (row {})", size, info));
  dpotrs_("U", &size, &one, values, &size, right.data(), &size, &info, 1);
  return right;
}

}  // namespace bisector::linalg
