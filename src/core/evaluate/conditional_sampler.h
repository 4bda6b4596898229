// Drawing the removed features of a row given the kept ones, from a kernel density: pick a point
// with probability proportional to exp(-scale |x_kept - u_kept|^2), take its removed features, and
// add noise of the bandwidth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "core/linalg/aligned_vector.h"

namespace bisector::detail {

/// The random numbers of one measurement of one row, the same for every method. There is noise for
/// every feature, removed or not, so that the draws do not depend on which are.
struct Draws {
  std::vector<double> uniforms;  // samples: which point
  Matrix noise;                  // samples x features, standard normal

  void fill(std::uint64_t seed, std::size_t row, std::size_t measurement, std::size_t samples,
            std::size_t features);
};

/// The points of a density, also feature by feature.
class Background {
 public:
  explicit Background(const DensityEstimate& density);

  const Matrix& points() const { return density_->points(); }
  std::span<const double> feature(std::size_t d) const { return features_.row(d); }
  double scale() const { return density_->scale(); }
  double bandwidth() const { return density_->bandwidth(); }

 private:
  const DensityEstimate* density_;
  Matrix features_;  // D x N
};

/// The squared distances between a row and all points over the kept features. Features are only
/// ever added, so that the sums never lose digits to a difference.
class KeptDistances {
 public:
  /// Nothing is kept.
  explicit KeptDistances(std::size_t points) : squared_(points, 0.0) {}

  void keep(const Background& background, std::size_t feature, double x);
  std::span<const double> squared() const { return squared_; }

 private:
  std::vector<double> squared_;
};

/// The distribution over the points given the kept features.
class PointDistribution {
 public:
  /// Replaces what was there.
  void reset(const Background& background, const KeptDistances& kept);
  /// The point at `uniform` in [0, 1) of the cumulated probabilities.
  std::size_t pick(double uniform) const;

 private:
  linalg::AlignedVector<double> cumulated_;  // not normalised
};

/// `completed` = x, with the `removed` features drawn around point `point`.
void complete(const Background& background, std::span<const double> x,
              std::span<const std::size_t> removed, std::size_t point,
              std::span<const double> noise, std::span<double> completed);

}  // namespace bisector::detail
