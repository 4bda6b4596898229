// Distances that are sums over features, as data.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// s(x, u) = sum_d delta_d(u_d - x_d). For a number, delta(t) = |t|^power. For a category, delta is
/// the category's weight if the values differ, else 0. The distance itself is s^(1/power):
/// Euclidean (power 2), Manhattan (1) or Minkowski; Hamming if every feature is a category; Gower
/// if the power is 1 and numbers are scaled to their ranges. To weight numeric features, scale the
/// inputs.
///
/// The cosine distance is 1 - cos(x, u). It is half of the squared Euclidean distance between x and
/// u at length 1, so it is also a sum over features; its power is 1.
class BISECTOR_EXPORT Distance {
 public:
  /// Euclidean.
  Distance() = default;
  /// `categories` is empty or has one entry per feature: the weight of a category, 0 for a number.
  /// Throws InvalidModel unless the power is finite and at least 1 and the weights are finite and
  /// not negative.
  explicit Distance(double power, std::vector<double> categories = {});
  static Distance manhattan() { return Distance(1.0); }
  static Distance hamming(std::size_t features) {
    return Distance(1.0, std::vector<double>(features, 1.0));
  }
  static Distance cosine();

  double power() const { return power_; }
  const std::vector<double>& categories() const { return categories_; }
  bool is_euclidean() const { return power_ == 2.0 && categories_.empty(); }
  bool is_cosine() const { return is_cosine_; }
  bool is_category(std::size_t feature) const {
    return !categories_.empty() && categories_[feature] > 0.0;
  }

  /// For all distances but the cosine, with t = u_d - x_d: delta of a feature, and -1/2 times its
  /// derivative by x_d. If the distance is Euclidean, these are t^2 and t. The derivative of a
  /// category and of |t| at 0 is taken as 0.
  double part(std::size_t feature, double t) const {
    if (is_category(feature)) return t != 0.0 ? categories_[feature] : 0.0;
    return power_of(std::abs(t), power_);
  }
  double half_slope(std::size_t feature, double t) const {
    if (is_category(feature) || t == 0.0) return 0.0;
    if (power_ == 2.0) return t;
    return std::copysign(0.5 * power_ * power_of(std::abs(t), power_ - 1.0), t);
  }
  /// The distance for a sum s, and the sum s for a distance.
  double length(double s) const {
    return power_ == 2.0 ? std::sqrt(s) : power_ == 1.0 ? s : std::pow(s, 1.0 / power_);
  }
  double sum(double length) const { return power_of(length, power_); }
  /// True for powers that are products and square roots: vector code computes the same bits.
  static bool is_product(double power) {
    return power == 1.5 || power == 2.5 || power == 3.0 || power == 4.0;
  }

  bool operator==(const Distance&) const = default;

 private:
  /// a^power for a >= 0.
  static double power_of(double a, double power) {
    if (power == 0.0) return 1.0;
    if (power == 1.0) return a;
    if (power == 2.0) return a * a;
    if (power == 3.0) return a * a * a;
    if (power == 4.0) return (a * a) * (a * a);
    if (power == 0.5) return std::sqrt(a);
    if (power == 1.5) return a * std::sqrt(a);
    if (power == 2.5) return (a * a) * std::sqrt(a);
    return std::pow(a, power);
  }

  double power_ = 2.0;
  std::vector<double> categories_;
  bool is_cosine_ = false;
};

}  // namespace bisector
