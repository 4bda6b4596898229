// Compares the instruction sets with each other: kernels on whole numbers, whose sums are exact in
// any order, and complete explanations.
#include "core/simd/kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bisector/explain.h"
#include "core/linalg/packed_matrix.h"
#include "models.h"
#include "tame_models.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

template <class T>
struct KernelResults {
  std::vector<T> products, distances, absolutes, first, second, signs, sizes, values;
  std::vector<std::uint32_t> hits;
  bool operator==(const KernelResults&) const = default;
};

template <class T>
KernelResults<T> run_kernels(const Matrix& a, const Matrix& b) {
  const auto packed = linalg::PackedMatrix<T>::of(b.view());
  const std::vector<T> left(a.values().begin(), a.values().end());
  const std::size_t rows = a.rows(), depth = a.cols(), stride = packed.padded_columns();
  const simd::Kernels<T>& kernels = simd::kernels<T>();
  KernelResults<T> results;
  results.products.assign(rows * stride, T{1});
  results.distances.resize(rows * stride);
  kernels.multiply(left.data(), depth, rows, packed.panel(0), packed.panel_stride(), depth,
                   b.cols(), results.products.data(), stride, true);
  kernels.squared_distances(left.data(), depth, rows, packed.panel(0), packed.panel_stride(), depth,
                            b.cols(), results.distances.data(), stride, false);
  results.absolutes.resize(rows * stride);
  kernels.absolute_distances(left.data(), depth, rows, packed.panel(0), packed.panel_stride(),
                             depth, b.cols(), results.absolutes.data(), stride, false);
  // Values beyond the columns are unspecified.
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t n = b.cols(); n < stride; ++n)
      results.products[r * stride + n] = results.distances[r * stride + n] =
          results.absolutes[r * stride + n] = T{0};
  }
  std::vector<T> weights(stride, T{0});
  std::fill_n(weights.begin(), b.cols(), T{2});
  results.signs.assign(depth, T{0});
  results.sizes.assign(depth, T{0});
  kernels.add_absolute(weights.data(), packed.panel(0), packed.panel_stride(), stride, left.data(),
                       depth, results.signs.data(), results.sizes.data());
  const std::vector<T> bias(stride, T{0}), limits(rows, T{0});
  std::vector<T> partial(rows * stride);
  std::vector<simd::Hit<T>> hits(rows * stride);
  hits.resize(kernels.find_small(left.data(), depth, rows, packed.panel(0), packed.panel_stride(),
                                 depth, stride, bias.data(), limits.data(), partial.data(),
                                 hits.data()));
  // Columns ascend within a row; the order of the rows is not specified.
  std::ranges::stable_sort(hits, {}, &simd::Hit<T>::row);
  for (const auto& hit : hits) {
    results.hits.insert(results.hits.end(), {hit.row, hit.column});
    results.values.push_back(hit.value);
  }
  std::vector<const T*> points;
  for (std::size_t r = 0; r < rows; ++r) points.push_back(left.data() + r * depth);
  const std::vector<T> center(depth, T{1});
  results.first.resize(depth);
  results.second.resize(depth);
  kernels.sum_moments(points.data(), rows, center.data(), depth, results.first.data(),
                      results.second.data());
  return results;
}

void check_kernels(Recipe& recipe) {
  const std::size_t depth = 1 + recipe.below(40);
  const Matrix a = tame_matrix(recipe, 1 + recipe.below(20), depth);
  const Matrix b = tame_matrix(recipe, depth, 1 + recipe.below(100));
  simd::force_level(simd::Level::scalar);
  const auto of_double = run_kernels<double>(a, b);
  const auto of_float = run_kernels<float>(a, b);
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    require(run_kernels<double>(a, b) == of_double, "kernels of doubles agree at every level");
    require(run_kernels<float>(a, b) == of_float, "kernels of floats agree at every level");
  }
}

void require_near(const Explanation& a, const Explanation& b) {
  constexpr double kRounding = 1e-9;
  for (std::size_t r = 0; r < a.g.size(); ++r) {
    require(std::abs(a.g[r] - b.g[r]) <= kRounding * (1.0 + std::abs(a.g[r])),
            "g agrees at every level");
    double size = 1.0;
    for (const double value : a.relevance.row(r)) size = std::max(size, std::abs(value));
    for (std::size_t d = 0; d < a.relevance.cols(); ++d)
      require(std::abs(a.relevance(r, d) - b.relevance(r, d)) <= kRounding * size,
              "relevance agrees at every level");
  }
}

void check_explanations(Recipe& recipe) {
  const TameMachine m = tame_machine(recipe, 60, 16);
  const TameNeighbors n = tame_neighbors(recipe, 60, 16);
  const Model machine(KernelClassifier::two_class(m.machine(), "for", "against"));
  const Model neighbors = n.model();
  // Another kernel, with one of two distances.
  const KernelTerm term{static_cast<KernelForm>(n.k % 5), m.gamma, 1.5};
  const Distance distance = n.class_count % 2 == 0 ? Distance() : Distance::manhattan();
  const Model kernels(KernelRegressor{
      KernelMachine(m.points, m.coefficients, Kernel(term, distance), m.intercept), 0.0});
  ExplainOptions options;
  options.threads = 1;
  simd::force_level(simd::Level::scalar);
  const Explanation soft = explain(machine, m.rows, EtaRule{}, options);
  const Explanation other = explain(kernels, m.rows, EtaRule{1.0}, options);
  const Explanation ranked = explain(neighbors, n.rows, EtaRule{}, options);
  for (const simd::Level level : simd::supported_levels()) {
    simd::force_level(level);
    require_near(soft, explain(machine, m.rows, EtaRule{}, options));
    require_near(other, explain(kernels, m.rows, EtaRule{1.0}, options));
    require(is_same(ranked, explain(neighbors, n.rows, EtaRule{}, options)),
            "neighbors are the same at every level");
  }
}

}  // namespace

FUZZ_TARGET(simd_levels, bytes) {
  Recipe recipe(bytes);
  const simd::Level before = simd::active_level();
  if (recipe.flag())
    check_kernels(recipe);
  else
    check_explanations(recipe);
  simd::force_level(before);
}

}  // namespace bisector::fuzz
