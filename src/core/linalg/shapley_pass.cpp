#include "core/linalg/shapley_pass.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bisector::linalg {
namespace {

constexpr std::size_t kWidth = PackedMatrix<double>::kWidth;

/// Nodes of the quadrature whose quotients are in memory at the same time.
constexpr std::size_t kNodesTogether = 8;

/// Workspaces for the pairs of `count` of `depth` players.
struct PairSpace {
  PairSpace(std::size_t depth, std::size_t count)
      : factors(2 * depth * kWidth),
        quotients(depth * kNodesTogether * kWidth),
        weights(kNodesTogether * kWidth),
        weighted(count * kNodesTogether * kWidth) {}

  AlignedVector<double> factors, quotients, weights, weighted;
};

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
  const auto& kernels = simd::kernels<double>();
  const std::size_t size = points_.points().size(), depth = players(), count = last - first;
  const std::size_t backgrounds = std::max<std::size_t>(1, background_.rows());
  AlignedVector<double> with(depth * kWidth), without(depth * kWidth, 0.0), buffer;
  AlignedVector<double> sums(count * last, 0.0), value_sums(count, 0.0);
  PairSpace space(depth, count);
  for (std::size_t at = 0; at < size; at += kWidth) {
    const double* panel = points_.tile(at, std::min(kWidth, size - at), buffer);
    exponents_(panel, row, with);
    for (std::size_t b = 0; b < backgrounds; ++b) {
      if (background_.rows() > 0) exponents_(panel, background_.row(b), without);
      const Quadrature& rule = nodes_(kernels.largest_distance(with.data(), without.data(), depth));
      for (std::size_t q = 0; q < rule.nodes.size(); q += kNodesTogether) {
        const std::size_t nodes = std::min(kNodesTogether, rule.nodes.size() - q);
        kernels.pair_quotients(with.data(), without.data(), coefficients_.data() + at, depth,
                               rule.nodes.data() + q, rule.weights.data() + q, nodes,
                               space.factors.data(), space.quotients.data(), space.weights.data());
        kernels.add_pairs(space.quotients.data(), space.weights.data(), nodes * kWidth, first, last,
                          space.weighted.data(), sums.data(), value_sums.data());
      }
    }
  }
  const auto share = static_cast<double>(backgrounds);
  for (std::size_t d = first; d < last; ++d) {
    values[d - first] += value_sums[d - first] / share;
    for (std::size_t e = 0; e < d; ++e) pairs(d - first, e) += sums[(d - first) * last + e] / share;
  }
}

namespace {

constexpr std::size_t kPanelPoints = PackedMatrix<double>::kWidth;

/// Adds -gamma part(panel - x) of one feature for all points of a panel.
template <class Part>
void add_parts(const double* panel, double x, double gamma, const Part& part, double* out) {
  for (std::size_t n = 0; n < kPanelPoints; ++n) out[n] += -gamma * part(x - panel[n]);
}

}  // namespace

ProductExponents::ProductExponents(double gamma, const Distance& distance, std::size_t features,
                                   std::vector<std::size_t> players)
    : gamma_(gamma),
      distance_(distance),
      features_(features),
      players_(std::move(players)),
      count_(players_.empty() ? features : *std::ranges::max_element(players_) + 1) {}

void ProductExponents::operator()(const double* panel, std::span<const double> point,
                                  std::span<double> out) const {
  std::ranges::fill(out.first(count_ * kPanelPoints), 0.0);
  for (std::size_t d = 0; d < features_; ++d) {
    double* const own = out.data() + (players_.empty() ? d : players_[d]) * kPanelPoints;
    const double* const points = panel + d * kPanelPoints;
    if (distance_.is_category(d) || (distance_.power() != 1.0 && distance_.power() != 2.0))
      add_parts(
          points, point[d], gamma_, [&](double t) { return distance_.part(d, t); }, own);
    else if (distance_.power() == 2.0)
      add_parts(
          points, point[d], gamma_, [](double t) { return t * t; }, own);
    else
      add_parts(
          points, point[d], gamma_, [](double t) { return std::abs(t); }, own);
  }
}

}  // namespace bisector::linalg
