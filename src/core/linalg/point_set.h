// Some points of a shared matrix, relative to a center.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"

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

}  // namespace bisector::linalg
