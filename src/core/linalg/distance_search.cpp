#include "core/linalg/distance_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/linalg/kernel_pass.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/simd/kernels.h"
#include "core/util/parallel.h"

namespace bisector::linalg {
namespace {

/// Points per tile, a multiple of the panel width.
constexpr std::size_t kTile = 240;
/// Tiles that are worth a part of their own.
constexpr std::size_t kTilesPerPart = 16;

/// The nearest so far of one row, and the distance beyond which nothing is among them.
class Nearest {
 public:
  explicit Nearest(std::size_t count) : count_(count) {}

  void add(std::span<const double> sums, const PointSet& points, std::size_t first) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (!(sums[k] <= limit_)) continue;
      kept_.push_back({sums[k], points.index(first + k)});
      if (kept_.size() >= 2 * count_ + kTile) prune();
    }
    // A first limit as soon as there can be one.
    if (kept_.size() > count_ && limit_ == std::numeric_limits<double>::infinity()) prune();
  }

  std::vector<Neighbor> sorted() && {
    prune();
    std::ranges::sort(kept_, std::less<>());
    return std::move(kept_);
  }

 private:
  void prune() {
    if (kept_.size() < count_ || count_ == 0) return;
    const auto nth = kept_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(kept_.begin(), nth, kept_.end());
    limit_ = nth->squared_distance;
    kept_.resize(count_);
  }

  std::size_t count_;
  double limit_ = std::numeric_limits<double>::infinity();
  std::vector<Neighbor> kept_;
};

}  // namespace

/// Some points of one group.
struct DistanceSearch::Part {
  std::size_t group, first, count;
};

struct DistanceSearch::Workspace {
  explicit Workspace(std::size_t rows) : sums(rows * kTile) {}

  AlignedVector<double> sums, panels;
  std::vector<const double*> starts;
  PowerProposals::Workspace proposals;
};

DistanceSearch::DistanceSearch(std::span<const PointGroup> groups, const Distance& distance)
    : distance_(distance) {
  const bool proposes =
      PowerProposals::serve(distance_) && std::ranges::all_of(groups, [](const PointGroup& group) {
        return group.radius <= kLargestForSingle;
      });
  for (const PointGroup& group : groups) {
    const std::vector<double> zero(group.points->features(), 0.0);
    groups_.push_back(std::make_shared<const PointSet>(group.points->relative_to(zero)));
    if (has_exact_kernel(distance_))
      panels_.emplace_back(groups_.back(),
                           is_of_categories(distance_) ? Panels::packed : Panels::kept);
    if (proposes) proposals_.emplace_back(group, distance_.power());
  }
}

/// The sums of the distances from every row to the points of a tile, rows x kTile.
void DistanceSearch::set_sums(MatrixView<const double> rows, const Part& tile,
                              Workspace& space) const {
  constexpr std::size_t kFew = 4;  // rows that do not pay for packing
  if (!panels_.empty() && !(is_of_categories(distance_) && rows.rows() < kFew)) {
    const PointPanels<double>& panels = panels_[tile.group];
    const double* points = panels.tile(tile.first, tile.count, space.panels);
    const std::size_t padded = round_up(tile.count, PointPanels<double>::kWidth);
    kernel_sums(distance_, rows, points, panels.stride(), padded, space.sums.data(), kTile);
    return;
  }
  space.starts.clear();
  for (std::size_t n = 0; n < tile.count; ++n)
    space.starts.push_back((*groups_[tile.group])[tile.first + n].data());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    distance_sums(distance_, rows.row(r), space.starts,
                  {space.sums.data() + r * kTile, tile.count});
}

