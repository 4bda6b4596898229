#include "core/linalg/code_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {
namespace {

/// How far a squared distance, computed in double from the differences, may be from one that is
/// computed by another formula, for points within `radius` of the center and a row at `norm` from
/// it. It includes products that underflow in float.
double distance_rounding(std::size_t features, double radius, double norm) {
  const double reach = radius + norm;
  return 8.0 * static_cast<double>(features + 8) * std::numeric_limits<double>::epsilon() * reach *
             reach +
         1024.0 * static_cast<double>(std::numeric_limits<float>::min());
}

/// The possible neighbors of a row beyond which it is given up: exact distances of that many points
/// would cost more than products of floats.
std::size_t most_possible(std::size_t count, std::size_t points) {
  return 4 * count + 64 + points / 64;
}

}  // namespace

/// Lower and upper bound of a point's squared distance, without the row's own square.
struct CodeSearch::Bounds {
  float lower, upper;
  std::uint32_t position;
};

/// The points of one part that may be among the nearest `count` of one row: those whose lower bound
/// is at most the count-th smallest upper bound.
class CodeSearch::PossibleNeighbors {
 public:
  PossibleNeighbors(std::size_t count, double rounding, std::size_t most)
      : count_(count), most_(most), rounding_(rounding) {}

  float limit() const { return limit_; }
  bool is_crowded() const { return is_crowded_; }

  /// A first limit from the upper bounds of some points, which are reordered.
  void set_limit(std::span<float> uppers) {
    if (uppers.size() <= count_) return;
    const auto nth = uppers.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(uppers.begin(), nth, uppers.end());
    limit_ = limit_from(*nth);
  }

  void add(const Bounds& bounds) {
    bounds_.push_back(bounds);
    if (bounds_.size() >= capacity_) prune();
  }

  /// The nearest points of the row: distances in the order of the lower bounds, until these exceed
  /// the count-th smallest distance. `squared_norm` is the row's, relative to the center.
  std::optional<std::vector<Neighbor>> decide(const PointSet& points, std::span<const double> row,
                                              double squared_norm, std::size_t* distances) {
    prune();
    if (is_crowded_) return std::nullopt;
    std::ranges::sort(bounds_, {}, &Bounds::lower);
    const auto& kernels = simd::kernels<double>();
    std::vector<Neighbor> nearest;  // a heap, the last neighbor on top
    nearest.reserve(std::min(count_, bounds_.size()) + 1);
    std::vector<double> buffer;
    if (!bounds_.empty()) points.prefetch(bounds_[0].position);
    for (std::size_t at = 0; at < bounds_.size(); ++at) {
      const Bounds& one = bounds_[at];
      if (nearest.size() == count_ &&
          one.lower + squared_norm - rounding_ > nearest.front().squared_distance)
        break;
      if (at + 1 < bounds_.size()) points.prefetch(bounds_[at + 1].position);
      const auto point = points.read(one.position, buffer);
      nearest.push_back({kernels.squared_distance(row.data(), point.data(), row.size()),
                         points.index(one.position)});
      std::push_heap(nearest.begin(), nearest.end());
      if (nearest.size() > count_) {
        std::pop_heap(nearest.begin(), nearest.end());
        nearest.pop_back();
      }
      if (distances) ++*distances;
    }
    std::sort_heap(nearest.begin(), nearest.end());
    return nearest;
  }

 private:
  float limit_from(float upper) const {
    return static_cast<float>((upper + rounding_) + kBoundRounding * (std::abs(upper) + rounding_));
  }

  void prune() {
    if (bounds_.size() <= count_ || is_crowded_) return;
    const auto nth = bounds_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(bounds_.begin(), nth, bounds_.end(),
                     [](const Bounds& a, const Bounds& b) { return a.upper < b.upper; });
    limit_ = std::min(limit_, limit_from(nth->upper));
    std::erase_if(bounds_, [this](const Bounds& one) { return !(one.lower <= limit_); });
    capacity_ = std::max(capacity_, 2 * bounds_.size());
    if (bounds_.size() <= most_) return;
    is_crowded_ = true;
    limit_ = std::numeric_limits<float>::lowest();
    bounds_.clear();
  }

  std::size_t count_, most_;
  double rounding_;
  bool is_crowded_ = false;
  std::size_t capacity_ = 4 * count_ + 64;  // bounds before the next pruning
  float limit_ = std::numeric_limits<float>::max();
  std::vector<Bounds> bounds_;
};

struct CodeSearch::Workspace {
  explicit Workspace(std::size_t rows) : hits(new simd::Hit<float>[rows * kPointTile]) {}

