#include "core/linalg/neighbor_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/linalg/candidates.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/simd/code_kernels.h"

namespace bisector::linalg {
namespace {

/// The features from which on codes are faster than floats.
constexpr std::size_t kLeastCodedFeatures = 64;
/// A row with this many more than four times the wanted candidates is crowded.
constexpr std::size_t kCrowd = 64;

/// A point whose distance (computed in double) is not larger than that of another point may exceed
/// it by this much in precision T, where the distance is |u|^2 - 2 x.u over `terms` operations. The
/// points are within `radius` of the center, and the row is at distance `norm` from it.
template <class T>
AddedSlack<T> slack(std::size_t terms, double radius, double norm) {
  const auto n = static_cast<double>(terms);
  // The classical bound of an inner product, twice for the two distances compared, and twice more
  // for the factor 2.
  const double of_products = 4.0 * n * std::numeric_limits<T>::epsilon() * radius * (radius + norm);
  // The distances that decide are rounded, too: many points are equally far from a distant row.
  const double reach = radius + norm;
  const double of_distances = 2.0 * n * std::numeric_limits<double>::epsilon() * reach * reach;
  // Numbers below the smallest normal number lose their digits.
  const double of_nothing = 4.0 * n * static_cast<double>(std::numeric_limits<T>::min());
  return {static_cast<T>(of_products + of_distances + of_nothing)};
}

/// Minima over every `lanes`-th score, written to the first `lanes` places. They belong to
/// different points, so their k-th smallest is a valid limit, and close to the k-th smallest of all
/// scores.
template <class T>
std::span<T> fold(std::span<T> scores, std::size_t lanes) {
  for (std::size_t first = lanes; first < scores.size(); first += lanes) {
    const std::size_t count = std::min(lanes, scores.size() - first);
    for (std::size_t l = 0; l < count; ++l) scores[l] = std::min(scores[l], scores[first + l]);
  }
  return scores.first(std::min(lanes, scores.size()));
}

/// The number of minima that a limit is taken from: a few times the wanted number.
template <class T>
std::size_t limit_lanes(std::size_t wanted) {
  return round_up(std::min(4 * wanted, kPointTile), PointPanels<T>::kWidth);
}

/// The number of points that the first limit of a row is taken from. More points give a tighter
/// limit and fewer candidates; a candidate costs as much as about 800 terms of an inner product.
template <class T>
std::size_t points_for_limit(std::size_t wanted, std::size_t features) {
  const double candidates = 800.0 * static_cast<double>(std::min(wanted, kPointTile) * kPointTile);
  const double best =
      std::sqrt(candidates / static_cast<double>(std::max<std::size_t>(features, 1)));
  const std::size_t points = std::min(static_cast<std::size_t>(best), kPointTile);
  return round_up(std::max(points, limit_lanes<T>(wanted)), PointPanels<T>::kWidth);
}

/// The nearest of the candidates, by distances from the differences.
template <class T>
std::vector<Neighbor> nearest_of(const PointSet& points, std::span<const double> row,
                                 Candidates<T>& candidates, std::size_t count) {
  std::vector<Neighbor> nearest;
  const auto& entries = candidates.entries(row.size());
  nearest.reserve(entries.size());
  std::vector<double> buffer;
  const auto squared_distance = simd::kernels<double>().squared_distance;
  for (std::size_t n = 0; n < entries.size(); ++n) {
    if (n + 1 < entries.size()) points.prefetch(entries[n + 1].position);
    const std::uint32_t position = entries[n].position;
    nearest.push_back(
        {squared_distance(row.data(), points.read(position, buffer).data(), row.size()),
         points.index(position)});
  }
  std::sort(nearest.begin(), nearest.end());
  nearest.resize(std::min(nearest.size(), count));
  return nearest;
}

}  // namespace

std::vector<PointGroup> make_groups(const SharedMatrix& points, std::span<const std::size_t> groups,
                                    std::size_t group_count) {
  const std::vector<double> center = row_mean(points);
  std::vector<std::vector<PointIndex>> members(group_count);
  for (std::size_t n = 0; n < groups.size(); ++n)
    members[groups[n]].push_back(static_cast<PointIndex>(n));
  std::vector<PointGroup> result;
  for (auto& indices : members) {
    indices.shrink_to_fit();
    result.push_back({std::make_shared<const PointSet>(points, std::move(indices), center)});
  }
  points.for_each_block([&](std::size_t first, MatrixView<const double> block) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      PointGroup& group = result[groups[first + r]];
      group.radius = std::max(group.radius, std::sqrt(group.points->squared_norm(block.row(r))));
    }
  });
  return result;
}

