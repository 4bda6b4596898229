#include "core/linalg/shapley_pass.h"

#include <algorithm>
#include <numeric>

namespace bisector::linalg {
namespace {

constexpr std::size_t kWidth = PackedMatrix<double>::kWidth;

}  // namespace

ShapleyPass::ShapleyPass(SharedPoints points, std::span<const double> coefficients, double gamma,
                         Matrix background)
    : points_(std::move(points), Panels::packed),
      coefficients_(round_up(coefficients.size(), kWidth), 0.0),
      gamma_(gamma),
      background_(std::move(background)),
      quadrature_(gauss_legendre((points_.points().features() + 1) / 2)) {
  std::ranges::copy(coefficients, coefficients_.begin());
}

std::size_t ShapleyPass::row_tile() const {
  // Factors and sums of the tile stay in half a megabyte.
  constexpr std::size_t kMax = 16, kNumbers = 1u << 16;
  return std::clamp<std::size_t>(kNumbers / (2 * kWidth * points_.points().features()), 1, kMax);
}

void ShapleyPass::run(MatrixView<const double> rows, MatrixView<double> values) const {
  const auto& kernels = simd::kernels<double>();
  const std::size_t size = points_.points().size();
  const std::size_t depth = points_.points().features(), panel_size = depth * kWidth;
  const std::size_t backgrounds = std::max<std::size_t>(1, background_.rows());
  AlignedVector<double> with(rows.rows() * panel_size), without(panel_size, 1.0);
  AlignedVector<double> workspace(7 * panel_size), sums(rows.rows() * panel_size, 0.0);
  AlignedVector<double> buffer;
  for (std::size_t first = 0; first < size; first += kWidth) {
    const double* panel = points_.tile(first, std::min(kWidth, size - first), buffer);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      kernels.gaussian_factors(panel, rows.row(r).data(), depth, gamma_,
                               with.data() + r * panel_size);
    for (std::size_t b = 0; b < backgrounds; ++b) {
      if (background_.rows() > 0)
        kernels.gaussian_factors(panel, background_.row(b).data(), depth, gamma_, without.data());
      for (std::size_t r = 0; r < rows.rows(); ++r)
        kernels.shapley_panel(with.data() + r * panel_size, without.data(),
                              coefficients_.data() + first, depth, quadrature_.nodes.data(),
                              quadrature_.weights.data(), quadrature_.nodes.size(),
                              workspace.data(), sums.data() + r * panel_size);
    }
  }
  const auto share = static_cast<double>(backgrounds);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < depth; ++d) {
      const auto lanes = std::span(sums).subspan(r * panel_size + d * kWidth, kWidth);
      values(r, d) = std::accumulate(lanes.begin(), lanes.end(), 0.0) / share;
    }
  }
}

}  // namespace bisector::linalg
