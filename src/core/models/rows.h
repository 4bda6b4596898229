// Input rows before they enter a model: checked, preprocessed, centered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/linalg/softmax_reduction.h"
#include "core/util/parallel.h"

namespace bisector::detail {

/// Throws InvalidInput unless `rows` has the model's number of columns, and InvalidRow unless every
/// entry is finite and within kLargestCoordinate.
void require_rows(const Model& model, MatrixView<const double> rows);

/// Rows in the model's own space, QxD: where there is no preprocessing, a view of those that were
/// given, which have to outlive it.
class MappedRows {
 public:
  explicit MappedRows(MatrixView<const double> given) : given_(given) {}
  explicit MappedRows(Matrix own) : own_(std::move(own)) {}

  MatrixView<const double> view() const { return own_ ? own_->view() : given_; }
  std::span<const double> row(std::size_t row) const { return view().row(row); }
  Matrix copy() const;

 private:
  MatrixView<const double> given_;
  std::optional<Matrix> own_;
};

/// The rows in the model's own space. Throws InvalidRow if an entry exceeds kLargestCoordinate
/// during the mapping; the message counts rows from `first` on.
MappedRows preprocessed(const AffineMap& input, MatrixView<const double> rows,
                        std::size_t model_features, std::size_t first = 0);

/// True if the distance is a sum over the inputs: behind a matrix only Euclidean distances are.
bool has_parts(const Model& model);

/// rows - center, entry by entry.
Matrix centered(MatrixView<const double> rows, std::span<const double> center);

/// The gradient by the inputs of a function whose gradient by the model's features is `gradient`:
/// the chain rule through the preprocessing.
void pull_back(const AffineMap& input, std::span<const double> gradient,
               std::span<double> input_gradient);

// A loop over the rows of a model's input, tile by tile on several threads.

/// Neighbors: the points that vote in each row if distances are equal. Empty: the lowest indices.
using Voters = std::span<const std::vector<std::size_t>>;

/// At most linalg::kRowTile rows that go through a model together.
struct RowTile {
  std::size_t first, count;        // which of all rows
  MatrixView<const double> input;  // before the preprocessing
  MatrixView<const double> rows;   // behind it; where there is none, the same view
  unsigned threads;                // that may share the points of the model
  Voters voters = {};
};

/// The size of tiles. It does not change results, because a row's result depends on the row alone.
struct TilePlan {
  std::size_t rows;  // per tile, but for the last
  unsigned threads;  // per tile
};

/// As many tiles as threads, where a tile is work enough for a thread; remaining threads
/// share the points, where there is work enough for them. `numbers` is how many the points have.
inline TilePlan plan_tiles(std::size_t rows, std::size_t numbers, unsigned threads) {
  constexpr std::size_t kRowBlock = 8;     // rows that the kernels take together
  constexpr std::size_t kWork = 1u << 20;  // numbers that are worth the start of a thread
  const std::size_t available = util::resolve_threads(threads);
  const std::size_t share = (rows + available - 1) / available;
  const std::size_t least = kWork / std::max<std::size_t>(numbers, 1) + 1;
  const std::size_t tile =
      std::min(linalg::kRowTile, (std::max(share, least) + kRowBlock - 1) / kRowBlock * kRowBlock);
  const std::size_t tiles = std::max<std::size_t>((rows + tile - 1) / tile, 1);
  const std::size_t sharing = std::min(available / tiles, rows * numbers / kWork);
  return {tile, static_cast<unsigned>(std::max<std::size_t>(sharing, 1))};
}

/// Calls body(first, count, threads) for every tile of rows.
template <class Body>
void for_each_tile(const Model& model, std::size_t rows, unsigned threads, const Body& body) {
  const std::size_t numbers = model.shared_points().rows() * model.shared_points().cols();
  const TilePlan plan = plan_tiles(rows, numbers, threads);
  const std::size_t tiles = (rows + plan.rows - 1) / plan.rows;
  util::parallel_for(tiles, threads, [&] {
    return [&](std::size_t t) {
      const std::size_t first = t * plan.rows;
      body(first, std::min(plan.rows, rows - first), plan.threads);
    };
  });
}

/// Calls body(tile) for every tile of rows.
template <class Body>
void for_each_tile(const Model& model, MatrixView<const double> rows, unsigned threads,
                   const Body& body) {
  for_each_tile(
      model, rows.rows(), threads, [&](std::size_t first, std::size_t count, unsigned own_threads) {
        const auto input = rows.rows(first, count);
        const MappedRows mapped = preprocessed(model.input(), input, model.model_features(), first);
        body(RowTile{first, count, input, mapped.view(), own_threads});
      });
}

}  // namespace bisector::detail
