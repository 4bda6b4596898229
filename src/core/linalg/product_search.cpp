#include "core/linalg/product_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/linalg/possible_neighbors.h"
#include "core/linalg/vectors.h"

namespace bisector::linalg {
namespace {

/// A row with this many more than four times the wanted possible neighbors is crowded.
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
/// limit and fewer possible neighbors; a possible neighbor costs as much as about 800 terms of an
/// inner product.
template <class T>
std::size_t points_for_limit(std::size_t wanted, std::size_t features) {
  const double possible = 800.0 * static_cast<double>(std::min(wanted, kPointTile) * kPointTile);
  const double best = std::sqrt(possible / static_cast<double>(std::max<std::size_t>(features, 1)));
  const std::size_t points = std::min(static_cast<std::size_t>(best), kPointTile);
  return round_up(std::max(points, limit_lanes<T>(wanted)), PointPanels<T>::kWidth);
}

/// The nearest of the possible neighbors, by distances from the differences.
template <class T>
std::vector<Neighbor> nearest_of(const PointSet& points, std::span<const double> row,
                                 PossibleNeighbors<T>& possible, std::size_t count) {
  std::vector<Neighbor> nearest;
  const auto& entries = possible.entries(row.size());
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
struct ProductSearch<T>::Query {
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
  std::size_t most;   // possible neighbors before a row is given up
};

template <class T>
struct ProductSearch<T>::Tile {
  const T* panels;
  const T* squared_norms;
};

/// The buffers of a search of one part.
template <class T>
struct ProductSearch<T>::Workspace {
  explicit Workspace(std::size_t rows)
      : scores(rows * kPointTile),
        limits(rows),
        hits(new simd::Hit<T>[rows * kPointTile]) {}  // left as it is until it is written

  AlignedVector<T> scores, panels, squared_norms;
  AlignedVector<T> of_rows, of_starts;  // for lines: products with a tile of points
  std::vector<T> limits;
  std::unique_ptr<simd::Hit<T>[]> hits;
  std::vector<PossibleNeighbors<T>> possible;  // one per row
};

template <class T>
ProductSearch<T>::ProductSearch(std::vector<PointGroup> groups, Panels panels)
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
typename ProductSearch<T>::Tile ProductSearch<T>::tile(std::size_t group, std::size_t first,
                                                       std::size_t count, Workspace& space) const {
  const T* panels = panels_[group].tile(first, count, space.panels);
  if (!squared_norms_.empty()) return {panels, squared_norms_[group].data() + first};
  space.squared_norms.assign(round_up(count, PointPanels<T>::kWidth),
                             std::numeric_limits<T>::max());
  for (std::size_t n = 0; n < count; ++n)
    space.squared_norms[n] = static_cast<T>(groups_[group].points->squared_norm(first + n));
  return {panels, space.squared_norms.data()};
}

/// Sets a first limit from the distances of the first points. Without it every point would be a
/// possible neighbor at first.
template <class T>
void ProductSearch<T>::set_limits(const Query& query, const GroupPart& part,
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
    space.possible[r].set_limit(fold<T>({scores, points}, limit_lanes<T>(query.count)));
  }
}

/// For every row the points of a part that may be among its nearest.
template <class T>
void ProductSearch<T>::propose(const Query& query, const GroupPart& part, Workspace& space) const {
  const std::size_t rows = query.rows.rows(), depth = query.rows.cols();
  const double radius = groups_[part.group].radius;
  space.possible.clear();
  for (std::size_t r = 0; r < rows; ++r)
    space.possible.emplace_back(query.count, slack<T>(depth + 4, radius, query.norms[r]),
                                query.most);
  if (part.count > 0) set_limits(query, part, space);
  for (std::size_t first = part.first; first < part.first + part.count; first += kPointTile) {
    const std::size_t count = std::min(kPointTile, part.first + part.count - first);
    const Tile points = tile(part.group, first, count, space);
    for (std::size_t r = 0; r < rows; ++r) space.limits[r] = space.possible[r].limit();
    const std::size_t hits = simd::kernels<T>().find_small(
        query.centered.data(), depth, rows, points.panels, panels_[part.group].stride(), depth,
        round_up(count, PointPanels<T>::kWidth), points.squared_norms, space.limits.data(),
        space.scores.data(), space.hits.get());
    for (std::size_t h = 0; h < hits; ++h) {
      const simd::Hit<T>& hit = space.hits[h];
      if (hit.column < count)
        space.possible[hit.row].add(hit.value, static_cast<std::uint32_t>(first + hit.column));
    }
  }
}

/// As `propose`, for the points on lines: possible neighbor r * steps + s is that of row r and step
/// s.
template <class T>
void ProductSearch<T>::propose_on_lines(const Query& rows, const Query& starts,
                                        std::span<const LineStep> steps, const GroupPart& part,
                                        Workspace& space) const {
  const std::size_t depth = rows.rows.cols(), queries = rows.rows.rows() * steps.size();
  const double radius = groups_[part.group].radius;
  space.possible.clear();
  space.possible.reserve(queries);
  for (std::size_t q = 0; q < queries; ++q) {
    // As for rows, with the norms of both ends, which also covers the rounding of the point itself,
    // and four more operations for the blend.
    const double norms = rows.norms[q / steps.size()] + starts.norms[steps[q % steps.size()].start];
    space.possible.emplace_back(rows.count, slack<T>(depth + 8, radius, norms), rows.most);
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
      PossibleNeighbors<T>& possible = space.possible[q];
      if (first == part.first) {
        kernels.blend_and_max(of_row, a, of_start, b, points.squared_norms, space.scores.data(),
                              padded);
        possible.set_limit(fold<T>({space.scores.data(), count}, limit_lanes<T>(rows.count)));
      }
      const std::size_t hits = kernels.find_small_blend(
          of_row, a, of_start, b, points.squared_norms, possible.limit(), padded, space.hits.get());
      for (std::size_t h = 0; h < hits; ++h) {
        if (space.hits[h].column < count)
          possible.add(space.hits[h].value,
                       static_cast<std::uint32_t>(first + space.hits[h].column));
      }
    }
  }
}

template <class T>
template <class Propose, class PointOf>
std::vector<GroupedNeighbors> ProductSearch<T>::search_queries(
    std::size_t queries, std::size_t rows, std::size_t count, unsigned threads,
    const Propose& propose, const PointOf& point_of, std::vector<std::size_t>* crowded) const {
  const auto make_worker = [&] {
    return [&, space = std::make_shared<Workspace>(rows),
            buffer = std::vector<double>()](const GroupPart& part) mutable {
      propose(part, *space);
      std::vector<std::optional<std::vector<Neighbor>>> nearest(queries);
      for (std::size_t q = 0; q < queries; ++q) {
        if (!space->possible[q].is_crowded())
          nearest[q] = nearest_of(*groups_[part.group].points, point_of(q, buffer),
                                  space->possible[q], count);
      }
      return nearest;
    };
  };
  return search_parts(groups_, queries, count, threads, make_worker, crowded);
}

template <class T>
std::vector<GroupedNeighbors> ProductSearch<T>::search(MatrixView<const double> rows,
                                                       std::size_t count, unsigned threads,
                                                       std::vector<std::size_t>* crowded) const {
  const Query query(rows, groups_[0].points->center(), count, crowded != nullptr);
  return search_queries(
      rows.rows(), rows.rows(), count, threads,
      [&](const GroupPart& part, Workspace& space) { propose(query, part, space); },
      [&](std::size_t r, std::vector<double>&) { return rows.row(r); }, crowded);
}

template <class T>
std::vector<GroupedNeighbors> ProductSearch<T>::search_on_lines(
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

template class ProductSearch<double>;
template class ProductSearch<float>;

}  // namespace bisector::linalg
