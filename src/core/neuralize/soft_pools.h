// Both pools of a soft contrast made ready for rows. Whoever explains the same contrast shares
// them.
#pragma once

#include <optional>

#include "core/neuralize/pool_moments.h"
#include "core/neuralize/soft_contrast.h"

namespace bisector::detail {

class SoftPools {
 public:
  /// Throws InvalidModel when the intercept is to be ignored and a pool holds nothing else.
  SoftPools(SoftContrast contrast, const PoolOptions& options,
            const std::optional<PointValues>& values = std::nullopt)
      : contrast_(std::move(contrast)),
        options_(options),
        stiffness_(safe_stiffness(contrast_, options.beta)),
        positive_(contrast_.positive, contrast_.gamma, contrast_.positive_intercept(),
                  contrast_.radius, stiffness_, options, values),
        negative_(contrast_.negative, contrast_.gamma, contrast_.negative_intercept(),
                  contrast_.radius, stiffness_, options, values) {}

  const SoftContrast& contrast() const { return contrast_; }
  const PoolOptions& options() const { return options_; }
  /// How much stiffer than gamma the responsibilities are; finite.
  double ratio() const { return stiffness_.ratio; }
  const PoolMoments& positive() const { return positive_; }
  const PoolMoments& negative() const { return negative_; }

 private:
  SoftContrast contrast_;
  PoolOptions options_;
  Stiffness stiffness_;
  PoolMoments positive_, negative_;
};

}  // namespace bisector::detail
