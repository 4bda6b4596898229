// The votes around one row, against the model's own predictions.
#include "core/flips/row_neighbors.h"

#include <gtest/gtest.h>

#include "bisector/predict.h"
#include "core/linalg/vectors.h"
#include "reference/plain_machines.h"

namespace bisector::detail {
namespace {

using reference::normal_rows;
using reference::plain_neighbors;

TEST(RowNeighbors, FlipsWhereThePredictionDoes) {
  for (const std::size_t k : {1, 2, 4, 5, 9}) {
    const Model model = plain_neighbors(k, 60, 3, 2, k);
    const auto regions = NeighborRegions::of(model);
    ASSERT_TRUE(regions && regions->has_majority());
    const Matrix rows = normal_rows(11, 8, 3), others = normal_rows(12, 300, 3);
    const auto own = predict(model, rows).classes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const RowNeighbors neighbors(*regions, rows.row(r));
      // Rows at all distances from x.
      Matrix moved(others.rows(), 3);
      for (std::size_t n = 0; n < others.rows(); ++n)
        for (std::size_t d = 0; d < 3; ++d)
          moved(n, d) = rows(r, d) + 0.01 * static_cast<double>(n) * others(n, d);
      const auto classes = predict(model, moved).classes;
      for (std::size_t n = 0; n < moved.rows(); ++n)
        EXPECT_EQ(neighbors.flips(moved.row(n), own[r]), classes[n] != own[r]);
    }
  }
}

TEST(RowNeighbors, RowsThatApproachStayFlippedAndReachTheBoundary) {
  for (const std::size_t k : {1, 4, 5}) {
    const Model model = plain_neighbors(6, 60, 2, 2, k);
    const auto regions = NeighborRegions::of(model);
    const Matrix rows = normal_rows(11, 10, 2), others = normal_rows(13, 40, 2);
    const auto own = predict(model, rows).classes, theirs = predict(model, others).classes;
    const RowNeighbors::Box box{{0, 1}, {-9.0, -9.0}, {9.0, 9.0}};
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const RowNeighbors neighbors(*regions, rows.row(r));
      for (std::size_t o = 0; o < others.rows(); ++o) {
        if (theirs[o] == own[r]) continue;
        const auto other = others.row(o);
        const auto nearest = neighbors.approach({other.begin(), other.end()}, own[r], box);
        EXPECT_TRUE(neighbors.flips(nearest, own[r]));
        EXPECT_LE(linalg::squared_distance(rows.row(r), nearest),
                  linalg::squared_distance(rows.row(r), other) + 1e-9);
        // Slightly closer to the row, the prediction is its own.
        std::vector<double> closer(2);
        for (std::size_t d = 0; d < 2; ++d)
          closer[d] = nearest[d] + 1e-5 * (rows(r, d) - nearest[d]);
        EXPECT_FALSE(neighbors.flips(closer, own[r]));
      }
    }
  }
}

TEST(RowNeighbors, TheCrossingIsThatOfALineSearch) {
  const Model model = plain_neighbors(6, 60, 3, 2, 5);
  const auto regions = NeighborRegions::of(model);
  const Matrix rows = normal_rows(11, 6, 3), others = normal_rows(13, 30, 3);
  const auto own = predict(model, rows).classes, theirs = predict(model, others).classes;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const RowNeighbors neighbors(*regions, rows.row(r));
    for (std::size_t o = 0; o < others.rows(); ++o) {
      if (theirs[o] == own[r]) continue;
      double low = 0.0, high = 1.0;
      for (int step = 0; step < 20; ++step) {
        std::vector<double> middle(3);
        for (std::size_t d = 0; d < 3; ++d)
          middle[d] = rows(r, d) + 0.5 * (low + high) * (others(o, d) - rows(r, d));
        (neighbors.flips(middle, own[r]) ? high : low) = 0.5 * (low + high);
      }
      EXPECT_EQ(neighbors.crossing(others.row(o), own[r], 20), high);
    }
  }
}

}  // namespace
}  // namespace bisector::detail
