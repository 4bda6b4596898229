#include "core/linalg/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/linalg/candidates.h"
#include "core/linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of both panel widths.
constexpr std::size_t kPointTile = 480;
/// How many candidates more than four times those wanted make a row crowded.
constexpr std::size_t kCrowd = 64;

/// Beyond this, squares leave the range in which single precision can rank candidates.
constexpr double kLargestForSingle = 1e15;

bool fits_single(MatrixView<const double> rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (const double value : rows.row(r)) {
      if (std::abs(value) > kLargestForSingle) return false;
    }
  }
  return true;
}

/// What a search of one tile of rows needs beside its result.
template <class T>
struct Workspace {
  explicit Workspace(std::size_t rows)
      : scores(rows * kPointTile),
        limits(rows),
        hits(new simd::Hit<T>[rows * kPointTile]) {}  // left as it is until it is written

  AlignedVector<T> scores;
  std::vector<T> limits;
  std::unique_ptr<simd::Hit<T>[]> hits;
};

/// A first limit from the distances of the first points, looked at as a whole: without it every
/// point of a row would be a candidate for a while.
template <class T>
void set_limits(const PointGroup<T>& group, MatrixView<const T> centred, std::size_t points,
                Workspace<T>& space, std::vector<Candidates<T>>& candidates) {
  if (points == 0) return;
  const auto& kernels = simd::kernels<T>();
  const std::size_t padded = round_up(points, PackedMatrix<T>::kWidth);
  kernels.multiply(centred.data(), centred.stride(), centred.rows(), group.points.panel(0),
                   group.points.panel_stride(), centred.cols(), padded, space.scores.data(), padded,
                   false);
  for (std::size_t r = 0; r < centred.rows(); ++r) {
    T* scores = space.scores.data() + r * padded;
    kernels.scale_and_max(scores, group.squared_norms.data(), T{-2}, padded);
    candidates[r].set_limit({scores, points});
  }
}

/// For every row the points of a group that may be among its nearest.
template <class T>
std::vector<Candidates<T>> propose(const PointGroup<T>& group, MatrixView<const T> centred,
                                   std::span<const double> row_norms, std::size_t count,
                                   bool may_give_up, Workspace<T>& space) {
  const std::size_t most =
      may_give_up ? 4 * count + kCrowd : std::numeric_limits<std::size_t>::max();
  std::vector<Candidates<T>> candidates;
  candidates.reserve(centred.rows());
  for (std::size_t r = 0; r < centred.rows(); ++r) {
    // The classical bound of an inner product of D terms, twice for the two distances compared, and
    // twice more for the factor 2 in |u|^2 - 2 x.u.
    const double terms = static_cast<double>(centred.cols() + 4);
    const double slack = 4.0 * terms * std::numeric_limits<T>::epsilon() * group.radius *
                         (group.radius + row_norms[r]);
    candidates.emplace_back(count, static_cast<T>(slack), most);
  }

  const std::size_t first_tile =
      std::min({group.indices.size(), kPointTile, round_up(4 * count, PackedMatrix<T>::kWidth)});
  set_limits(group, centred, first_tile, space, candidates);
  for (std::size_t first = 0; first < group.indices.size(); first += kPointTile) {
    const std::size_t tile = std::min(kPointTile, group.indices.size() - first);
    for (std::size_t r = 0; r < centred.rows(); ++r) space.limits[r] = candidates[r].limit();
    const std::size_t hits = simd::kernels<T>().find_small(
        centred.data(), centred.stride(), centred.rows(), group.points.panel(first),
        group.points.panel_stride(), centred.cols(), round_up(tile, PackedMatrix<T>::kWidth),
        group.squared_norms.data() + first, space.limits.data(), space.scores.data(),
        space.hits.get());
    for (std::size_t h = 0; h < hits; ++h) {
      const simd::Hit<T>& hit = space.hits[h];
      if (hit.column < tile)
        candidates[hit.row].add(hit.value, static_cast<std::uint32_t>(first + hit.column));
    }
  }
  return candidates;
}

