// The interface by which a kind of model decides rows, tile by tile.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/matrix.h"
#include "core/models/tiles.h"

namespace bisector::detail {

/// The outcome of a tile's rows, besides the decision values.
struct TileOutcome {
  std::vector<std::size_t> classes = {};            // empty for regressors
  std::vector<std::size_t> without_neighbors = {};  // rows of the tile
};

class TileDecision {
 public:
  virtual ~TileDecision() = default;
  /// Writes the decision values of the tile's rows.
  virtual TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const = 0;
};

}  // namespace bisector::detail
