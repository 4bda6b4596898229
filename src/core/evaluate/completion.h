// Completing a row whose features were partly removed. Conditional: pick a point with probability
// proportional to exp(-scale |x_kept - u_kept|^2), take its removed features, and add noise of the
// bandwidth. Marginal: those of any point, as they are. Mean: those of the points' mean.
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

/// The points of a density, also feature by feature, and what is made of them.
class Background {
 public:
  explicit Background(const DensityEstimate& density, Imputer imputer = Imputer::conditional);

  const Matrix& points() const { return density_->points(); }
  std::span<const double> feature(std::size_t d) const { return features_.row(d); }
  double scale() const { return density_->scale(); }
  double bandwidth() const { return density_->bandwidth(); }
  Imputer imputer() const { return imputer_; }
  std::span<const double> mean() const { return mean_; }
  /// Completed rows of a measurement for which `wanted` were asked: there is but one mean.
  std::size_t samples(std::size_t wanted) const { return imputer_ == Imputer::mean ? 1 : wanted; }

 private:
  const DensityEstimate* density_;
  Imputer imputer_;
  Matrix features_;  // D x N
  std::vector<double> mean_;
};

/// The squared distances between a row and all points over the kept features. Features are only
/// ever added, so that the sums never lose digits to a difference. Imputers that do not ask for
/// them leave them at zero.
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
  linalg::AlignedVector<double> cumulated_;  // not normalized
};

/// What one thread needs while it completes rows.
struct CompletionWorkspace {
  Draws draws;
  PointDistribution distribution;
};

/// `completed`, a row for each of the workspace's draws, = x with the `removed` features completed.
void complete(const Background& background, std::span<const double> x,
              std::span<const std::size_t> removed, const KeptDistances& kept,
              CompletionWorkspace& workspace, MatrixView<double> completed);

}  // namespace bisector::detail
