// A kernel machine as a contrast of two soft pools (METHOD: the neuralized SVM). The pools' scores
// are z_k = |x - u_k|^2 - log(alpha_k) / gamma; g = softmin over N minus softmin over P.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bisector/kernel_machine.h"
#include "core/linalg/point_set.h"

namespace bisector::detail {

/// Points of one sign, where they stand among the machine's, with log alpha_k each. May be empty
/// where the intercept stands in for them.
struct SoftPool {
  linalg::SharedPoints points;
  std::vector<double> log_weights;

  bool empty() const { return log_weights.empty(); }
};

struct SoftContrast {
  SoftPool positive, negative;  // P and N
  double gamma = 1.0;
  double intercept = 0.0;      // theta: a virtual point at x, in P if positive, in N if negative
  std::vector<double> center;  // the mean of all points
  double radius = 0.0;         // the largest distance of one from it

  /// log |theta|, the exponent of the virtual point (its distance from x is zero), where it stands
  /// in P or in N.
  std::optional<double> positive_intercept() const;
  std::optional<double> negative_intercept() const;
};

/// Splits a machine by the signs of its coefficients; zero coefficients drop out. The contrast
/// shares the machine's points. Throws InvalidModel when a pool has neither a point nor the
/// intercept.
SoftContrast neuralize(const KernelMachine& machine);

}  // namespace bisector::detail
