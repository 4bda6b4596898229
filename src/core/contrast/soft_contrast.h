// Contrasts of kernel machines: two soft pools and the virtual point of the intercept. One
// streaming pass per pool gives f, g and the moments of a tile.
//
// With F the sum of a pool (with the intercept's virtual point at x) and u its mean point,
//
//     f = F_P - F_N                 grad f = 2 gamma [F_P (u_P - x) - F_N (u_N - x)]
//     g = log(F_P / F_N) / gamma    grad g = 2 (u_P - u_N)
//
// for the Gaussian kernel. Other kernels have the slope of the pool's sum in the place of gamma F
// and, for g, its ratio to the slope at the effective distance. The virtual point moves with x, so
// it adds nothing to the gradients.
#pragma once

#include <span>
#include <vector>

#include "core/contrast/contrast.h"
#include "core/contrast/pool_moments.h"
#include "core/models/kernel_pools.h"

namespace bisector::detail {

class SoftContrast final : public Contrast {
 public:
  /// `level`: of regressors. Throws InvalidModel if a pool has nothing, unless there are no values
  /// to average, or if the intercept is to be ignored and a pool holds nothing else.
  SoftContrast(const Model& model, Model::ClassPair pair, double level, const PoolOptions& options,
               unsigned threads);

  std::vector<RowDecision> decide(const RowTile& tile) const override;
  TileMoments moments(const RowTile& tile) const override;
  ExactMeans exact_means(const RowTile& tile, std::size_t r,
                         const TileMoments& moments) const override;
  void gradients_on_lines(MatrixView<const double> rows, const linalg::Lines<double>& lines,
                          unsigned threads, const UseGradient& use) const override;
  std::span<const double> center() const override { return pools_.center; }
  PoolsAtRow members(std::span<const double> row) const override;
  Network network(std::span<const double> row) const override;
  void gradients(ExplainedOutput output, const RowTile& tile,
                 MatrixView<double> gradients) const override;

 private:
  /// True if the pools' means are relative to the row itself, not to the center.
  bool has_means_at_rows() const { return !pools_.kernel.distance().is_euclidean(); }
  double g(const linalg::SoftmaxRow& positive, const linalg::SoftmaxRow& negative) const;
  std::vector<RowDecision> decide(const linalg::SoftmaxRows& positive,
                                  const linalg::SoftmaxRows& negative, std::size_t count) const;
  /// Half of the gradients at a row, relative to the center, by the model's features.
  void half_gradient_of_g(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const;
  void half_gradient_of_f(std::span<const double> centered, const linalg::SoftmaxRow& positive,
                          const linalg::SoftmaxRow& negative, std::span<double> out) const;
  /// positive factor (mean_P - x) - negative factor (mean_N - x).
  void combine(std::span<const double> centered, const linalg::SoftmaxRow& positive,
               double positive_factor, const linalg::SoftmaxRow& negative, double negative_factor,
               std::span<double> out) const;
  /// The ratio of a pool's slope to the slope at its effective distance.
  double gradient_scale(const linalg::SoftmaxRow& row) const;
  /// A pool's mean values around a center, point by point.
  std::vector<double> exact_mean(const SoftPool& pool, const PoolMoments& moments,
                                 std::span<const double> row, std::span<const double> center) const;
  PoolAtRow pool_at(const SoftPool& pool, const PoolMoments& moments, std::span<const double> row,
                    std::span<const double> center) const;

  Model::ClassPair pair_;
  double level_;
  KernelPools pools_;
  double intercept_;  // of the machine; that of the pools is relative to the level
  PoolOptions options_;
  Stiffness stiffness_;
  PoolMoments positive_, negative_;
};

}  // namespace bisector::detail
