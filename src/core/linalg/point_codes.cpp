#include "core/linalg/point_codes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/linalg/packed_matrix.h"

namespace bisector::linalg {
namespace {

constexpr std::size_t kFour = 4;  // features per 32-bit lane

float rounded_up(double value) { return static_cast<float>(value * (1.0 + kBoundRounding)); }

}  // namespace

/// One vector relative to a center, its codes, and what is known of them.
class PointCodes::Coder {
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

PointCodes::PointCodes(std::size_t points, std::size_t features)
    : quads_((features + kFour - 1) / kFour),
      panels_(round_up(points, simd::kCodePanel) * quads_ * kFour, std::uint8_t{128}),
      squares_(round_up(points, simd::kCodePanel), std::numeric_limits<float>::max()),
      residuals_(squares_.size(), 0.0f),
      norms_(squares_.size(), 0.0f),
      scales_(squares_.size(), 0.0f) {}

void PointCodes::set(std::size_t point, const Coder& coded) {
  const double squared = coded.squared_norm();
  scales_[point] = coded.scale();
  squares_[point] = static_cast<float>(squared * (1.0 - kBoundRounding));
  residuals_[point] = rounded_up(coded.residual());
  norms_[point] = rounded_up(std::sqrt(squared));
  constexpr std::size_t kStep = kFour * simd::kCodePanel;
  std::uint8_t* to =
      panels_.data() + point / simd::kCodePanel * quads_ * kStep + point % simd::kCodePanel * kFour;
  const auto codes = coded.codes();
  for (std::size_t d = 0; d < codes.size(); ++d)
    to[d / kFour * kStep + d % kFour] = static_cast<std::uint8_t>(codes[d] + 128);
}

std::vector<PointCodes> PointCodes::of_groups(std::span<const PointGroup> groups) {
  std::vector<PointCodes> codes;
  for (const PointGroup& group : groups)
    codes.push_back(PointCodes(group.points->size(), group.points->features()));
  const PointSet& any = *groups[0].points;  // all groups have the same center
  Coder coder(any.center());
  std::vector<std::size_t> next(groups.size(), 0);  // indices of a group's points ascend
  any.matrix().for_each_block([&](std::size_t first, MatrixView<const double> block) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const PointSet& points = *groups[g].points;
      for (; next[g] < points.size() && points.index(next[g]) < first + block.rows(); ++next[g]) {
        coder.code(block.row(points.index(next[g]) - first), 127);
        codes[g].set(next[g], coder);
      }
    }
  });
  return codes;
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
  PointCodes::Coder coder(center);
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
