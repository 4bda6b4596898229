// Contrasts of models that decide by the nearest points: with RankedPools for neighbors and
// centroids, with LevelPools for outlier detectors.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/contrast/contrast.h"
#include "core/contrast/level_pools.h"
#include "core/contrast/point_values.h"
#include "core/contrast/ranked_pools.h"

namespace bisector::detail {

template <class Pools>
class NeighborContrast final : public Contrast {
 public:
  /// An open choice takes each row's own pair of classes. `kappa` is the half-width of the band of
  /// ranks that share the responsibility.
  NeighborContrast(const Model& model, std::shared_ptr<const Pools> pools, ClassChoice choice,
                   std::shared_ptr<const PointValues> values, std::size_t kappa, unsigned threads)
      : Contrast(model, threads),
        pools_(std::move(pools)),
        choice_(choice),
        values_(std::move(values)),
        kappa_(kappa) {}

  std::vector<RowDecision> decide(const RowTile& tile) const override;
  std::unique_ptr<const SearchedRows> search(const RowTile& tile) const override;
  TileMoments moments(const RowTile& tile) const override;
  void gradients_on_lines(MatrixView<const double> rows, const linalg::Lines<double>& lines,
                          unsigned threads, const UseGradient& use) const override;
  PoolsAtRow members(std::span<const double> row) const override;
  PoolsAtRow voters(std::span<const double> row) const override;
  Network network(std::span<const double> row) const override;
  double radius(std::span<const double> row) const override;
  /// Of g: the mean gradient of the band of ranks. Throws InvalidInput for f, which has steps.
  void gradients(ExplainedOutput output, const RowTile& tile,
                 MatrixView<double> gradients) const override;

 private:
  using Decision = typename Pools::Decision;
  class Searched;
  struct AtRow {
    linalg::GroupedNeighbors found;
    Decision decision;
  };

  AtRow at(std::span<const double> row) const;
  PoolsAtRow members(const AtRow& at) const;
  /// The mean values, around `center`, of the points that share a pool's responsibility. A level is
  /// at the center. Returns the pool's scale.
  double pool_mean(const linalg::GroupedNeighbors& found, const Decision& decision, Side side,
                   std::span<const double> center, std::span<double> mean) const;

  std::shared_ptr<const Pools> pools_;
  ClassChoice choice_;
  std::shared_ptr<const PointValues> values_;
  std::size_t kappa_;
};

extern template class NeighborContrast<RankedPools>;
extern template class NeighborContrast<LevelPools>;

}  // namespace bisector::detail
