// Softmax weights of points by their squared distances, in the log domain.
#pragma once

#include <span>

#include "core/linalg/aligned_vector.h"

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