/// The nearest of a part's points by their sums, for rows that have not too many possible
/// neighbors.
std::vector<std::vector<Neighbor>> DistanceSearch::decide_proposed(MatrixView<const double> rows,
                                                                   const Part& part,
                                                                   std::size_t count,
                                                                   Workspace& space) const {
  const PointSet& points = *groups_[part.group];
  auto proposed =
      proposals_[part.group].propose(rows, part.first, part.count, count, space.proposals);
  std::vector<std::vector<Neighbor>> result;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    constexpr std::size_t kPower = 64;  // one costs as much as 64 terms of other distances
    const RowDistance from(distance_, rows.row(r));
    std::vector<Neighbor>& nearest = result.emplace_back();
    const auto& entries = proposed[r].entries(kPower * rows.cols());
    if (proposed[r].is_crowded()) {
      nearest = std::move(search_all(rows.rows(r, 1), part, count, space)[0]);
      continue;
    }
    for (const auto& entry : entries)
      nearest.push_back({from.sum(points[entry.position].data()), points.index(entry.position)});
    std::ranges::sort(nearest, std::less<>());
    nearest.resize(std::min(nearest.size(), count));
  }
  return result;
}

std::vector<std::vector<Neighbor>> DistanceSearch::search_part(MatrixView<const double> rows,
                                                               const Part& part, std::size_t count,
                                                               Workspace& space) const {
  const bool are_proposed = !proposals_.empty() && fits_single(rows);
  return are_proposed ? decide_proposed(rows, part, count, space)
                      : search_all(rows, part, count, space);
}

std::vector<std::vector<Neighbor>> DistanceSearch::search_all(MatrixView<const double> rows,
                                                              const Part& part, std::size_t count,
                                                              Workspace& space) const {
  std::vector<Nearest> nearest(rows.rows(), Nearest(count));
  for (std::size_t begin = 0; begin < part.count; begin += kTile) {
    const Part tile{part.group, part.first + begin, std::min(kTile, part.count - begin)};
    set_sums(rows, tile, space);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      nearest[r].add({space.sums.data() + r * kTile, tile.count}, *groups_[part.group], tile.first);
  }
  std::vector<std::vector<Neighbor>> result;
  for (Nearest& of_row : nearest) result.push_back(std::move(of_row).sorted());
  return result;
}

/// The nearest of all are among the nearest of each part, so the parts change nothing.
std::vector<DistanceSearch::Part> DistanceSearch::parts_for(unsigned threads) const {
  std::vector<Part> parts;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t size = groups_[g]->size();
    const std::size_t step = threads == 1 ? std::max<std::size_t>(size, 1) : kTilesPerPart * kTile;
    for (std::size_t first = 0; first < size; first += step)
      parts.push_back({g, first, std::min(step, size - first)});
  }
  return parts;
}

void DistanceSearch::search(MatrixView<const double> rows, std::size_t count, unsigned threads,
                            std::vector<GroupedNeighbors>& found) const {
  const std::vector<Part> parts = parts_for(threads);
  std::vector<std::vector<std::vector<Neighbor>>> nearest(parts.size());
  util::parallel_for(parts.size(), threads, [&] {
    return [&, space = Workspace(rows.rows())](std::size_t p) mutable {
      nearest[p] = search_part(rows, parts[p], count, space);
    };
  });
  found.assign(rows.rows(), GroupedNeighbors(groups_.size()));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t r = 0; r < rows.rows(); ++r)
      merge_nearest(found[r][parts[p].group], std::move(nearest[p][r]), count);
  }
}

namespace {

/// Sums from here on may have been held.
constexpr float kHeld = 0x1p126f;

/// The scale of a row: about as far away as its nearest points. The largest difference to some
/// points is no further from their length than the features are many, to the power's root.
double scale_of(std::span<const double> row, const PointSet& points, std::size_t first,
                std::size_t count) {
  constexpr std::size_t kSome = 16;
  double scale = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < std::min(count, kSome); ++n) {
    const auto point = points[first + n];
    double largest = 0.0;
    for (std::size_t d = 0; d < row.size(); ++d)
      largest = std::max(largest, std::abs(point[d] - row[d]));
    if (largest > 0.0) scale = std::min(scale, largest);
  }
  return std::isfinite(scale) ? std::max(scale, 0x1p-100) : 1.0;
}

}  // namespace

