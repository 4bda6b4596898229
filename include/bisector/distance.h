// Distances that are sums over features, as data.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// s(x, u) = sum_d delta_d(u_d - x_d) with delta(t) = |t|^power, and 1 or 0 for a category, whose
/// numbers are equal or not. The distance itself is s^(1/power): Euclidean (2), Manhattan (1),
/// Minkowski; Hamming where every feature is a category, Gower where the others are scaled to their
/// ranges and the power is 1. Weights of features are scales in front of the model.
class BISECTOR_EXPORT Distance {
 public:
  /// Euclidean.
  Distance() = default;
  /// Throws InvalidModel unless the power is finite and at least 1. `categories` is empty, or as
  /// long as a row.
  explicit Distance(double power, std::vector<bool> categories = {});
  static Distance manhattan() { return Distance(1.0); }
  static Distance hamming(std::size_t features) {
    return Distance(1.0, std::vector<bool>(features, true));
  }

  double power() const { return power_; }
  const std::vector<bool>& categories() const { return categories_; }
  bool is_euclidean() const { return power_ == 2.0 && categories_.empty(); }
  bool is_category(std::size_t feature) const {
    return !categories_.empty() && categories_[feature];
  }

  /// delta of a feature, and minus half of its derivative by x_d, for t = u_d - x_d: t^2 and t
  /// where the distance is Euclidean. A category has no derivative, and |t| none at 0: both give 0.
  double part(std::size_t feature, double t) const {
    if (is_category(feature)) return t != 0.0 ? 1.0 : 0.0;
    return power_ == 1.0 ? std::abs(t) : power_ == 2.0 ? t * t : std::pow(std::abs(t), power_);
  }
  double pull(std::size_t feature, double t) const {
    if (is_category(feature) || t == 0.0) return 0.0;
    if (power_ == 2.0) return t;
    return std::copysign(0.5 * power_ * std::pow(std::abs(t), power_ - 1.0), t);
  }
  /// The distance whose sum is s, and the sum of a distance.
  double length(double s) const { return power_ == 2.0 ? std::sqrt(s) : std::pow(s, 1.0 / power_); }
  double sum(double length) const { return std::pow(length, power_); }

  bool operator==(const Distance&) const = default;

 private:
  double power_ = 2.0;
  std::vector<bool> categories_;
};

}  // namespace bisector
