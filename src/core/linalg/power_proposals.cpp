#include "core/linalg/power_proposals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/simd/kernels.h"

namespace bisector::linalg {
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