  std::unique_ptr<simd::Hit<float>[]> hits;  // left as it is until it is written
  AlignedVector<float> of_rows, of_starts;   // products with a tile of points
  std::vector<float> limits, uppers;
  std::vector<PossibleNeighbors> possible;  // one per query
};

CodeSearch::CodeSearch(std::vector<PointGroup> groups)
    : groups_(std::move(groups)), codes_(PointCodes::of_groups(groups_)) {}

std::size_t CodeSearch::bytes() const {
  std::size_t sum = 0;
  for (const PointCodes& codes : codes_) sum += codes.bytes();
  return sum;
}

/// A first limit from the first points: without it every point would be a possible neighbor for a
/// while.
void CodeSearch::set_limits(const CodedRows& rows, const GroupPart& part, Workspace& space) const {
  const PointCodes& codes = codes_[part.group];
  const simd::CodeColumns columns = codes.columns(part.first);
  const std::size_t count = std::min(part.count, kPointTile);
  space.of_rows.resize(rows.size() * kPointTile);
  space.uppers.resize(count);
  simd::code_kernels().multiply(rows.data(), rows.size(), columns,
                                round_up(count, simd::kCodePanel), space.of_rows.data(),
                                kPointTile);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const float* products = space.of_rows.data() + r * kPointTile;
    for (std::size_t n = 0; n < count; ++n)
      space.uppers[n] = columns.squares[n] - products[n] + codes.width(rows[r], part.first + n);
    space.possible[r].set_limit(space.uppers);
  }
}

void CodeSearch::propose(const CodedRows& rows, std::size_t count, const GroupPart& part,
                         Workspace& space) const {
  const PointCodes& codes = codes_[part.group];
  const PointGroup& group = groups_[part.group];
  space.possible.clear();
  for (std::size_t r = 0; r < rows.size(); ++r)
    space.possible.emplace_back(
        count, distance_rounding(group.points->features(), group.radius, rows.norm(r)),
        most_possible(count, part.count));
  set_limits(rows, part, space);
  space.limits.resize(rows.size());
  for (std::size_t first = part.first; first < part.first + part.count; first += kPointTile) {
    const std::size_t some = std::min(kPointTile, part.first + part.count - first);
    for (std::size_t r = 0; r < rows.size(); ++r) space.limits[r] = space.possible[r].limit();
    const std::size_t hits = simd::code_kernels().find_near(
        rows.data(), rows.size(), codes.columns(first), round_up(some, simd::kCodePanel),
        space.limits.data(), space.hits.get());
    for (std::size_t h = 0; h < hits; ++h) {
      const simd::Hit<float>& hit = space.hits[h];
      if (hit.column >= some) continue;  // padding
      const std::size_t point = first + hit.column;
      space.possible[hit.row].add({hit.value, hit.value + codes.width(rows[hit.row], point),
                                   static_cast<std::uint32_t>(point)});
    }
  }
}

namespace {

/// The factors of the bound at a point on a line: those of its ends, blended. It has no codes.
simd::CodeRow blended(const simd::CodeRow& row, const simd::CodeRow& start, double fraction) {
  const auto blend = [=](float at_row, float at_start) {
    const double value = std::abs(fraction) * at_row + std::abs(1.0 - fraction) * at_start;
    return static_cast<float>(value * (1.0 + kBoundRounding));
  };
  return {nullptr, 0, 0.0f, blend(row.of_residual, start.of_residual),
          blend(row.of_norm, start.of_norm)};
}

}  // namespace

