// Both pools of a soft contrast made ready for rows. Whoever explains the same contrast shares
// them.
#pragma once

#include <optional>
#include <span>

#include "core/contrast/pool_moments.h"
#include "core/contrast/soft_contrast.h"

namespace bisector::detail {

class SoftPools {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftPools(SoftContrast contrast, const PoolOptions& options,
            const std::optional<PointValues>& values = std::nullopt)
      : contrast_(std::move(contrast)),
        options_(options),
        stiffness_(safe_stiffness(contrast_, options.beta)),
        positive_(contrast_, contrast_.positive, contrast_.positive_intercept(), stiffness_,
                  options, values),
        negative_(contrast_, contrast_.negative, contrast_.negative_intercept(), stiffness_,
                  options, values) {}

  const SoftContrast& contrast() const { return contrast_; }
  const PoolOptions& options() const { return options_; }
  /// How much stiffer than gamma the responsibilities are; finite.
  double ratio() const { return stiffness_.ratio; }
  const PoolMoments& positive() const { return positive_; }
  const PoolMoments& negative() const { return negative_; }

  /// True where the pools' means are seen from the row itself, and not from the center.
  bool means_from_rows() const { return !contrast_.kernel.distance().is_euclidean(); }

  double g(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) const;
  /// Half of the gradient of g and of f at a row, relative to the center, by the model's features.
  void half_gradient_of_g(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const;
  void half_gradient_of_f(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const;

 private:
  /// positive factor (mean_P - x) - negative factor (mean_N - x).
  void pull(std::span<const double> centered, const linalg::SoftmaxRow& positive,
            double positive_factor, const linalg::SoftmaxRow& negative, double negative_factor,
            std::span<double> out) const;
  /// What a pool's slope is of that at its effective distance.
  double lever(const linalg::SoftmaxRow& row) const;

  SoftContrast contrast_;
  PoolOptions options_;
  Stiffness stiffness_;
  PoolMoments positive_, negative_;
};

}  // namespace bisector::detail
