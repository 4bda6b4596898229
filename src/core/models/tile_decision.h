// The interface by which a kind of model decides rows, tile by tile.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/matrix.h"
#include "core/models/tiles.h"

namespace bisector::detail {

class TileDecision {
 public:
  virtual ~TileDecision() = default;
  /// Writes the decision values of the tile's rows and returns their classes (none for regressors).
  virtual std::vector<std::size_t> decide(const RowTile& tile,
                                          MatrixView<double> decisions) const = 0;
};

}  // namespace bisector::detail
