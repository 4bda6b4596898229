// The peak rate of the machine's BLAS: one large matrix product.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <vector>

#include "stopwatch.h"

extern "C" void openblas_set_num_threads(int threads);
extern "C" char* openblas_get_corename();

namespace bisector::bench {

inline void gemm(int n, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
}
inline void gemm(int n, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, a, n, b, n, 0.0f, c, n);
}

/// GFLOP/s, the best of several runs.
template <class T, auto now = seconds>
double gemm_peak(int threads) {
  openblas_set_num_threads(threads);
  constexpr int n = 1536;
  const std::vector<T> a(n * n, T{1}), b(n * n, T{1});
  std::vector<T> c(n * n);
  double best = 0.0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = now();
    gemm(n, a.data(), b.data(), c.data());
    best = std::max(best, 2e-9 * n * n * n / (now() - start));
  }
  return best;
}

}  // namespace bisector::bench