/// As `propose`, for points on lines: possible neighbor r * steps + s is that of row r and step s.
void CodeSearch::propose_on_lines(const CodedRows& rows, const CodedRows& starts,
                                  std::span<const LineStep> steps, std::size_t count,
                                  const GroupPart& part, Workspace& space) const {
  const auto& kernels = simd::code_kernels();
  const PointCodes& codes = codes_[part.group];
  const PointGroup& group = groups_[part.group];
  const std::size_t queries = rows.size() * steps.size();
  space.possible.clear();
  for (std::size_t q = 0; q < queries; ++q) {
    const double norms = rows.norm(q / steps.size()) + starts.norm(steps[q % steps.size()].start);
    space.possible.emplace_back(count,
                                distance_rounding(group.points->features(), group.radius, norms),
                                most_possible(count, part.count));
  }
  space.of_rows.resize(rows.size() * kPointTile);
  space.of_starts.resize(starts.size() * kPointTile);
  for (std::size_t first = part.first; first < part.first + part.count; first += kPointTile) {
    const std::size_t some = std::min(kPointTile, part.first + part.count - first);
    const std::size_t padded = round_up(some, simd::kCodePanel);
    const simd::CodeColumns columns = codes.columns(first);
    kernels.multiply(rows.data(), rows.size(), columns, padded, space.of_rows.data(), kPointTile);
    kernels.multiply(starts.data(), starts.size(), columns, padded, space.of_starts.data(),
                     kPointTile);
    for (std::size_t q = 0; q < queries; ++q) {
      const LineStep& step = steps[q % steps.size()];
      const simd::CodeRow row = blended(rows[q / steps.size()], starts[step.start], step.fraction);
      const float* of_row = space.of_rows.data() + q / steps.size() * kPointTile;
      const float* of_start = space.of_starts.data() + step.start * kPointTile;
      const auto a = static_cast<float>(step.fraction), b = static_cast<float>(1.0 - step.fraction);
      PossibleNeighbors& possible = space.possible[q];
      if (first == part.first) {
        space.uppers.resize(some);
        for (std::size_t n = 0; n < some; ++n)
          space.uppers[n] =
              columns.squares[n] - (a * of_row[n] + b * of_start[n]) + codes.width(row, first + n);
        possible.set_limit(space.uppers);
      }
      const std::size_t hits = kernels.find_near_blend(row, of_row, a, of_start, b, columns, padded,
                                                       possible.limit(), space.hits.get());
      for (std::size_t h = 0; h < hits; ++h) {
        const simd::Hit<float>& hit = space.hits[h];
        if (hit.column >= some) continue;
        possible.add({hit.value, hit.value + codes.width(row, first + hit.column),
                      static_cast<std::uint32_t>(first + hit.column)});
      }
    }
  }
}

namespace {

double squared_distance_to(std::span<const double> row, std::span<const double> center) {
  return simd::kernels<double>().squared_distance(row.data(), center.data(), row.size());
}

}  // namespace

std::vector<GroupedNeighbors> CodeSearch::search(MatrixView<const double> rows, std::size_t count,
                                                 unsigned threads,
                                                 std::vector<std::size_t>& crowded) const {
  const auto& center = groups_[0].points->center();
  const CodedRows coded(rows, center, simd::code_kernels().largest_row_code);
  const auto make_worker = [&] {
    return [&, space = std::make_shared<Workspace>(rows.rows())](const GroupPart& part) {
      propose(coded, count, part, *space);
      std::vector<std::optional<std::vector<Neighbor>>> nearest(rows.rows());
      for (std::size_t r = 0; r < rows.rows(); ++r)
        nearest[r] = space->possible[r].decide(*groups_[part.group].points, rows.row(r),
                                               squared_distance_to(rows.row(r), center), nullptr);
      return nearest;
    };
  };
  return search_parts(groups_, rows.rows(), count, threads, make_worker, &crowded);
}

std::vector<GroupedNeighbors> CodeSearch::search_on_lines(MatrixView<const double> rows,
                                                          const Lines<double>& lines,
                                                          std::size_t count, unsigned threads,
                                                          std::vector<std::size_t>& crowded) const {
  const auto& center = groups_[0].points->center();
  const int largest = simd::code_kernels().largest_row_code;
  const CodedRows coded(rows, center, largest), starts(lines.starts, center, largest);
  const std::size_t steps = lines.steps.size(), queries = rows.rows() * steps;
  const auto make_worker = [&] {
    return [&, space = std::make_shared<Workspace>(1)](const GroupPart& part) {
      propose_on_lines(coded, starts, lines.steps, count, part, *space);
      std::vector<std::optional<std::vector<Neighbor>>> nearest(queries);
      std::vector<double> point(rows.cols());
      for (std::size_t q = 0; q < queries; ++q) {
        point_on_line(rows.row(q / steps), lines, lines.steps[q % steps], point);
        nearest[q] = space->possible[q].decide(*groups_[part.group].points, point,
                                               squared_distance_to(point, center), nullptr);
      }
      return nearest;
    };
  };
  return search_parts(groups_, queries, count, threads, make_worker, &crowded);
}

double CodeSearch::survivors(MatrixView<const double> rows, std::size_t count) const {
  const auto& center = groups_[0].points->center();
  const CodedRows coded(rows, center, simd::code_kernels().largest_row_code);
  Workspace space(rows.rows());
  std::size_t distances = 0;
  for (const GroupPart& part : group_parts(groups_, 1)) {
    propose(coded, count, part, space);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      space.possible[r].decide(*groups_[part.group].points, rows.row(r),
                               squared_distance_to(rows.row(r), center), &distances);
  }
  return static_cast<double>(distances) / static_cast<double>(rows.rows() * groups_.size());
}

}  // namespace bisector::linalg
