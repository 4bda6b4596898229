// Straight lines from starts to rows, and the points on them at which something is computed.
#pragma once

#include <cstddef>
#include <span>

#include "bisector/matrix.h"

namespace bisector::linalg {

/// Rows that are processed together.
inline constexpr std::size_t kRowTile = 128;

/// A point on the straight line from start number `start` to a row, at `fraction` of the line.
struct LineStep {
  std::size_t start;
  double fraction;
};
template <class T>
struct Lines {
  MatrixView<const T> starts;
  std::span<const LineStep> steps;
};
inline void point_on_line(std::span<const double> row, const Lines<double>& lines,
                          const LineStep& step, std::span<double> point) {
  const auto start = lines.starts.row(step.start);
  for (std::size_t d = 0; d < row.size(); ++d)
    point[d] = start[d] + step.fraction * (row[d] - start[d]);
}

}  // namespace bisector::linalg
