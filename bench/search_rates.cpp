// The search of neighbors by floats, compared with the rate of a matrix product by the machine's
// BLAS in the same run: one thread, processor time, the best of rounds that alternate.
//
//     bisector-search-rates [ROUNDS]
//
// Rates are 2 rows x points x features per second. "Search" is all of it: limits, products,
// possible neighbors and their exact distances. "Products" is the kernel that lists small entries,
// with limits that no entry meets, and "codes" the search by 8-bit codes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "bisector/random.h"
#include "core/linalg/neighbor_search.h"
#include "core/simd/code_kernels.h"
#include "gemm_peak.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

constexpr std::size_t kNeighbors = 9;
constexpr Shape kShapes[] = {{1024, 5000, 784}, {1024, 9800, 784}, {512, 20000, 384},
                             {1024, 20000, 96}, {1024, 20000, 16}, {256, 10000, 1536}};

/// 200 Gaussian clusters.
Matrix clusters(Random& random, std::size_t rows, const Matrix& centers) {
  Matrix matrix(rows, centers.cols());
  for (std::size_t r = 0; r < rows; ++r) {
    const auto center = centers.row(random.below(centers.rows()));
    for (std::size_t d = 0; d < matrix.cols(); ++d) matrix(r, d) = center[d] + random.normal();
  }
  return matrix;
}

/// Calls use(tile) for all tiles of rows.
template <class Use>
void for_each_tile(const Matrix& rows, const Use& use) {
  for (std::size_t first = 0; first < rows.rows(); first += linalg::kRowTile)
    use(rows.view().rows(first, std::min(linalg::kRowTile, rows.rows() - first)));
}

/// The kernel alone, without hits.
class Products {
 public:
  Products(const linalg::PointGroup& group, const Matrix& rows)
      : panels_(group.points, linalg::Panels::kept),
        points_(linalg::round_up(group.points->size(), kWidth)),
        features_(rows.cols()),
        rows_(rows.values().size()),
        squares_(points_, std::numeric_limits<float>::max()),
        limits_(linalg::kRowTile, 0.0f),
        partial_(linalg::kRowTile * linalg::kPointTile),
        hits_(linalg::kRowTile * linalg::kPointTile) {
    std::ranges::transform(rows.values(), rows_.begin(),
                           [](double value) { return static_cast<float>(value); });
  }

  void operator()(std::size_t first_row, std::size_t rows) {
    linalg::AlignedVector<float> unused;
    for (std::size_t first = 0; first < points_; first += linalg::kPointTile) {
      const std::size_t count = std::min(linalg::kPointTile, points_ - first);
      simd::kernels<float>().find_small(rows_.data() + first_row * features_, features_, rows,
                                        panels_.tile(first, count, unused), panels_.stride(),
                                        features_, count, squares_.data() + first, limits_.data(),
                                        partial_.data(), hits_.data());
    }
  }

 private:
  static constexpr std::size_t kWidth = linalg::PointPanels<float>::kWidth;
  linalg::PointPanels<float> panels_;
  std::size_t points_, features_;
  linalg::AlignedVector<float> rows_, squares_, limits_, partial_;
  std::vector<simd::Hit<float>> hits_;
};

void compare(const Shape& shape, int rounds) {
  Random random(1);
  const Matrix centers = clusters(random, 200, Matrix(1, shape.features));
  const Matrix points = clusters(random, shape.points, centers);
  const Matrix rows = clusters(random, shape.rows, centers);
  const auto groups = linalg::make_groups(points, std::vector<std::size_t>(shape.points, 0), 1);
  const linalg::ProductSearch<float> by_floats(groups, linalg::Panels::kept);
  const linalg::CodeSearch by_codes(groups);
  Products products(groups[0], rows);
  std::vector<std::size_t> crowded;
  const double operations = 2.0 * static_cast<double>(shape.rows * shape.points * shape.features);
  std::array<double, 3> best{};
  double peak = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const auto rate = [&](double& own, const auto& run) {
      const Patience patience{1, 5, 0.2};
      own = std::max(own, 1e-9 * operations / best_of<processor_seconds>(run, patience));
    };
    peak = std::max(peak, gemm_peak<float, processor_seconds>(1));
    rate(best[0], [&] {
      for_each_tile(rows, [&](auto tile) { by_floats.search(tile, kNeighbors, 1, &crowded); });
    });
    rate(best[1], [&] {
      for (std::size_t r = 0; r < shape.rows; r += linalg::kRowTile)
        products(r, std::min(linalg::kRowTile, shape.rows - r));
    });
    rate(best[2], [&] {
      for_each_tile(rows, [&](auto tile) { by_codes.search(tile, kNeighbors, 1, crowded); });
    });
  }
  fmt::print("| {} x {} x {} | {:.1f} | {:.1f} ({:.0f} %) | {:.1f} ({:.0f} %) | {:.1f} |\n",
             shape.rows, shape.points, shape.features, peak, best[0], 100.0 * best[0] / peak,
             best[1], 100.0 * best[1] / peak, best[2]);
}

}  // namespace
}  // namespace bisector::bench

int main(int argc, char** argv) {
  using namespace bisector::bench;
  const int rounds = std::atoi(argc > 1 ? argv[1] : "5");
  if (rounds < 1) {
    fmt::print(stderr, "usage: bisector-search-rates [ROUNDS]\n");
    return 2;
  }
  fmt::print(
      "GFLOP/s on one thread; OpenBLAS uses its {} kernels.\n\n"
      "| rows x points x features | matrix product | search | products | codes ({}) |\n"
      "| --- | ---: | ---: | ---: | ---: |\n",
      openblas_get_corename(), bisector::simd::code_kernels().name);
  for (const Shape& shape : kShapes) compare(shape, rounds);
  return 0;
}
