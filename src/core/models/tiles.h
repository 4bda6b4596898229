// Rows on their way through a model, tile by tile on several threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/linalg/parallel.h"
#include "core/linalg/soft_points.h"
#include "core/models/rows.h"

namespace bisector::detail {

/// Calls body(first row, count, mapped) for every tile of at most linalg::kRowTile rows, where
/// `mapped` are its rows behind the preprocessing.
template <class Body>
void for_each_tile(const Model& model, MatrixView<const double> rows, unsigned threads,
                   const Body& body) {
  const std::size_t tiles = (rows.rows() + linalg::kRowTile - 1) / linalg::kRowTile;
  linalg::parallel_for(tiles, threads, [&] {
    return [&](std::size_t tile) {
      const std::size_t first = tile * linalg::kRowTile;
      const std::size_t count = std::min(linalg::kRowTile, rows.rows() - first);
      body(first, count,
           preprocessed(model.input(), rows.rows(first, count), model.model_features(), first));
    };
  });
}

}  // namespace bisector::detail
