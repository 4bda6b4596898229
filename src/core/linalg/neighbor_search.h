// The nearest points of every group, exactly: possible neighbors come from inner products tile by
// tile, and distances computed from the differences decide among them, so that rounding never swaps
// neighbors and equal distances go to the lower index. For coordinates up to 1e100, the
// largest that models take, every search finds what sorting all distances would find, bit for bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "core/linalg/code_search.h"
#include "core/linalg/distance_search.h"
#include "core/linalg/lines.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/product_search.h"

namespace bisector::linalg {

/// Calls search(points), which returns one entry per point, for the points on the lines with these
/// numbers (row times steps, plus step), at most kRowTile at a time.
template <class Search>
std::vector<GroupedNeighbors> search_at_points(MatrixView<const double> rows,
                                               const Lines<double>& lines,
                                               std::span<const std::size_t> numbers,
                                               const Search& search) {
  const std::size_t steps = lines.steps.size();
  std::vector<GroupedNeighbors> found;
  Matrix points(std::min(kRowTile, numbers.size()), rows.cols());
  for (std::size_t first = 0; first < numbers.size(); first += kRowTile) {
    const std::size_t some = std::min(kRowTile, numbers.size() - first);
    for (std::size_t n = 0; n < some; ++n) {
      const std::size_t q = numbers[first + n];
      point_on_line(rows.row(q / steps), lines, lines.steps[q % steps], points.row(n));
    }
    for (GroupedNeighbors& one : search(points.view().rows(0, some)))
      found.push_back(std::move(one));
  }
  return found;
}
/// The same for all points on the lines.
template <class Search>
std::vector<GroupedNeighbors> search_at_points(MatrixView<const double> rows,
                                               const Lines<double>& lines, const Search& search) {
  std::vector<std::size_t> all(rows.rows() * lines.steps.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return search_at_points(rows, lines, all, search);
}

/// The fastest search there is. Euclidean distances of many features are bounded by 8-bit codes
/// (CodeSearch), others are proposed in single precision. Rows for which the bounds are too wide go
/// through single precision, and rows for which that is too coarse, or numbers whose squares it
/// cannot hold, through double precision.
class NeighborSearch {
 public:
  NeighborSearch(const SharedMatrix& points, std::span<const std::size_t> groups,
                 std::size_t group_count, const Distance& distance = {});

  const SharedMatrix& points() const { return points_; }
  /// True if 8-bit codes serve, where few of many points are wanted.
  bool has_codes() const { return codes_.has_value(); }
  /// One entry per row, at most kRowTile rows; see ProductSearch::search.
  std::vector<GroupedNeighbors> search(MatrixView<const double> rows, std::size_t count,
                                       unsigned threads = 1) const;
  /// One entry for every row and step, at most kRowTile rows; see ProductSearch::search_on_lines.
  /// The same as `search` at the points of the lines, bit for bit.
  std::vector<GroupedNeighbors> search_on_lines(MatrixView<const double> rows,
                                                const Lines<double>& lines, std::size_t count,
                                                unsigned threads = 1) const;

 private:
  class Single;

  bool are_codes_used(std::size_t count) const;
  std::vector<GroupedNeighbors> search_euclidean(MatrixView<const double> rows, std::size_t count,
                                                 unsigned threads) const;
  std::vector<GroupedNeighbors> search_by_floats(MatrixView<const double> rows, std::size_t count,
                                                 unsigned threads) const;
  std::vector<GroupedNeighbors> search_directions(MatrixView<const double> rows, std::size_t count,
                                                  unsigned threads) const;

  SharedMatrix points_;
  bool is_cosine_;                     // then the points that are searched are unit vectors
  std::optional<DistanceSearch> any_;  // for distances that are not Euclidean
  std::shared_ptr<const ProductSearch<double>> f64_;
  std::shared_ptr<const Single> f32_;  // null if squares leave the range of single precision
  std::optional<CodeSearch> codes_;    // for many features
};

}  // namespace bisector::linalg