/// The rows of a search, relative to the center.
template <class T>
struct CandidateSearch<T>::Query {
  Query(MatrixView<const double> of, std::span<const double> center, std::size_t wanted,
        bool may_give_up)
      : rows(of), centered(of.rows() * of.cols()), norms(of.rows()), count(wanted) {
    most = may_give_up ? 4 * count + kCrowd : std::numeric_limits<std::size_t>::max();
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      double squared = 0.0;
      for (std::size_t d = 0; d < rows.cols(); ++d) {
        const double value = rows(r, d) - center[d];
        centered[r * rows.cols() + d] = static_cast<T>(value);
        squared += value * value;
      }
      norms[r] = std::sqrt(squared);
    }
  }

  MatrixView<const double> rows;
  AlignedVector<T> centered;
  std::vector<double> norms;
  std::size_t count;  // of neighbors
  std::size_t most;   // candidates before a row is given up
};

template <class T>
struct CandidateSearch<T>::Tile {
  const T* panels;
  const T* squared_norms;
};

/// The buffers of a search of one part.
template <class T>
struct CandidateSearch<T>::Workspace {
  explicit Workspace(std::size_t rows)
      : scores(rows * kPointTile),
        limits(rows),
        hits(new simd::Hit<T>[rows * kPointTile]) {}  // left as it is until it is written

  AlignedVector<T> scores, panels, squared_norms;
  AlignedVector<T> of_rows, of_starts;  // for lines: products with a tile of points
  std::vector<T> limits;
  std::unique_ptr<simd::Hit<T>[]> hits;
  std::vector<Candidates<T>> candidates;  // one per row
};

template <class T>
CandidateSearch<T>::CandidateSearch(std::vector<PointGroup> groups, Panels panels)
    : groups_(std::move(groups)) {
  for (const PointGroup& group : groups_) {
    panels_.emplace_back(group.points, panels);
    if (panels == Panels::packed) continue;
    AlignedVector<T>& norms = squared_norms_.emplace_back(
        round_up(group.points->size(), PointPanels<T>::kWidth), std::numeric_limits<T>::max());
    for (std::size_t n = 0; n < group.points->size(); ++n)
      norms[n] = static_cast<T>(group.points->squared_norm(n));
  }
}

template <class T>
typename CandidateSearch<T>::Tile CandidateSearch<T>::tile(std::size_t group, std::size_t first,
                                                           std::size_t count,
                                                           Workspace& space) const {
  const T* panels = panels_[group].tile(first, count, space.panels);
  if (!squared_norms_.empty()) return {panels, squared_norms_[group].data() + first};
  space.squared_norms.assign(round_up(count, PointPanels<T>::kWidth),
                             std::numeric_limits<T>::max());
  for (std::size_t n = 0; n < count; ++n)
    space.squared_norms[n] = static_cast<T>(groups_[group].points->squared_norm(first + n));
  return {panels, space.squared_norms.data()};
}

/// Sets a first limit from the distances of the first points. Without it every point would be a
/// candidate at first.
template <class T>
void CandidateSearch<T>::set_limits(const Query& query, const GroupPart& part,
                                    Workspace& space) const {
  const std::size_t rows = query.rows.rows(), depth = query.rows.cols();
  const std::size_t points = std::min(part.count, points_for_limit<T>(query.count, depth));
  const std::size_t padded = round_up(points, PointPanels<T>::kWidth);
  const Tile first = tile(part.group, part.first, points, space);
  const auto& kernels = simd::kernels<T>();
  kernels.multiply(query.centered.data(), depth, rows, first.panels, panels_[part.group].stride(),
                   depth, padded, space.scores.data(), padded, false);
  for (std::size_t r = 0; r < rows; ++r) {
    T* scores = space.scores.data() + r * padded;
    kernels.scale_and_max(scores, first.squared_norms, T{-2}, padded);
    space.candidates[r].set_limit(fold<T>({scores, points}, limit_lanes<T>(query.count)));
  }
}

