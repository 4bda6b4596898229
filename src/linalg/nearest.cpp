#include "linalg/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of both panel widths.
constexpr std::size_t kPointTile = 480;

/// The points of one group that may still be among the nearest `count` of one row. Distances here
/// are approximate (and lack |x|^2); everything within `slack` of the count-th smallest is kept,
/// and the slack covers twice the rounding, so no true neighbour is ever lost.
template <class T>
class Candidates {
 public:
  Candidates(std::size_t count, T slack) : count_(count), slack_(slack) {
    entries_.reserve(capacity_);
  }

  T limit() const { return limit_; }

  /// Looks at the distances of the first tile as a whole, so that only the near ones are added:
  /// one by one they would all pass while there is no limit yet.
  void set_limit(std::span<const T> distances, std::vector<T>& scratch) {
    if (distances.size() <= count_) return;
    scratch.assign(distances.begin(), distances.end());
    const auto nth = scratch.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(scratch.begin(), nth, scratch.end());
    limit_ = *nth + slack_;
  }

  void add(T distance, std::uint32_t position) {
    entries_.push_back({distance, position});
    if (entries_.size() >= capacity_) prune();
  }

  /// The positions that remain.
  const auto& entries() {
    prune();
    return entries_;
  }

 private:
  struct Entry {
    T distance;
    std::uint32_t position;
  };

  void prune() {
    if (entries_.size() <= count_) return;
    const auto nth = entries_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(entries_.begin(), nth, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.distance < b.distance; });
    limit_ = nth->distance + slack_;
    std::erase_if(entries_, [this](const Entry& e) { return !(e.distance <= limit_); });
    // Many equal distances may all have to stay: then make room, so that pruning stays rare.
    capacity_ = std::max(capacity_, 2 * entries_.size());
  }

  std::size_t count_;
  T slack_;
  std::size_t capacity_ = 2 * count_ + 32;
  T limit_ = std::numeric_limits<T>::max();
  std::vector<Entry> entries_;
};

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

}  // namespace

template <class T>
NearestSearch<T>::NearestSearch(Matrix points, std::span<const std::size_t> groups,
                                std::size_t group_count)
    : points_(std::move(points)), center_(row_mean(points_.view())), groups_(group_count) {
  for (std::size_t n = 0; n < groups.size(); ++n) groups_[groups[n]].indices.push_back(n);
  for (Group& group : groups_) {
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
                              std::vector<GroupedNeighbors>& found) const {
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
  for (std::size_t g = 0; g < groups_.size(); ++g)
    search_group(groups_[g], view, rows, norms, count, g, found);
}

template <class T>
void NearestSearch<T>::search_group(const Group& group, MatrixView<const T> centred,
                                    MatrixView<const double> rows,
                                    std::span<const double> row_norms, std::size_t count,
                                    std::size_t group_index,
                                    std::vector<GroupedNeighbors>& found) const {
  const auto& kernels = simd::kernels<T>();
  std::vector<Candidates<T>> candidates;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    // The classical bound of an inner product of D terms, twice for the two distances compared, and
    // twice more for the factor 2 in |u|^2 - 2 x.u.
    const double terms = static_cast<double>(rows.cols() + 4);
    const double slack = 4.0 * terms * std::numeric_limits<T>::epsilon() * group.radius *
                         (group.radius + row_norms[r]);
    candidates.emplace_back(count, static_cast<T>(slack));
  }

  AlignedVector<T> scores(rows.rows() * kPointTile);
  std::vector<std::uint32_t> hits(kPointTile);
  std::vector<T> scratch;
  for (std::size_t first = 0; first < group.indices.size(); first += kPointTile) {
    const std::size_t tile = std::min(kPointTile, group.indices.size() - first);
    const std::size_t padded = round_up(tile, PackedMatrix<T>::kWidth);
    kernels.multiply(centred.data(), centred.stride(), centred.rows(), group.points.panel(first),
                     group.points.panel_stride(), centred.cols(), padded, scores.data(), kPointTile,
                     false);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      T* row_scores = scores.data() + r * kPointTile;
      const T* norms = group.squared_norms.data() + first;
      if (first == 0) {
        kernels.scale_and_max(row_scores, norms, T{-2}, padded);
        candidates[r].set_limit({row_scores, tile}, scratch);
        for (std::uint32_t n = 0; n < tile; ++n) {
          if (row_scores[n] <= candidates[r].limit()) candidates[r].add(row_scores[n], n);
        }
        continue;
      }
      const std::size_t hit_count = kernels.scale_and_find(row_scores, norms, T{-2}, padded,
                                                           candidates[r].limit(), hits.data());
      for (std::size_t h = 0; h < hit_count; ++h) {
        if (hits[h] < tile)
          candidates[r].add(row_scores[hits[h]], static_cast<std::uint32_t>(first + hits[h]));
      }
    }
  }

  for (std::size_t r = 0; r < rows.rows(); ++r) {
    auto& nearest = found[r][group_index];
    for (const auto& entry : candidates[r].entries()) {
      const std::size_t index = group.indices[entry.position];
      nearest.push_back({squared_distance(rows.row(r), points_.row(index)), index});
    }
    std::sort(nearest.begin(), nearest.end());
    nearest.resize(std::min(nearest.size(), count));
  }
}

template class NearestSearch<double>;
template class NearestSearch<float>;

NeighborSearch::NeighborSearch(const Matrix& points, std::span<const std::size_t> groups,
                               std::size_t group_count, bool single)
    : f64_(points, groups, group_count) {
  if (single && fits_single(points.view())) f32_.emplace(points, groups, group_count);
}

std::vector<GroupedNeighbors> NeighborSearch::search(MatrixView<const double> rows,
                                                     std::size_t count) const {
  std::vector<GroupedNeighbors> found;
  if (f32_ && fits_single(rows))
    f32_->search(rows, count, found);
  else
    f64_.search(rows, count, found);
  return found;
}

}  // namespace bisector::linalg
