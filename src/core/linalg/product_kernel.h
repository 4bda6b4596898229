// Kernels that are products over features: exp(-gamma s) of a distance that is a sum over features.
// Groups of features are players of their own: the factor of a group is the product of its
// members'.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/kernel.h"
#include "core/linalg/point_panels.h"

namespace bisector::linalg {

/// The logarithms of a kernel's factors between one point and a panel of points.
class ProductExponents {
 public:
  /// `players` is the player of each feature, 0, 1, ...; empty if every feature is a player.
  ProductExponents(double gamma, const Distance& distance, std::size_t features,
                   std::vector<std::size_t> players);

  std::size_t players() const { return count_; }
  /// Players x kPanelWidth: -gamma times the sum of the distance's parts over a player's features.
  void operator()(const double* panel, std::span<const double> point, std::span<double> out) const;

 private:
  double gamma_;
  Distance distance_;
  std::size_t features_;
  std::vector<std::size_t> players_;
  std::size_t count_;
};

}  // namespace bisector::linalg
