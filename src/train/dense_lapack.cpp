#include "train/dense.h"

// The Fortran names: every system's LAPACK and BLAS have them, with or without C headers. The last
// arguments are the lengths of the texts, which Fortran passes unseen.
extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* transposed, const char* diagonal,
            const int* m, const int* n, const double* alpha, const double* a, const int* lda,
            double* b, const int* ldb, std::size_t, std::size_t, std::size_t, std::size_t);
}

// Row-major and column-major are the same for a symmetric matrix: our lower triangle is LAPACK's
// "upper".
namespace bisector::detail {

bool has_lapack() { return true; }

std::size_t factor_lower(double* block, std::size_t size, std::size_t stride) {
  const int n = static_cast<int>(size), lda = static_cast<int>(stride);
  int info = 0;
  dpotrf_("U", &n, block, &lda, &info, 1);
  return info > 0 ? static_cast<std::size_t>(info) : 0;
}

void solve_panel(const double* factor, std::size_t size, std::size_t stride, double* panel,
                 std::size_t rows) {
  const int block = static_cast<int>(size), lda = static_cast<int>(stride);
  const int columns = static_cast<int>(rows);
  const double one = 1.0;
  dtrsm_("L", "U", "T", "N", &block, &columns, &one, factor, &lda, panel, &lda, 1, 1, 1, 1);
}

void solve_factored(const double* factor, std::size_t size, double* right) {
  const int n = static_cast<int>(size), one = 1;
  int info = 0;
  dpotrs_("U", &n, &one, factor, &n, right, &n, &info, 1);
}

}  // namespace bisector::detail
