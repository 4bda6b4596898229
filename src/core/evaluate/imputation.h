// Imputation of removed features. Conditional: a point is drawn with probability proportional to
// exp(-scale |x_kept - u_kept|^2), its values replace the removed features, and noise of the
// bandwidth is added. Marginal: the values of any point, without noise. Mean: the points' mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "core/linalg/packed_matrix.h"

// Softmax weights of points by their squared distances, in the log domain.

namespace bisector::linalg {

/// The constants that turn the weights of soft_weights() into probabilities and densities.
struct WeightSum {
  double nearest;  // the smallest squared distance
  double sum;      // of the weights; at least one, because the nearest point has weight one

  /// log sum_n exp(-scale d_n).
  double log_sum(double scale) const;
};

/// weights[n] = exp(-scale (d_n - min d)) for the squared distances d; an exponential below the
/// smallest normal number is 0. `weights` is resized to the distances and some padding of zeros.
WeightSum soft_weights(std::span<const double> squared_distances, double scale,
                       AlignedVector<double>& weights);

}  // namespace bisector::linalg

namespace bisector::detail {

/// The random numbers of one measurement of one row, the same for every method. Every feature has
/// noise, removed or not, so that the draws do not depend on which features are removed.
struct Draws {
  std::vector<double> uniforms;  // samples: which point
  Matrix noise;                  // samples x features, standard normal

  void fill(std::uint64_t seed, std::size_t row, std::size_t measurement, std::size_t samples,
            std::size_t features);
};

/// The points of a density, also feature by feature, and the imputed values that they give.
class DonorRows {
 public:
  explicit DonorRows(const DensityEstimate& density, Imputer imputer = Imputer::conditional);

  const Matrix& points() const { return density_->points(); }
  std::span<const double> feature(std::size_t d) const { return features_.row(d); }
  double scale() const { return density_->scale(); }
  double bandwidth() const { return density_->bandwidth(); }
  Imputer imputer() const { return imputer_; }
  std::span<const double> mean() const { return mean_; }
  /// The number of imputed rows of a measurement: `wanted`, or 1 for the mean.
  std::size_t samples(std::size_t wanted) const { return imputer_ == Imputer::mean ? 1 : wanted; }

 private:
  const DensityEstimate* density_;
  Imputer imputer_;
  Matrix features_;  // D x N
  std::vector<double> mean_;
};

/// The squared distances between a row and all points over the kept features. Features are only
/// added, never subtracted, so that the sums lose no digits. They stay 0 for imputers that do not
/// need them.
class KeptDistances {
 public:
  /// Starts with no kept feature.
  explicit KeptDistances(std::size_t points) : squared_(points, 0.0) {}

  void keep(const DonorRows& background, std::size_t feature, double x);
  std::span<const double> squared() const { return squared_; }

 private:
  std::vector<double> squared_;
};

/// The distribution over the points given the kept features.
class PointDistribution {
 public:
  /// Replaces the distribution.
  void reset(const DonorRows& background, const KeptDistances& kept);
  /// The point at `uniform` in [0, 1) of the cumulated probabilities.
  std::size_t pick(double uniform) const;

 private:
  linalg::AlignedVector<double> cumulated_;  // not normalized
};

/// The memory of one thread that imputes rows.
struct ImputationWorkspace {
  Draws draws;
  PointDistribution distribution;
};

/// Sets `imputed`, one row per draw of the workspace, to x with imputed `removed` features.
void impute(const DonorRows& background, std::span<const double> x,
            std::span<const std::size_t> removed, const KeptDistances& kept,
            ImputationWorkspace& workspace, MatrixView<double> imputed);

// Background rows visible to the rules if the donor rows are disjoint.

/// `given` without one equal row for each row of `removed`. Throws InvalidInput if fewer than two
/// rows remain.
Matrix without_rows(MatrixView<const double> given, MatrixView<const double> removed);

}  // namespace bisector::detail