/// For every row the points of a part that may be among its nearest.
template <class T>
void CandidateSearch<T>::propose(const Query& query, const GroupPart& part,
                                 Workspace& space) const {
  const std::size_t rows = query.rows.rows(), depth = query.rows.cols();
  const double radius = groups_[part.group].radius;
  space.candidates.clear();
  for (std::size_t r = 0; r < rows; ++r)
    space.candidates.emplace_back(query.count, slack<T>(depth + 4, radius, query.norms[r]),
                                  query.most);
  if (part.count > 0) set_limits(query, part, space);
  for (std::size_t first = part.first; first < part.first + part.count; first += kPointTile) {
    const std::size_t count = std::min(kPointTile, part.first + part.count - first);
    const Tile points = tile(part.group, first, count, space);
    for (std::size_t r = 0; r < rows; ++r) space.limits[r] = space.candidates[r].limit();
    const std::size_t hits = simd::kernels<T>().find_small(
        query.centered.data(), depth, rows, points.panels, panels_[part.group].stride(), depth,
        round_up(count, PointPanels<T>::kWidth), points.squared_norms, space.limits.data(),
        space.scores.data(), space.hits.get());
    for (std::size_t h = 0; h < hits; ++h) {
      const simd::Hit<T>& hit = space.hits[h];
      if (hit.column < count)
        space.candidates[hit.row].add(hit.value, static_cast<std::uint32_t>(first + hit.column));
    }
  }
}

/// As `propose`, for the points on lines: candidate r * steps + s is that of row r and step s.
template <class T>
void CandidateSearch<T>::propose_on_lines(const Query& rows, const Query& starts,
                                          std::span<const LineStep> steps, const GroupPart& part,
                                          Workspace& space) const {
  const std::size_t depth = rows.rows.cols(), queries = rows.rows.rows() * steps.size();
  const double radius = groups_[part.group].radius;
  space.candidates.clear();
  space.candidates.reserve(queries);
  for (std::size_t q = 0; q < queries; ++q) {
    // As for rows, with the norms of both ends, which also covers the rounding of the point itself,
    // and four more operations for the blend.
    const double norms = rows.norms[q / steps.size()] + starts.norms[steps[q % steps.size()].start];
    space.candidates.emplace_back(rows.count, slack<T>(depth + 8, radius, norms), rows.most);
  }
  const auto& kernels = simd::kernels<T>();
  space.of_rows.resize(rows.rows.rows() * kPointTile);
  space.of_starts.resize(starts.rows.rows() * kPointTile);
  for (std::size_t first = part.first; first < part.first + part.count; first += kPointTile) {
    const std::size_t count = std::min(kPointTile, part.first + part.count - first);
    const std::size_t padded = round_up(count, PointPanels<T>::kWidth);
    const Tile points = tile(part.group, first, count, space);
    for (const auto& [ends, products] :
         {std::pair(&rows, &space.of_rows), std::pair(&starts, &space.of_starts)})
      kernels.multiply(ends->centered.data(), depth, ends->rows.rows(), points.panels,
                       panels_[part.group].stride(), depth, padded, products->data(), padded,
                       false);
    for (std::size_t q = 0; q < queries; ++q) {
      const LineStep& step = steps[q % steps.size()];
      const T* of_row = space.of_rows.data() + q / steps.size() * padded;
      const T* of_start = space.of_starts.data() + step.start * padded;
      const auto a = static_cast<T>(-2.0 * step.fraction);
      const auto b = static_cast<T>(-2.0 * (1.0 - step.fraction));
      Candidates<T>& candidates = space.candidates[q];
      if (first == part.first) {
        kernels.blend_and_max(of_row, a, of_start, b, points.squared_norms, space.scores.data(),
                              padded);
        candidates.set_limit(fold<T>({space.scores.data(), count}, limit_lanes<T>(rows.count)));
      }
      const std::size_t hits =
          kernels.find_small_blend(of_row, a, of_start, b, points.squared_norms, candidates.limit(),
                                   padded, space.hits.get());
      for (std::size_t h = 0; h < hits; ++h) {
        if (space.hits[h].column < count)
          candidates.add(space.hits[h].value,
                         static_cast<std::uint32_t>(first + space.hits[h].column));
      }
    }
  }
}

