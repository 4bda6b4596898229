// The points of a set, relative to its center, as the right-hand side of a product: D x S in the
// panel layout that simd/kernels.h describes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/linalg/aligned_vector.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/point_set.h"

namespace bisector::linalg {

/// Whether a second copy of the points is worth its memory.
enum class Panels {
  kept,   // packed once
  packed  // packed for every tile that is requested: for points that are seldom used
};

template <class T>
class PointPanels {
 public:
  static constexpr std::size_t kWidth = PackedMatrix<T>::kWidth;

  PointPanels(SharedPoints points, Panels panels) : points_(std::move(points)) {
    if (panels == Panels::packed) return;
    kept_.resize(round_up(points_->size(), kWidth) * points_->features());
    pack(0, points_->size(), kept_.data());
  }

  const PointSet& points() const { return *points_; }
  const SharedPoints& shared_points() const { return points_; }
  std::size_t stride() const { return points_->features() * kWidth; }

  /// The panels of `count` points from `first` on, a multiple of the width. Panels that are not
  /// kept are packed into `buffer`, and are valid until it is used again.
  const T* tile(std::size_t first, std::size_t count, AlignedVector<T>& buffer) const {
    if (!kept_.empty()) return kept_.data() + first / kWidth * stride();
    buffer.resize(round_up(count, kWidth) * points_->features());
    pack(first, count, buffer.data());
    return buffer.data();
  }

  /// The number of points to request at once, of `count`: few, if they are wide and not kept.
  std::size_t packed_together(std::size_t count) const {
    constexpr std::size_t kNumbers = std::size_t{1} << 19;
    if (!kept_.empty()) return count;
    return std::min(count, round_up(kNumbers / std::max<std::size_t>(features(), 1) + 1, kWidth));
  }

 private:
  std::size_t features() const { return points_->features(); }
  void pack(std::size_t first, std::size_t count, T* panel) const {
    for (std::size_t n = 0; n < count; n += kWidth, panel += stride())
      pack_panel(first + n, std::min(kWidth, count - n), panel);
  }

  void pack_panel(std::size_t first, std::size_t count, T* panel) const {
    std::array<const double*, kWidth> rows;
    std::array<std::vector<double>, kWidth> buffers;  // of points in a file
    for (std::size_t n = 0; n < count; ++n) rows[n] = points_->read(first + n, buffers[n]).data();
    const std::vector<double>& center = points_->center();
    for (std::size_t d = 0; d < center.size(); ++d, panel += kWidth) {
      for (std::size_t n = 0; n < count; ++n) panel[n] = static_cast<T>(rows[n][d] - center[d]);
      std::fill(panel + count, panel + kWidth, T{0});
    }
  }

  SharedPoints points_;
  AlignedVector<T> kept_;
};

}  // namespace bisector::linalg
