// The values of a point whose means over the pools the rules need: its coordinates and, unless only
// gradients are wanted, one second value per input feature.
//
// Euclidean distances: the second values are the squares of the coordinates. Behind a matrix A they
// are a*b with a = A^+ (u - r) and b = A^T (u - r). For other distances the values depend on the
// row x: minus half of the derivative of the point's part of the distance, and that part itself, in
// the place of u - x and its square.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::detail {

class PointValues {
 public:
  enum class Kind { first, both };  // coordinates alone, or second values too

  /// `input` is the map in front of the model, `reference` a point r of the model's space.
  PointValues(const AffineMap& input, std::vector<double> reference, Kind kind,
              Distance distance = {});

  std::size_t columns() const;
  /// False if the second values are the squares of the coordinates, or if there are none.
  bool are_own() const { return has_matrix() && has_second_; }
  bool has_second() const { return has_second_; }
  /// True if the center has to be the row.
  bool depend_on_row() const { return !distance_.is_euclidean(); }
  bool has_matrix() const { return map_.rows() > 0; }

  /// The values of a point u, from u - c and c.
  void compute(std::span<const double> centered, std::span<const double> center,
               std::span<double> out) const;
  /// The mean values of some points, each given by its first coordinate; `weights` sum to one, or
  /// are empty for equal ones.
  void mean(std::span<const double* const> points, std::span<const double> center,
            std::span<double> mean, std::span<const double> weights = {}) const;

  /// A^T (u - r) and A^+ (u - r), from u - c and c.
  std::vector<double> mapped(std::span<const double> centered,
                             std::span<const double> center) const {
    return to_inputs(map_, centered, center);
  }
  std::vector<double> inverse_mapped(std::span<const double> centered,
                                     std::span<const double> center) const {
    return to_inputs(inverse_, centered, center);
  }
  /// A^T, inputs x outputs; empty unless a matrix mixes the inputs.
  const Matrix& map() const { return map_; }
  const std::vector<double>& reference() const { return reference_; }

 private:
  std::vector<double> to_inputs(const Matrix& matrix, std::span<const double> centered,
                                std::span<const double> center) const;

  std::vector<double> reference_;
  bool has_second_;
  Distance distance_;
  Matrix map_;      // A^T
  Matrix inverse_;  // A^+, inputs x outputs
};

}  // namespace bisector::detail
