#include "core/linalg/neighbor_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>

#include "core/linalg/possible_neighbors.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/simd/code_kernels.h"

namespace bisector::linalg {
namespace {

/// The features from which on codes are faster than floats.
constexpr std::size_t kLeastCodedFeatures = 64;

/// True if codes of these points are faster than floats: for many features on this processor, and
/// for rows in a file, which codes need not read.
bool codes_serve(const SharedMatrix& points) {
  if (points.cols() > kMostCodedFeatures) return false;
  return points.file() != nullptr ||
         (points.cols() >= kLeastCodedFeatures && simd::code_kernels().is_fast);
}

/// True if single precision takes the points. Mostly this follows from the center and the radii,
/// and the points need not be read.
bool fit_single(const std::vector<PointGroup>& groups, const SharedMatrix& points) {
  double bound = 0.0;
  for (const double value : groups[0].points->center()) bound = std::max(bound, std::abs(value));
  for (const PointGroup& group : groups) bound = std::max(bound, group.radius);
  return 4.0 * bound <= kLargestForSingle || fits_single(points);
}

/// Replaces the neighbors of the queries in `crowded` by search(crowded).
template <class Search>
void search_again(std::vector<std::size_t>& crowded, const Search& search,
                  std::vector<GroupedNeighbors>& found) {
  if (crowded.empty()) return;
  auto exact = search(crowded);
  for (std::size_t c = 0; c < crowded.size(); ++c) found[crowded[c]] = std::move(exact[c]);
}

}  // namespace

/// The search in single precision, made when it is first used: its panels take four times the
/// memory of the codes, which usually serve alone. Rows in a file are read in every search.
class NeighborSearch::Single {
 public:
  explicit Single(const std::vector<PointGroup>& groups) : groups_(groups) {}

  const ProductSearch<float>& get() const {
    const bool is_in_file = groups_[0].points->matrix().file() != nullptr;
    std::call_once(once_,
                   [&] { search_.emplace(groups_, is_in_file ? Panels::packed : Panels::kept); });
    return *search_;
  }

  /// True while codes gave up few of the rows that they searched.
  bool codes_pay() const { return given_up_ * 4 <= searched_ + 64; }
  void count_rows(std::size_t searched, std::size_t given_up) const {
    searched_ += searched;
    given_up_ += given_up;
  }

 private:
  const std::vector<PointGroup>& groups_;
  mutable std::once_flag once_;
  mutable std::optional<ProductSearch<float>> search_;
  mutable std::atomic<std::size_t> searched_{0}, given_up_{0};
};

NeighborSearch::NeighborSearch(const SharedMatrix& points, std::span<const std::size_t> groups,
                               std::size_t group_count, const Distance& distance)
    : points_(points),
      is_cosine_(distance.is_cosine()),
      f64_(std::make_shared<const ProductSearch<double>>(
          make_groups(is_cosine_ ? SharedMatrix(unit_rows(points->view())) : points, groups,
                      group_count),
          Panels::packed)) {
  const bool is_euclidean = distance.is_euclidean() || is_cosine_;
  if (!is_euclidean)
    any_.emplace(f64_->groups(), distance);
  else if (fit_single(f64_->groups(), points))
    f32_ = std::make_shared<const Single>(f64_->groups());
  if (!f32_) return;
  if (codes_serve(points))
    codes_.emplace(f64_->groups());
  else
    f32_->get();
}

std::vector<GroupedNeighbors> NeighborSearch::search(MatrixView<const double> rows,
                                                     std::size_t count, unsigned threads) const {
  if (is_cosine_) return search_directions(rows, count, threads);
  if (!any_) return search_euclidean(rows, count, threads);
  std::vector<GroupedNeighbors> found;
  any_->search(rows, count, threads, found);
  return found;
}

/// The cosine distance is half of the squared Euclidean distance between unit vectors. A row of
/// zeros has no direction: its distance to every point is 1, so the lowest indices are its
/// neighbors.
std::vector<GroupedNeighbors> NeighborSearch::search_directions(MatrixView<const double> rows,
                                                                std::size_t count,
                                                                unsigned threads) const {
  const Matrix directions = unit_rows(rows);
  auto found = search_euclidean(directions.view(), count, threads);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const bool is_zero = std::ranges::all_of(directions.row(r), [](double v) { return v == 0.0; });
    for (std::size_t g = 0; g < found[r].size(); ++g) {
      std::vector<Neighbor>& group = found[r][g];
      const PointSet& points = *f64_->groups()[g].points;
      for (std::size_t n = 0; n < group.size(); ++n) {
        if (is_zero)
          group[n] = {1.0, points.index(n)};
        else
          group[n].squared_distance *= 0.5;
      }
      std::ranges::sort(group, std::less<>());  // halves of tiny distances may be equal
    }
  }
  return found;
}

bool NeighborSearch::are_codes_used(std::size_t count) const {
  // Codes discard points; where most are wanted, there is little to discard.
  return codes_ && count <= points_.rows() / 64 && f32_->codes_pay();
}

std::vector<GroupedNeighbors> NeighborSearch::search_euclidean(MatrixView<const double> rows,
                                                               std::size_t count,
                                                               unsigned threads) const {
  if (!f32_ || !fits_single(rows)) return f64_->search(rows, count, threads);
  std::vector<std::size_t> crowded;
  if (are_codes_used(count)) {
    auto found = codes_->search(rows, count, threads, crowded);
    f32_->count_rows(rows.rows(), crowded.size());
    search_again(
        crowded,
        [&](std::span<const std::size_t> given_up) {
          return search_by_floats(gather_rows(rows, given_up).view(), count, threads);
        },
        found);
    return found;
  }
  return search_by_floats(rows, count, threads);
}

std::vector<GroupedNeighbors> NeighborSearch::search_by_floats(MatrixView<const double> rows,
                                                               std::size_t count,
                                                               unsigned threads) const {
  std::vector<std::size_t> crowded;
  auto found = f32_->get().search(rows, count, threads, &crowded);
  // All of them in one call, so that a tile of points is packed only once.
  search_again(
      crowded,
      [&](std::span<const std::size_t> given_up) {
        return f64_->search(gather_rows(rows, given_up).view(), count, threads);
      },
      found);
  return found;
}

std::vector<GroupedNeighbors> NeighborSearch::search_on_lines(MatrixView<const double> rows,
                                                              const Lines<double>& lines,
                                                              std::size_t count,
                                                              unsigned threads) const {
  const auto at_points = [&](MatrixView<const double> points) {
    return search(points, count, threads);
  };
  // Directions of points on a line are not blends of those of its ends.
  const bool can_blend =
      f32_ && !is_cosine_ && !any_ && fits_single(rows) && fits_single(lines.starts);
  if (!can_blend) return search_at_points(rows, lines, at_points);
  std::vector<std::size_t> crowded;
  const bool by_codes = are_codes_used(count);
  auto found = by_codes ? codes_->search_on_lines(rows, lines, count, threads, crowded)
                        : f32_->get().search_on_lines(rows, lines, count, threads, &crowded);
  if (by_codes) f32_->count_rows(found.size(), crowded.size());
  search_again(
      crowded,
      [&](std::span<const std::size_t> given_up) {
        return search_at_points(rows, lines, given_up, at_points);
      },
      found);
  return found;
}

}  // namespace bisector::linalg
