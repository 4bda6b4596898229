// The points that may still be among the nearest of one row, while distances are approximate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bisector/matrix.h"

namespace bisector::linalg {

/// Beyond this, squares leave the range in which single precision can rank possible neighbors.
inline constexpr double kLargestForSingle = 1e15;

/// True if no entry exceeds kLargestForSingle.
inline bool fits_single(MatrixView<const double> rows) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (const double value : rows.row(r)) {
      if (std::abs(value) > kLargestForSingle) return false;
    }
  }
  return true;
}

inline bool fits_single(const SharedMatrix& rows) {
  bool fits = true;
  rows.for_each_block(
      [&](std::size_t, MatrixView<const double> block) { fits = fits && fits_single(block); });
  return fits;
}

/// How far beyond the count-th smallest distance a point may seem to be and still be among them.
template <class T>
struct AddedSlack {
  T size;
  T operator()(T distance) const { return distance + size; }
};

/// The points of one group that may still be among the nearest `count` of one row. Distances here
/// are approximate (and lack |x|^2); everything within the slack of the count-th smallest is kept,
/// and the slack covers twice the rounding, so no true neighbor is ever lost.
template <class T, class Slack = AddedSlack<T>>
class PossibleNeighbors {
 public:
  /// `most` is how many there may be before the row is given up as crowded.
  PossibleNeighbors(std::size_t count, Slack slack, std::size_t most)
      : count_(count), slack_(slack), most_(most) {
    // The count may exceed the number of points; do not reserve memory for it.
    constexpr std::size_t kReserved = 1024;
    entries_.reserve(std::min(capacity_, kReserved));
  }

  /// Points whose approximate distance exceeds this need not be added. A crowded row takes none.
  T limit() const { return limit_; }
  bool is_crowded() const { return crowded_; }
  const Slack& slack() const { return slack_; }

  /// Sets a first limit from the distances of some points, which are reordered. Without it, every
  /// point would pass until the first pruning.
  void set_limit(std::span<T> distances) {
    if (distances.size() <= count_) return;
    const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(distances.begin(), nth, distances.end());
    limit_ = slack_(*nth);
  }

  void add(T distance, std::uint32_t position) {
    entries_.push_back({distance, position});
    if (entries_.size() >= capacity_) prune();
  }

  /// The positions that remain. A few more than wanted may stay, if their distances cost less than
  /// another pruning.
  const auto& entries(std::size_t features) {
    constexpr std::size_t kTerms = 64;
    if (entries_.size() > count_ && (entries_.size() - count_) * features > kTerms) prune();
    return entries_;
  }

 private:
  struct Entry {
    T distance;
    std::uint32_t position;
  };

  void prune() {
    if (entries_.size() <= count_ || crowded_) return;
    const auto nth = entries_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(entries_.begin(), nth, entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.distance < b.distance; });
    limit_ = slack_(nth->distance);
    std::erase_if(entries_, [this](const Entry& e) { return !(e.distance <= limit_); });
    // Many equal distances may all have to stay. Raise the capacity so that pruning stays rare.
    capacity_ = std::max(capacity_, 2 * entries_.size());
    if (entries_.size() <= most_) return;
    crowded_ = true;
    limit_ = std::numeric_limits<T>::lowest();
  }

  std::size_t count_;
  Slack slack_;
  std::size_t most_;
  bool crowded_ = false;
  std::size_t capacity_ = 4 * count_ + 24;  // entries before the next pruning
  T limit_ = std::numeric_limits<T>::max();
  std::vector<Entry> entries_;
};

}  // namespace bisector::linalg
