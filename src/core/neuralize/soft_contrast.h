// A kernel machine as a contrast of two soft pools (METHOD: the neuralized SVM). The pools' scores
// are z_k = |x - u_k|^2 - log(alpha_k) / gamma; g = softmin over N minus softmin over P.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/kernel_machine.h"
#include "bisector/matrix.h"

namespace bisector::detail {

/// Points of one sign with log alpha_k each. May be empty where the intercept stands in for them.
struct SoftPool {
  Matrix points;
  std::vector<double> log_weights;
  std::vector<std::size_t> indices;  // where the points stand among the model's
};

struct SoftContrast {
  SoftPool positive, negative;  // P and N
  double gamma = 1.0;
  double intercept = 0.0;  // theta: a virtual point at x, in P if positive, in N if negative

  /// log |theta|, the exponent of the virtual point (its distance from x is zero), where it stands
  /// in P or in N.
  std::optional<double> positive_intercept() const;
  std::optional<double> negative_intercept() const;

  /// The mean of all points, and the largest distance of one from `center`.
  std::vector<double> mean() const;
  double radius(std::span<const double> center) const;
};

/// Splits a machine by the signs of its coefficients; zero coefficients drop out. Throws
/// InvalidModel when a pool has neither a point nor the intercept.
SoftContrast neuralize(const KernelMachine& machine);

}  // namespace bisector::detail