template <class T>
template <class Propose, class PointOf>
std::vector<GroupedNeighbors> CandidateSearch<T>::search_queries(
    std::size_t queries, std::size_t rows, std::size_t count, unsigned threads,
    const Propose& propose, const PointOf& point_of, std::vector<std::size_t>* crowded) const {
  const auto make_worker = [&] {
    return [&, space = std::make_shared<Workspace>(rows),
            buffer = std::vector<double>()](const GroupPart& part) mutable {
      propose(part, *space);
      std::vector<std::optional<std::vector<Neighbor>>> nearest(queries);
      for (std::size_t q = 0; q < queries; ++q) {
        if (!space->candidates[q].is_crowded())
          nearest[q] = nearest_of(*groups_[part.group].points, point_of(q, buffer),
                                  space->candidates[q], count);
      }
      return nearest;
    };
  };
  return search_parts(groups_, queries, count, threads, make_worker, crowded);
}

template <class T>
std::vector<GroupedNeighbors> CandidateSearch<T>::search(MatrixView<const double> rows,
                                                         std::size_t count, unsigned threads,
                                                         std::vector<std::size_t>* crowded) const {
  const Query query(rows, groups_[0].points->center(), count, crowded != nullptr);
  return search_queries(
      rows.rows(), rows.rows(), count, threads,
      [&](const GroupPart& part, Workspace& space) { propose(query, part, space); },
      [&](std::size_t r, std::vector<double>&) { return rows.row(r); }, crowded);
}

template <class T>
std::vector<GroupedNeighbors> CandidateSearch<T>::search_on_lines(
    MatrixView<const double> rows, const Lines<double>& lines, std::size_t count, unsigned threads,
    std::vector<std::size_t>* crowded) const {
  const auto center = groups_[0].points->center();
  const Query ends(rows, center, count, crowded != nullptr);
  const Query starts(lines.starts, center, count, crowded != nullptr);
  const std::size_t steps = lines.steps.size();
  return search_queries(
      rows.rows() * steps, 1, count, threads,
      [&](const GroupPart& part, Workspace& space) {
        propose_on_lines(ends, starts, lines.steps, part, space);
      },
      [&](std::size_t q, std::vector<double>& point) -> std::span<const double> {
        point.resize(rows.cols());
        point_on_line(rows.row(q / steps), lines, lines.steps[q % steps], point);
        return point;
      },
      crowded);
}

template class CandidateSearch<double>;
template class CandidateSearch<float>;

/// The search in single precision, made when it is first used: its panels take four times the
/// memory of the codes, which usually serve alone. Rows in a file are read in every search.
class NeighborSearch::Single {
 public:
  explicit Single(const std::vector<PointGroup>& groups) : groups_(groups) {}

  const CandidateSearch<float>& get() const {
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
  mutable std::optional<CandidateSearch<float>> search_;
  mutable std::atomic<std::size_t> searched_{0}, given_up_{0};
};

/// True if codes of these points are faster than floats: for many features on this processor, and
/// for rows in a file, which codes need not read.
static bool codes_serve(const SharedMatrix& points) {
  if (points.cols() > kMostCodedFeatures) return false;
  return points.file() != nullptr ||
         (points.cols() >= kLeastCodedFeatures && simd::code_kernels().is_fast);
}

/// True if single precision takes the points. Mostly this follows from the center and the radii,
/// and the points need not be read.
static bool fit_single(const std::vector<PointGroup>& groups, const SharedMatrix& points) {
  double bound = 0.0;
  for (const double value : groups[0].points->center()) bound = std::max(bound, std::abs(value));
  for (const PointGroup& group : groups) bound = std::max(bound, group.radius);
  return 4.0 * bound <= kLargestForSingle || fits_single(points);
}

NeighborSearch::NeighborSearch(const SharedMatrix& points, std::span<const std::size_t> groups,
                               std::size_t group_count, const Distance& distance)
    : points_(points),
      is_cosine_(distance.is_cosine()),
      f64_(std::make_shared<const CandidateSearch<double>>(
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

/// Replaces the neighbors of the queries in `crowded` by search(crowded).
template <class Search>
static void search_again(std::vector<std::size_t>& crowded, const Search& search,
                         std::vector<GroupedNeighbors>& found) {
  if (crowded.empty()) return;
  auto exact = search(crowded);
  for (std::size_t c = 0; c < crowded.size(); ++c) found[crowded[c]] = std::move(exact[c]);
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