/// The nearest of the candidates, by distances from the differences.
template <class T>
void settle(const PointGroup<T>& group, const Matrix& points, std::span<const double> row,
            Candidates<T>& candidates, std::size_t count, std::vector<Neighbor>& nearest) {
  const auto& entries = candidates.entries();
  nearest.reserve(entries.size());
  for (const auto& entry : entries) {
    const std::size_t index = group.indices[entry.position];
    nearest.push_back({squared_distance(row, points.row(index)), index});
  }
  std::sort(nearest.begin(), nearest.end());
  nearest.resize(std::min(nearest.size(), count));
}

}  // namespace

template <class T>
NearestSearch<T>::NearestSearch(Matrix points, std::span<const std::size_t> groups,
                                std::size_t group_count)
    : points_(std::move(points)), center_(row_mean(points_.view())), groups_(group_count) {
  for (std::size_t n = 0; n < groups.size(); ++n) groups_[groups[n]].indices.push_back(n);
  for (PointGroup<T>& group : groups_) {
    Matrix centred(group.indices.size(), points_.cols());
    for (std::size_t n = 0; n < group.indices.size(); ++n) {
      for (std::size_t d = 0; d < points_.cols(); ++d)
        centred(n, d) = points_(group.indices[n], d) - center_[d];
    }
    group.points = PackedMatrix<T>::of_transposed(centred.view());
    group.squared_norms.assign(group.points.padded_columns(), std::numeric_limits<T>::max());
    for (std::size_t n = 0; n < group.indices.size(); ++n) {
      const double squared = squared_norm(centred.row(n));
      group.squared_norms[n] = static_cast<T>(squared);
      group.radius = std::max(group.radius, std::sqrt(squared));
    }
  }
}

template <class T>
void NearestSearch<T>::search(MatrixView<const double> rows, std::size_t count,
                              std::vector<GroupedNeighbors>& found,
                              std::vector<std::size_t>* crowded) const {
  AlignedVector<T> centred(rows.rows() * rows.cols());
  std::vector<double> norms(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    double squared = 0.0;
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      const double value = rows(r, d) - center_[d];
      centred[r * rows.cols() + d] = static_cast<T>(value);
      squared += value * value;
    }
    norms[r] = std::sqrt(squared);
  }
  found.assign(rows.rows(), GroupedNeighbors(groups_.size()));
  const MatrixView<const T> view(centred.data(), rows.rows(), rows.cols());
  Workspace<T> space(rows.rows());
  std::vector<char> given_up(rows.rows(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    auto candidates = propose(groups_[g], view, norms, count, crowded != nullptr, space);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (candidates[r].is_crowded())
        given_up[r] = 1;
      else
        settle(groups_[g], points_, rows.row(r), candidates[r], count, found[r][g]);
    }
  }
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (given_up[r] != 0) crowded->push_back(r);
  }
}

template class NearestSearch<double>;
template class NearestSearch<float>;

NeighborSearch::NeighborSearch(const Matrix& points, std::span<const std::size_t> groups,
                               std::size_t group_count)
    : f64_(points, groups, group_count) {
  if (fits_single(points.view())) f32_.emplace(points, groups, group_count);
}

std::vector<GroupedNeighbors> NeighborSearch::search(MatrixView<const double> rows,
                                                     std::size_t count) const {
  std::vector<GroupedNeighbors> found;
  if (!f32_ || !fits_single(rows)) {
    f64_.search(rows, count, found);
    return found;
  }
  std::vector<std::size_t> crowded;
  f32_->search(rows, count, found, &crowded);
  std::vector<GroupedNeighbors> again;
  for (const std::size_t r : crowded) {
    f64_.search(rows.rows(r, 1), count, again);
    found[r] = std::move(again[0]);
  }
  return found;
}

}  // namespace bisector::linalg
