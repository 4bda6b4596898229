#include "core/linalg/pairwise.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/linalg/aligned_vector.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/parallel.h"
#include "core/linalg/row_sample.h"

namespace bisector::linalg {
namespace {

/// Rows of a tile: enough to use a panel of points many times while it is in the cache.
constexpr std::size_t kTileRows = 64;

/// Calls use(i, products of row i with the rows 0 ... columns_of(i)-1) for every row, in tiles of
/// rows on several threads; `product` is the vector kernel that makes them.
template <class Product, class ColumnsOf, class Use>
void for_each_row(MatrixView<const double> rows, unsigned threads, const Product& product,
                  const ColumnsOf& columns_of, const Use& use) {
  const auto packed = PackedMatrix<double>::of_transposed(rows);
  const std::size_t tiles = (rows.rows() + kTileRows - 1) / kTileRows;
  parallel_for(tiles, threads, [&] {
    return [&, products = AlignedVector<double>()](std::size_t tile) mutable {
      const std::size_t first = tile * kTileRows;
      const std::size_t count = std::min(kTileRows, rows.rows() - first);
      const std::size_t stride =
          round_up(columns_of(first + count - 1), PackedMatrix<double>::kWidth);
      products.resize(count * stride);
      product(rows.row(first).data(), rows.stride(), count, packed.panel(0), packed.panel_stride(),
              rows.cols(), stride, products.data(), stride, false);
      for (std::size_t r = 0; r < count; ++r)
        use(first + r,
            std::span<const double>(products.data() + r * stride, columns_of(first + r)));
    };
  });
}

template <class Product>
Matrix all_pairs(MatrixView<const double> rows, unsigned threads, const Product& product) {
  Matrix products(rows.rows(), rows.rows());
  for_each_row(
      rows, threads, product, [&](std::size_t) { return rows.rows(); },
      [&](std::size_t row, std::span<const double> found) {
        std::ranges::copy(found, products.row(row).begin());
      });
  return products;
}

/// `sample.limit` of the rows at most.
Matrix sampled(MatrixView<const double> rows, const PairSample& sample) {
  return gather_rows(rows, sample_rows(rows.rows(), sample.limit, sample.seed));
}

/// The median of the square roots.
double median_root(std::vector<double>& squares) {
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  if (squares.size() % 2 == 1) return std::sqrt(*middle);
  return (std::sqrt(*std::max_element(squares.begin(), middle)) + std::sqrt(*middle)) / 2.0;
}

}  // namespace

Matrix squared_distances(MatrixView<const double> rows, unsigned threads) {
  return all_pairs(rows, threads, simd::kernels<double>().squared_distances);
}

Matrix dot_products(MatrixView<const double> rows, unsigned threads) {
  return all_pairs(rows, threads, simd::kernels<double>().multiply);
}

Matrix distance_sums(MatrixView<const double> rows, const Distance& distance, unsigned threads) {
  if (distance.is_euclidean()) return squared_distances(rows, threads);
  Matrix sums(rows.rows(), rows.rows());
  std::vector<const double*> starts;
  for (std::size_t r = 0; r < rows.rows(); ++r) starts.push_back(rows.row(r).data());
  parallel_for(rows.rows(), threads, [&] {
    return [&](std::size_t row) { distance_sums(distance, rows.row(row), starts, sums.row(row)); };
  });
  return sums;
}

double median_distance(MatrixView<const double> rows, const PairSample& sample, unsigned threads) {
  const Matrix chosen = sampled(rows, sample);
  const std::size_t count = chosen.rows();
  if (count < 2) return 0.0;
  // Row i has the pairs with all rows before it, and they stand behind those of the rows before it.
  std::vector<double> squares(count * (count - 1) / 2);
  for_each_row(
      chosen.view(), threads, simd::kernels<double>().squared_distances,
      [](std::size_t row) { return row; },
      [&](std::size_t row, std::span<const double> found) {
        if (row == 0) return;
        std::ranges::copy(found,
                          squares.begin() + static_cast<std::ptrdiff_t>(row * (row - 1) / 2));
      });
  return median_root(squares);
}

double median_distance(MatrixView<const double> rows, const Distance& distance) {
  if (distance.is_euclidean()) return median_distance(rows);
  constexpr std::size_t kRows = 300;
  const Matrix chosen = sampled(rows, {kRows, 0});
  if (chosen.rows() < 2) return 0.0;
  std::vector<const double*> starts;
  std::vector<double> sums;
  for (std::size_t r = 0; r < chosen.rows(); ++r) {
    std::vector<double> own(starts.size());
    distance_sums(distance, chosen.row(r), starts, own);
    sums.insert(sums.end(), own.begin(), own.end());
    starts.push_back(chosen.row(r).data());
  }
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
  std::nth_element(sums.begin(), middle, sums.end());
  return distance.length(*middle);
}

void gaussian_kernel(std::span<const double> squares, double gamma, std::span<double> kernel) {
  // The vector kernel wants whole panels, so the work goes through a small padded buffer.
  constexpr std::size_t kBuffer = 32 * PackedMatrix<double>::kWidth;
  alignas(64) double buffer[kBuffer];
  const auto& kernels = simd::kernels<double>();
  for (std::size_t first = 0; first < squares.size(); first += kBuffer) {
    const std::size_t count = std::min(kBuffer, squares.size() - first);
    const std::size_t padded = round_up(count, PackedMatrix<double>::kWidth);
    for (std::size_t n = 0; n < count; ++n) buffer[n] = -gamma * squares[first + n];
    std::fill(buffer + count, buffer + padded, 0.0);
    kernels.exp_and_sum(buffer, 0.0, padded);
    std::copy_n(buffer, count, kernel.data() + first);
  }
}

}  // namespace bisector::linalg
