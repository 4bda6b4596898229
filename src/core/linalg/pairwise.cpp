#include "core/linalg/pairwise.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/linalg/kernel_pass.h"
#include "core/linalg/packed_matrix.h"
#include "core/linalg/row_distance.h"
#include "core/util/draws.h"
#include "core/util/parallel.h"

namespace bisector::linalg {
namespace {

/// Rows of a tile: enough to use a panel of points many times while it is in the cache.
constexpr std::size_t kTileRows = 64;

/// Numbers of the points that are packed together: all but those of very wide rows, of which a copy
/// would be as large as a model.
constexpr std::size_t kPackedNumbers = std::size_t{1} << 19;

/// Calls use(i, first, distances) for every chosen row i: its distances to the chosen rows from
/// `first` on, of which it is asked columns_of(i). In tiles of rows on several threads; `kernel`
/// is the vector code that makes them, or products.
template <class Kernel, class ColumnsOf, class Use>
void for_each_row(MatrixView<const double> rows, std::span<const std::size_t> chosen,
                  unsigned threads, const Kernel& kernel, const ColumnsOf& columns_of,
                  const Use& use) {
  constexpr std::size_t kWidth = PackedMatrix<double>::kWidth;
  const std::size_t block =
      round_up(kPackedNumbers / std::max<std::size_t>(rows.cols(), 1) + 1, kWidth);
  const std::size_t tiles = (chosen.size() + kTileRows - 1) / kTileRows;
  for (std::size_t begin = 0; begin < chosen.size(); begin += block) {
    const std::size_t end = std::min(begin + block, chosen.size());
    const auto packed = PackedMatrix<double>::of_transposed(
        gather_rows(rows, chosen.subspan(begin, end - begin)).view());
    util::parallel_for(tiles, threads, [&] {
      return [&, tile_distances = AlignedVector<double>()](std::size_t tile) mutable {
        const std::size_t first = tile * kTileRows;
        const std::size_t count = std::min(kTileRows, chosen.size() - first);
        const auto asked = [&](std::size_t row) {
          return std::clamp(columns_of(row), begin, end) - begin;
        };
        const std::size_t stride = round_up(asked(first + count - 1), kWidth);
        if (stride == 0) return;
        const Matrix own = gather_rows(rows, chosen.subspan(first, count));
        tile_distances.resize(count * stride);
        kernel(own.row(0).data(), own.cols(), count, packed.panel(0), packed.panel_stride(),
               rows.cols(), stride, tile_distances.data(), stride, false);
        for (std::size_t r = 0; r < count; ++r)
          use(first + r, begin,
              std::span<const double>(tile_distances.data() + r * stride, asked(first + r)));
      };
    });
  }
}

template <class Kernel>
Matrix all_pairs(MatrixView<const double> rows, std::span<const std::size_t> chosen,
                 unsigned threads, const Kernel& kernel) {
  Matrix found(chosen.size(), chosen.size());
  for_each_row(
      rows, chosen, threads, kernel, [&](std::size_t) { return chosen.size(); },
      [&](std::size_t row, std::size_t first, std::span<const double> values) {
        std::ranges::copy(values, found.row(row).subspan(first).begin());
      });
  return found;
}

/// The median of the square roots.
double median_root(std::vector<double>& squares) {
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  if (squares.size() % 2 == 1) return std::sqrt(*middle);
  return (std::sqrt(*std::max_element(squares.begin(), middle)) + std::sqrt(*middle)) / 2.0;
}

}  // namespace

Matrix squared_distances(MatrixView<const double> rows, std::span<const std::size_t> chosen,
                         unsigned threads) {
  return all_pairs(rows, chosen, threads, simd::kernels<double>().squared_distances);
}

Matrix dot_products(MatrixView<const double> rows, unsigned threads) {
  return all_pairs(rows, util::sample_rows(rows.rows(), rows.rows(), 0), threads,
                   simd::kernels<double>().multiply);
}

Matrix distance_sums(MatrixView<const double> rows, const Distance& distance, unsigned threads) {
  if (distance.is_euclidean()) return squared_distances(rows, threads);
  if (has_kernel(distance))
    return all_pairs(
        rows, util::sample_rows(rows.rows(), rows.rows(), 0), threads,
        [&](const double* own, std::size_t depth, std::size_t count, const double* panels,
            std::size_t panel_stride, std::size_t, std::size_t columns, double* sums,
            std::size_t stride, bool) {
          kernel_sums(distance, {own, count, depth}, panels, panel_stride, columns, sums, stride);
        });
  Matrix sums(rows.rows(), rows.rows());
  std::vector<const double*> starts;
  for (std::size_t r = 0; r < rows.rows(); ++r) starts.push_back(rows.row(r).data());
  util::parallel_for(rows.rows(), threads, [&] {
    return [&](std::size_t row) { distance_sums(distance, rows.row(row), starts, sums.row(row)); };
  });
  return sums;
}

Matrix squared_distances(MatrixView<const double> rows, unsigned threads) {
  return squared_distances(rows, util::sample_rows(rows.rows(), rows.rows(), 0), threads);
}

double median_distance(MatrixView<const double> rows, const PairSample& sample, unsigned threads) {
  const std::vector<std::size_t> chosen = util::sample_rows(rows.rows(), sample.limit, sample.seed);
  const std::size_t count = chosen.size();
  if (count < 2) return 0.0;
  // Row i has the pairs with all rows before it, and they stand behind those of the rows before it.
  std::vector<double> squares(count * (count - 1) / 2);
  for_each_row(
      rows, chosen, threads, simd::kernels<double>().squared_distances,
      [](std::size_t row) { return row; },
      [&](std::size_t row, std::size_t first, std::span<const double> found) {
        if (found.empty()) return;
        std::ranges::copy(
            found, squares.begin() + static_cast<std::ptrdiff_t>(row * (row - 1) / 2 + first));
      });
  return median_root(squares);
}

double median_distance(MatrixView<const double> rows, const Distance& distance) {
  if (distance.is_euclidean()) return median_distance(rows);
  constexpr std::size_t kRows = 300;
  const Matrix chosen = gather_rows(rows, util::sample_rows(rows.rows(), kRows, 0));
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
