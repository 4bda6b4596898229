// Some points of a shared matrix, relative to a center.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {

/// The index of a point of a model. It has 32 bits, because one is stored for every point.
using PointIndex = std::uint32_t;

class PointSet {
 public:
  /// All rows of `points`, or those with these numbers; `center` is as long as a row.
  PointSet(SharedMatrix points, std::vector<double> center)
      : points_(points), all_(true), center_(std::move(center)) {}
  PointSet(SharedMatrix points, std::vector<PointIndex> indices, std::vector<double> center)
      : points_(points), indices_(std::move(indices)), center_(std::move(center)) {}

  std::size_t size() const { return all_ ? points_.rows() : indices_.size(); }
  std::size_t features() const { return points_.cols(); }
  /// The matrix that has the points.
  const SharedMatrix& matrix() const { return points_; }
  /// The number of a point's row in the matrix.
  std::size_t index(std::size_t point) const { return all_ ? point : indices_[point]; }
  /// A point in memory as it was given, not relative to the center.
  std::span<const double> operator[](std::size_t point) const { return points_->row(index(point)); }
  /// The same in memory or in a file, read into `buffer`.
  std::span<const double> read(std::size_t point, std::vector<double>& buffer) const {
    return points_.row(index(point), buffer);
  }
  /// Asks the processor to load a point in memory that is read soon: points are far apart.
  void prefetch([[maybe_unused]] std::size_t point) const {
#if defined(__GNUC__) || defined(__clang__)
    if (points_.file() != nullptr) return;
    constexpr std::size_t kLine = 64 / sizeof(double);
    const std::span<const double> row = (*this)[point];
    for (std::size_t d = 0; d < row.size(); d += kLine) __builtin_prefetch(&row[d], 0, 2);
#endif
  }
  const std::vector<double>& center() const { return center_; }
  /// The same points relative to another center.
  PointSet relative_to(std::vector<double> center) const {
    PointSet points = *this;
    points.center_ = std::move(center);
    return points;
  }

  /// The squared norm of a point relative to the center.
  double squared_norm(std::size_t point) const {
    std::vector<double> buffer;
    return squared_norm(read(point, buffer));
  }
  double squared_norm(std::span<const double> point) const {
    double sum = 0.0;
    for (std::size_t d = 0; d < point.size(); ++d)
      sum += (point[d] - center_[d]) * (point[d] - center_[d]);
    return sum;
  }

 private:
  SharedMatrix points_;
  bool all_ = false;
  std::vector<PointIndex> indices_;
  std::vector<double> center_;
};

using SharedPoints = std::shared_ptr<const PointSet>;

// The points of a set, relative to its center, as the right-hand side of a product: D x S in the
// panel layout that simd/kernels.h describes.

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
