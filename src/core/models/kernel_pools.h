// A kernel machine as two soft pools, by the signs of its coefficients. The pools' sums are
// S = sum_k alpha_k phi(s_k), and f = (S_P - S_N) + intercept. In a contrast the intercept is a
// point of a pool; with c the sum of all alpha, phi^-1(S / c) is then a pool's effective distance,
// and
//
//     g = phi^-1(S_N / c) - phi^-1(S_P / c)
//
// has the sign of S_P - S_N. For the Gaussian kernel it is the paper's softmin over N minus softmin
// over P of the scores z_k = |x - u_k|^2 - log(alpha_k) / gamma.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "bisector/kernel_machine.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/point_set.h"

namespace bisector::detail {

/// Points whose coefficients have one sign, with log alpha_k each. May be empty if the intercept
/// has that sign.
struct SoftPool {
  linalg::SharedPoints points;
  std::vector<double> log_weights;

  bool empty() const { return log_weights.empty(); }
};

struct KernelPools {
  SoftPool positive, negative;  // P and N
  Kernel kernel = Kernel(1.0);
  double gamma = 1.0;          // of the Gaussian kernel
  double log_total = 0.0;      // log c
  double weight_sum = 0.0;     // of all alpha, without the intercept
  double intercept = 0.0;      // theta: a virtual point at x, in P if positive, in N if negative
  std::vector<double> center;  // the mean of all points
  double radius = 0.0;         // the largest distance of one from it

  bool is_gaussian() const { return kernel.is_gaussian(); }

  /// log |theta|, the exponent of the virtual point (its distance from x is 0), if it belongs to P
  /// or to N.
  std::optional<double> positive_intercept() const;
  std::optional<double> negative_intercept() const;
};

/// Splits a machine by the signs of its coefficients and drops coefficients of 0. The pools share
/// the machine's points. A pool may have nothing.
KernelPools split_by_sign(const KernelMachine& machine);

/// Throws InvalidModel if a pool has neither a point nor the intercept.
void require_both_pools(const KernelPools& pools);

/// How far rounding may move an exponent of a sum of kernel values. The error is multiplied by the
/// sum of the coefficients, given by its absolute value: it stays below 1e-10.
linalg::ExponentTolerance sum_tolerance(double weight_sum);

/// f, from the logs of the sums over the points of both pools: the number that predict prints.
inline double machine_output(double log_positive, double log_negative, double intercept) {
  return (std::exp(log_positive) - std::exp(log_negative)) + intercept;
}

/// True if these log-weights are small enough for single precision. Steep ones may be too large
/// even if the distances are not.
bool fit_single(std::span<const double> log_weights);

}  // namespace bisector::detail