float PowerSlack::operator()(float sum) const {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  if (!(sum < kHeld)) return kNone;
  double length = scale * std::pow(static_cast<double>(sum) + flushed, 1.0 / power);
  length = std::max(length * (1.0 + relative) + absolute, least);
  // Sums that decide may be infinite from here on, and equal.
  if (!(std::pow(length, power) < std::numeric_limits<double>::max() / 4.0)) return kNone;
  const double limit = (std::pow(length / scale, power) + flushed) * (1.0 + 1e-6);
  return limit < static_cast<double>(kHeld) ? static_cast<float>(limit) : kNone;
}

bool PowerProposals::serve(const Distance& distance) {
  constexpr double kLargest = 1000.0;  // beyond it hardly any two sums differ
  return is_minkowski(distance) && !Distance::is_product(distance.power()) &&
         distance.power() <= kLargest;
}

PowerProposals::PowerProposals(const PointGroup& group, double power)
    : points_(group.points), panels_(points_, Panels::kept), power_(power), radius_(group.radius) {}

PowerProposals::Proposed PowerProposals::start(std::span<const double> row, std::size_t first,
                                               std::size_t count, std::size_t wanted) const {
  const auto terms = static_cast<double>(row.size());
  // A length is at most the Euclidean one, or for small powers a multiple of it.
  const double norm = std::sqrt(squared_distance(row, points_->center()));
  const double longest = (radius_ + norm) * std::pow(terms, std::max(0.0, 1.0 / power_ - 0.5));
  constexpr double kRounding = std::numeric_limits<float>::epsilon();
  PowerSlack slack{};
  slack.power = power_;
  slack.scale = scale_of(row, *points_, first, count);
  // Logarithms up to 127, rounded four times, and what the kernel errs by, of both that are
  // compared.
  slack.relative = 4.0 * (4.0 * 127.0 * kRounding + 1e-5 + terms * kRounding / power_);
  slack.absolute = 4.0 * (kRounding * longest + 0x1p-120 * terms);
  slack.flushed = 0x1p-124 * terms;
  slack.least = std::pow(0x1p-1015 * terms, 1.0 / power_);
  constexpr std::size_t kCrowd = 256;
  return Proposed(wanted, slack, 4 * wanted + kCrowd);
}

std::vector<PowerProposals::Proposed> PowerProposals::propose(MatrixView<const double> rows,
                                                              std::size_t first, std::size_t count,
                                                              std::size_t wanted,
                                                              Workspace& space) const {
  const std::size_t depth = rows.cols();
  const std::vector<double>& center = points_->center();
  std::vector<Proposed> proposed;
  space.rows.resize(rows.rows() * depth);
  space.sums.resize(rows.rows() * kTile);
  space.shifts.resize(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    proposed.push_back(start(rows.row(r), first, count, wanted));
    space.shifts[r] = static_cast<float>(power_ * std::log2(proposed[r].slack().scale));
    for (std::size_t d = 0; d < depth; ++d)
      space.rows[r * depth + d] = static_cast<float>(rows(r, d) - center[d]);
  }
  std::vector<float> looked_at;
  for (std::size_t begin = first; begin < first + count; begin += kTile) {
    const std::size_t some = std::min(kTile, first + count - begin);
    const float* panels = panels_.tile(begin, some, space.panels);
    simd::kernels<float>().power_distances(space.rows.data(), depth, rows.rows(), panels,
                                           panels_.stride(), depth,
                                           round_up(some, PointPanels<float>::kWidth), power_,
                                           space.shifts.data(), space.sums.data(), kTile);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const std::span<const float> sums(space.sums.data() + r * kTile, some);
      if (begin == first) {
        looked_at.assign(sums.begin(), sums.end());
        proposed[r].set_limit(looked_at);
      }
      for (std::size_t n = 0; n < some; ++n) {
        // Sums without end are beyond no limit while there is none.
        const float sum = std::min(sums[n], std::numeric_limits<float>::max());
        if (sum <= proposed[r].limit()) proposed[r].add(sum, static_cast<std::uint32_t>(begin + n));
      }
    }
  }
  return proposed;
}

}  // namespace bisector::linalg
