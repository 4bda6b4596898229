#include "core/linalg/point_codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {
namespace {

constexpr std::size_t kFour = 4;  // features per 32-bit lane

/// One vector relative to a center, its codes, and what is known of them.
class Coder {
 public:
  explicit Coder(std::span<const double> center)
      : center_(center), values_(center.size()), coded_(center.size()), codes_(center.size()) {}

  void code(std::span<const double> vector, int largest_code) {
    double largest = 0.0;
    for (std::size_t d = 0; d < values_.size(); ++d) {
      values_[d] = vector[d] - center_[d];
      largest = std::max(largest, std::abs(values_[d]));
    }
    scale_ = static_cast<float>(largest / largest_code);
    const double scale = scale_, most = largest_code;
    const double inverse = scale > 0.0 ? 1.0 / scale : 0.0;
    // Adding and subtracting this rounds to the nearest integer.
    constexpr double kMagic = 6755399441055744.0;
    for (std::size_t d = 0; d < values_.size(); ++d) {
      const double code = std::clamp((values_[d] * inverse + kMagic) - kMagic, -most, most);
      codes_[d] = static_cast<std::int32_t>(code);
      coded_[d] = code * scale;
    }
  }

  float scale() const { return scale_; }
  std::span<const std::int32_t> codes() const { return codes_; }
  double residual() const { return std::sqrt(squared_distance(values_, coded_)); }
  double squared_norm() const { return squared_distance(values_, zeros()); }
  double coded_norm() const { return std::sqrt(squared_distance(coded_, zeros())); }

 private:
  static double squared_distance(std::span<const double> x, std::span<const double> y) {
    return simd::kernels<double>().squared_distance(x.data(), y.data(), x.size());
  }
  std::span<const double> zeros() const {
    zeros_.resize(values_.size());
    return zeros_;
  }

  std::span<const double> center_;
  std::vector<double> values_, coded_;
  mutable std::vector<double> zeros_;
  std::vector<std::int32_t> codes_;
  float scale_ = 0.0f;
};

float rounded_up(double value) { return static_cast<float>(value * (1.0 + kBoundRounding)); }

}  // namespace

PointCodes::PointCodes(const PointSet& points)
    : quads_((points.features() + kFour - 1) / kFour),
      panels_(round_up(points.size(), simd::kCodePanel) * quads_ * kFour, std::uint8_t{128}),
      squares_(round_up(points.size(), simd::kCodePanel), std::numeric_limits<float>::max()),
      residuals_(squares_.size(), 0.0f),
      norms_(squares_.size(), 0.0f),
      scales_(squares_.size(), 0.0f) {
  constexpr std::size_t kStep = kFour * simd::kCodePanel;
  Coder coder(points.center());
  std::vector<std::uint8_t> bytes(quads_ * kFour, std::uint8_t{128});
  for (std::size_t n = 0; n < points.size(); ++n) {
    coder.code(points[n], 127);
    const double squared = coder.squared_norm();
    scales_[n] = coder.scale();
    squares_[n] = static_cast<float>(squared * (1.0 - kBoundRounding));
    residuals_[n] = rounded_up(coder.residual());
    norms_[n] = rounded_up(std::sqrt(squared));
    std::ranges::transform(coder.codes(), bytes.begin(),
                           [](std::int32_t code) { return static_cast<std::uint8_t>(code + 128); });
    std::uint8_t* to =
        panels_.data() + n / simd::kCodePanel * quads_ * kStep + n % simd::kCodePanel * kFour;
    for (std::size_t q = 0; q < quads_; ++q)
      std::memcpy(to + q * kStep, bytes.data() + q * kFour, kFour);
  }
}

simd::CodeColumns PointCodes::columns(std::size_t first) const {
  return {panels_.data() + first * quads_ * kFour,
          quads_,
          squares_.data() + first,
          residuals_.data() + first,
          norms_.data() + first,
          scales_.data() + first};
}

CodedRows::CodedRows(MatrixView<const double> rows, std::span<const double> center, int largest)
    : codes_(rows.rows() * round_up(rows.cols(), kFour), std::int8_t{0}) {
  const std::size_t stride = round_up(rows.cols(), kFour);
  Coder coder(center);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    coder.code(rows.row(r), largest);
    std::int8_t* const codes = codes_.data() + r * stride;
    std::int32_t sum = 0;
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      codes[d] = static_cast<std::int8_t>(coder.codes()[d]);
      sum += coder.codes()[d];
    }
    // 2 x^.u^ is at most 4 |x^| |u| in size, and the terms of the error less: their rounding is
    // covered by 8 kBoundRounding |x^| |u|.
    const double norm = coder.coded_norm();
    rows_.push_back({codes, -128 * sum, 2.0f * coder.scale(), rounded_up(2.0 * norm),
                     rounded_up(2.0 * coder.residual() + 8.0 * kBoundRounding * norm)});
    norms_.push_back(std::sqrt(coder.squared_norm()));
  }
}

}  // namespace bisector::linalg
