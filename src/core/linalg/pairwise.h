// Distances between all pairs of rows, from the differences, so that equal rows are at distance
// zero exactly; and dot products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::linalg {

/// distances(i, j) = |rows_i - rows_j|^2: N x N, symmetric to the last bit, whatever the number of
/// threads (zero: all).
Matrix squared_distances(MatrixView<const double> rows, unsigned threads = 0);
/// The same for the sums of another distance, and for dot products.
Matrix distance_sums(MatrixView<const double> rows, const Distance& distance, unsigned threads = 0);
Matrix dot_products(MatrixView<const double> rows, unsigned threads = 0);

/// The same of some of the rows.
Matrix squared_distances(MatrixView<const double> rows, std::span<const std::size_t> chosen,
                         unsigned threads = 0);

/// A sample of the rows for statistics of pairs: at most `limit`, drawn with `seed` if more.
struct PairSample {
  std::size_t limit = 2000;
  std::uint64_t seed = 0;
};

/// The median Euclidean distance between different rows (the mean of the middle two where the
/// number of pairs is even) of the sample. Zero when there are fewer than two rows.
double median_distance(MatrixView<const double> rows, const PairSample& sample = {},
                       unsigned threads = 0);
/// The same by another distance, of fewer rows.
double median_distance(MatrixView<const double> rows, const Distance& distance);

/// kernel[n] = exp(-gamma squares[n]), which is zero below the smallest normal number.
void gaussian_kernel(std::span<const double> squares, double gamma, std::span<double> kernel);

}  // namespace bisector::linalg
