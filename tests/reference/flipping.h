// The faithfulness metric as METHOD section 5 tells it, by plain loops over everything.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <span>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "core/evaluate/imputation.h"

namespace bisector::reference {

inline double squared_distance(const Matrix& points, std::size_t n, std::size_t m) {
  double sum = 0.0;
  for (std::size_t d = 0; d < points.cols(); ++d) sum += std::pow(points(n, d) - points(m, d), 2);
  return sum;
}

/// log p(x_n) under the density of all the other points, averaged over n.
inline double leave_one_out_likelihood(const Matrix& points, double variance) {
  const double features = static_cast<double>(points.cols());
  double total = 0.0;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    double density = 0.0;
    for (std::size_t m = 0; m < points.rows(); ++m) {
      if (m != n) density += std::exp(-squared_distance(points, n, m) / (2.0 * variance));
    }
    density /= static_cast<double>(points.rows() - 1);
    total += std::log(density) - 0.5 * features * std::log(2.0 * std::numbers::pi * variance);
  }
  return total / static_cast<double>(points.rows());
}

/// The right-hand side of the fixed point.
inline double next_variance(const Matrix& points, double variance) {
  double total = 0.0;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    double weights = 0.0, weighted = 0.0;
    for (std::size_t m = 0; m < points.rows(); ++m) {
      if (m == n) continue;
      const double squared = squared_distance(points, n, m);
      weights += std::exp(-squared / (2.0 * variance));
      weighted += squared * std::exp(-squared / (2.0 * variance));
    }
    total += weighted / weights;
  }
  return total / static_cast<double>(points.rows() * points.cols());
}

inline double fitted_variance(const Matrix& points) {
  double mean = 0.0;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    for (std::size_t m = 0; m < points.rows(); ++m) mean += squared_distance(points, n, m);
  }
  mean /= static_cast<double>(points.rows() * (points.rows() - 1));
  double variance = mean / 2.0;
  double likelihood = leave_one_out_likelihood(points, variance);
  for (;;) {
    const double next = next_variance(points, variance);
    const double next_likelihood = leave_one_out_likelihood(points, next);
    const bool has_converged = std::abs(next_likelihood - likelihood) < 1e-6;
    variance = next;
    likelihood = next_likelihood;
    if (has_converged) return variance;
  }
}

/// P(point n | the kept features of x).
inline std::vector<double> point_probabilities(const Matrix& points, double bandwidth,
                                               std::span<const double> x,
                                               const std::vector<bool>& kept) {
  std::vector<double> probabilities(points.rows());
  double total = 0.0;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    double squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d)
      squared += kept[d] ? std::pow(x[d] - points(n, d), 2) : 0.0;
    probabilities[n] = std::exp(-squared / (2.0 * bandwidth * bandwidth));
    total += probabilities[n];
  }
  for (double& p : probabilities) p /= total;
  return probabilities;
}

/// One row's curve, from +1 before any removal.
inline std::vector<double> flipping_curve(const DensityEstimate& density, std::span<const double> x,
                                          std::span<const double> relevance,
                                          const BatchClassifier& classify, std::size_t row,
                                          std::uint64_t seed, std::size_t samples) {
  const std::size_t features = x.size();
  const std::size_t step = features <= 10 ? 1 : features <= 50 ? 2 : 5;
  const std::size_t original = classify({x.data(), 1, features})[0];
  std::vector<bool> kept(features, true);
  std::vector<double> curve{1.0};
  for (std::size_t removed = 1; removed <= features; ++removed) {
    std::size_t best = features;  // the first of the largest that are left
    for (std::size_t d = 0; d < features; ++d) {
      if (kept[d] && (best == features || relevance[d] > relevance[best])) best = d;
    }
    kept[best] = false;
    if ((removed - 1) % step != 0) continue;
    detail::Draws draws;
    draws.fill(seed, row, (removed - 1) / step, samples, features);
    const auto probabilities = point_probabilities(density.points(), density.bandwidth(), x, kept);
    double score = 0.0;
    for (std::size_t s = 0; s < samples; ++s) {
      std::size_t point = 0;
      double cumulated = probabilities[0];
      while (cumulated <= draws.uniforms[s] && point + 1 < probabilities.size())
        cumulated += probabilities[++point];
      std::vector<double> imputed(x.begin(), x.end());
      for (std::size_t d = 0; d < features; ++d) {
        if (!kept[d])
          imputed[d] = density.points()(point, d) + density.bandwidth() * draws.noise(s, d);
      }
      score += classify({imputed.data(), 1, features})[0] == original ? 1.0 : -1.0;
    }
    curve.push_back(score / static_cast<double>(samples));
  }
  return curve;
}

inline double area(std::span<const std::size_t> removals, std::span<const double> curve) {
  double sum = 0.0, before = 0.0;
  for (std::size_t m = 0; m < removals.size(); ++m) {
    const double at = static_cast<double>(removals[m]);
    sum += (at - before) * (curve[m] + curve[m + 1]) / 2.0;
    before = at;
  }
  return sum / before;
}

}  // namespace bisector::reference
