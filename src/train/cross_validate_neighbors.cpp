#include <algorithm>
#include <memory>

#include "core/linalg/neighbor_search.h"
#include "core/linalg/parallel.h"
#include "core/linalg/softmax_reduction.h"
#include "core/models/votes.h"
#include "train/cross_validate.h"

namespace bisector::detail {

namespace {

using Search = linalg::NeighborSearch;

/// A tile of a fold's held-out rows.
struct Tile {
  std::size_t fold, first, count;
};

std::vector<Tile> held_out_tiles(std::span<const Fold> folds) {
  std::vector<Tile> tiles;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    const std::size_t rows = folds[f].held_out.size();
    for (std::size_t first = 0; first < rows; first += linalg::kRowTile)
      tiles.push_back({f, first, std::min(linalg::kRowTile, rows - first)});
  }
  return tiles;
}

/// The class that the k nearest vote for, for every k, ascending.
std::vector<std::size_t> votes_by_k(std::span<const linalg::Neighbor> nearest, const Fold& fold,
                                    const ClassTarget& target, std::span<const std::size_t> ks) {
  std::vector<double> votes(target.labels.size(), 0.0);
  std::vector<std::size_t> winners;
  std::size_t counted = 0;
  for (const std::size_t k : ks) {
    for (; counted < k; ++counted) ++votes[target.classes[fold.training[nearest[counted].index]]];
    winners.push_back(winner(votes));
  }
  return winners;
}

}  // namespace

Matrix cross_validate_neighbors(MatrixView<const double> rows, const ClassTarget& target,
                                std::span<const Fold> folds, const TuneOptions& options,
                                std::span<const std::size_t> ks) {
  // The neighbours for the largest k hold those for all others.
  std::vector<std::size_t> ascending(ks.begin(), ks.end());
  std::sort(ascending.begin(), ascending.end());
  std::vector<std::unique_ptr<Search>> searches;
  for (const Fold& fold : folds) {
    const std::vector<std::size_t> one_group(fold.training.size(), 0);
    searches.push_back(std::make_unique<Search>(gather_rows(rows, fold.training), one_group, 1));
  }

  Matrix predicted(rows.rows(), ascending.size());  // every row is held out once
  const std::vector<Tile> tiles = held_out_tiles(folds);
  Progress progress(options.progress, tiles.size());
  linalg::parallel_for(tiles.size(), options.threads, [&] {
    return [&](std::size_t t) {
      const Fold& fold = folds[tiles[t].fold];
      const auto held_out = std::span(fold.held_out).subspan(tiles[t].first, tiles[t].count);
      const auto found =
          searches[tiles[t].fold]->search(gather_rows(rows, held_out).view(), ascending.back());
      for (std::size_t n = 0; n < held_out.size(); ++n)
        std::ranges::copy(votes_by_k(found[n][0], fold, target, ascending),
                          predicted.row(held_out[n]).begin());
      progress.step();
    };
  });

  Matrix scores(ks.size(), folds.size());
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const auto column =
        static_cast<std::size_t>(std::ranges::lower_bound(ascending, ks[i]) - ascending.begin());
    for (std::size_t f = 0; f < folds.size(); ++f)
      scores(i, f) =
          fold_score(target, folds[f], [&](std::size_t row) { return predicted(row, column); });
  }
  return scores;
}

}  // namespace bisector::detail
