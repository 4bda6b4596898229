#include "core/linalg/shapley_pass.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace bisector::linalg {
namespace {

constexpr std::size_t kWidth = PackedMatrix<double>::kWidth;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The factors of one point, one row and one background row, scaled by the larger of A and B.
struct ScaledFactors {
  std::vector<double> ratio;  // min(A, B) / max(A, B)
  std::vector<bool> has_larger_a;
  double log_scale = 0.0;  // the sum of log max(A, B)
};

ScaledFactors scaled_factors(std::span<const double> with, std::span<const double> without,
                             std::size_t players, std::size_t lane) {
  ScaledFactors factors{std::vector<double>(players), std::vector<bool>(players)};
  for (std::size_t d = 0; d < players; ++d) {
    const double a = with[d * kWidth + lane], b = without[d * kWidth + lane];
    factors.has_larger_a[d] = a >= b;
    factors.ratio[d] = a == b ? 1.0 : std::exp(-std::abs(a - b));
    factors.log_scale += std::max(a, b);
  }
  return factors;
}

/// Writes (A_d - B_d) / (t A_d + (1 - t) B_d) for every player; returns the product of all
/// t A_d + (1 - t) B_d. Quotients of scaled factors are finite if A and B underflow.
double write_quotients(const ScaledFactors& factors, double t, double* quotients) {
  double product = std::exp(factors.log_scale);
  for (std::size_t d = 0; d < factors.ratio.size(); ++d) {
    const double small = factors.ratio[d];
    const double mixed = factors.has_larger_a[d] ? t + (1.0 - t) * small : t * small + (1.0 - t);
    quotients[d] = (factors.has_larger_a[d] ? 1.0 - small : small - 1.0) / mixed;
    product *= mixed;
  }
  return product;
}

}  // namespace

ShapleyPass::ShapleyPass(SharedPoints points, std::span<const double> coefficients,
                         ProductExponents exponents, Matrix background)
    : points_(std::move(points), Panels::packed),
      coefficients_(round_up(coefficients.size(), kWidth), 0.0),
      exponents_(std::move(exponents)),
      background_(std::move(background)),
      nodes_(exponents_.players()) {
  std::ranges::copy(coefficients, coefficients_.begin());
}

std::size_t ShapleyPass::row_tile() const {
  // Factors and sums of the tile stay in half a megabyte.
  constexpr std::size_t kMax = 16, kNumbers = 1u << 16;
  return std::clamp<std::size_t>(kNumbers / (3 * kWidth * players()), 1, kMax);
}

/// The exponents and the factors of a panel of points at one row.
struct ShapleyPass::Panel {
  explicit Panel(std::size_t players) : exponents(players * kWidth), factors(players * kWidth) {}

  void fill(const ProductExponents& kernel, const double* panel, std::span<const double> row) {
    kernel(panel, row, exponents);
    simd::kernels<double>().exponentials(exponents.data(), exponents.size(), factors.data());
  }

  AlignedVector<double> exponents, factors;
};

void ShapleyPass::run(MatrixView<const double> rows, MatrixView<double> values) const {
  const auto& kernels = simd::kernels<double>();
  const std::size_t size = points_.points().size(), depth = players();
  const std::size_t backgrounds = std::max<std::size_t>(1, background_.rows());
  std::vector<Panel> with(rows.rows(), Panel(depth));
  Panel without(depth);
  std::ranges::fill(without.factors, 1.0);
  AlignedVector<double> workspace(7 * depth * kWidth), buffer;
  AlignedVector<double> sums(rows.rows() * depth * kWidth, 0.0);
  for (std::size_t first = 0; first < size; first += kWidth) {
    const double* panel = points_.tile(first, std::min(kWidth, size - first), buffer);
    for (std::size_t r = 0; r < rows.rows(); ++r) with[r].fill(exponents_, panel, rows.row(r));
    for (std::size_t b = 0; b < backgrounds; ++b) {
      if (background_.rows() > 0) without.fill(exponents_, panel, background_.row(b));
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        const Quadrature& rule = nodes_(
            kernels.largest_distance(with[r].exponents.data(), without.exponents.data(), depth));
        kernels.shapley_panel(with[r].factors.data(), without.factors.data(),
                              coefficients_.data() + first, depth, rule.nodes.data(),
                              rule.weights.data(), rule.nodes.size(), workspace.data(),
                              sums.data() + r * depth * kWidth);
      }
    }
  }
  const auto share = static_cast<double>(backgrounds);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < depth; ++d) {
      const auto lanes = std::span(sums).subspan((r * depth + d) * kWidth, kWidth);
      values(r, d) += std::accumulate(lanes.begin(), lanes.end(), 0.0) / share;
    }
  }
}

void ShapleyPass::run_pairs(std::span<const double> row, std::size_t first, std::size_t last,
                            MatrixView<double> pairs, std::span<double> values) const {
  const std::size_t size = points_.points().size(), depth = players(), count = last - first;
  const std::size_t backgrounds = std::max<std::size_t>(1, background_.rows());
  Panel with(depth), without(depth);
  AlignedVector<double> buffer;
  RowMajor sums = RowMajor::Zero(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(last));
  RowMajor quotients, weighted;
  for (std::size_t at = 0; at < size; at += kWidth) {
    const std::size_t lanes = std::min(kWidth, size - at);
    const double* panel = points_.tile(at, lanes, buffer);
    exponents_(panel, row, with.exponents);
    for (std::size_t b = 0; b < backgrounds; ++b) {
      if (background_.rows() > 0) exponents_(panel, background_.row(b), without.exponents);
      const Quadrature& rule = nodes_(simd::kernels<double>().largest_distance(
          with.exponents.data(), without.exponents.data(), depth));
      const std::size_t nodes = rule.nodes.size();
      quotients.resize(static_cast<Eigen::Index>(lanes * nodes), static_cast<Eigen::Index>(depth));
      weighted.resize(static_cast<Eigen::Index>(lanes * nodes), static_cast<Eigen::Index>(count));
      for (std::size_t n = 0; n < lanes; ++n) {
        const ScaledFactors factors = scaled_factors(with.exponents, without.exponents, depth, n);
        for (std::size_t q = 0; q < nodes; ++q) {
          const auto at_row = static_cast<Eigen::Index>(n * nodes + q);
          const double product =
              write_quotients(factors, rule.nodes[q], quotients.row(at_row).data());
          const double weight = coefficients_[at + n] * rule.weights[q] * product;
          for (std::size_t d = first; d < last; ++d) {
            const double part = weight * quotients(at_row, static_cast<Eigen::Index>(d));
            weighted(at_row, static_cast<Eigen::Index>(d - first)) = part;
            values[d - first] += part / static_cast<double>(backgrounds);
          }
        }
      }
      sums.noalias() += weighted.transpose() * quotients.leftCols(static_cast<Eigen::Index>(last));
    }
  }
  for (std::size_t d = first; d < last; ++d)
    for (std::size_t e = 0; e < d; ++e)
      pairs(d - first, e) +=
          sums(static_cast<Eigen::Index>(d - first), static_cast<Eigen::Index>(e)) /
          static_cast<double>(backgrounds);
}

}  // namespace bisector::linalg
