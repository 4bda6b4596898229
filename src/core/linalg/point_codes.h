// 8-bit codes of points and rows, with bounds of the inner products that they give.
//
// A point u, relative to the center, is coded as u^ = s q with integers q from -127 to 127 and the
// scale s = max|u| / 127; a row x likewise. By Cauchy and Schwarz
//
//     |x.u - x^.u^| <= |x^| |u - u^| + |u| |x - x^|
//
// and with |u|^2 this bounds the squared distance |x|^2 + |u|^2 - 2 x.u from both sides. Integer
// products are exact; the few roundings of float arithmetic behind them are in the factors of the
// bound (kBoundRounding), so that a bound is never on the wrong side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/neighbor.h"
#include "core/linalg/packed_matrix.h"
#include "core/simd/code_kernels.h"

namespace bisector::linalg {

/// The products of more features could leave 32 bits: 255 * 127 * 2^16 < 2^31.
inline constexpr std::size_t kMostCodedFeatures = std::size_t{1} << 16;

/// More than the relative rounding of all float operations of a bound together.
inline constexpr double kBoundRounding = 32.0 * 0x1p-24;

class PointCodes {
 public:
  /// Codes one vector at a time.
  class Coder;

  /// The codes of all groups. Their points are in one matrix, which is read once.
  static std::vector<PointCodes> of_groups(std::span<const PointGroup> groups);

  /// The columns from `first` on, a multiple of simd::kCodePanel.
  simd::CodeColumns columns(std::size_t first) const;
  /// How far the upper bound of a point's squared distance is above the lower one.
  float width(const simd::CodeRow& row, std::size_t point) const {
    const float error = row.of_residual * residuals_[point] + row.of_norm * norms_[point];
    return 2.0f * error + 4.0f * static_cast<float>(kBoundRounding) * squares_[point];
  }
  /// Bytes of memory.
  std::size_t bytes() const { return panels_.size() + 4 * sizeof(float) * scales_.size(); }

 private:
  PointCodes(std::size_t points, std::size_t features);
  void set(std::size_t point, const Coder& coded);

  std::size_t quads_;
  AlignedVector<std::uint8_t> panels_;
  AlignedVector<float> squares_, residuals_, norms_, scales_;  // see simd::CodeColumns
};

/// Rows relative to a center, coded.
class CodedRows {
 public:
  /// Codes are at most `largest` in size.
  CodedRows(MatrixView<const double> rows, std::span<const double> center, int largest);

  std::size_t size() const { return rows_.size(); }
  const simd::CodeRow* data() const { return rows_.data(); }
  const simd::CodeRow& operator[](std::size_t row) const { return rows_[row]; }
  /// The norm of a row relative to the center.
  double norm(std::size_t row) const { return norms_[row]; }

 private:
  AlignedVector<std::int8_t> codes_;
  std::vector<simd::CodeRow> rows_;
  std::vector<double> norms_;
};

}  // namespace bisector::linalg
