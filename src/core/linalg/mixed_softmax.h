// SoftmaxReduction for rows of any norm and either precision. Splits a tile into runs of rows with
// the same distance form; rows for which single precision is too coarse go through double.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/softmax_reduction.h"

namespace bisector::linalg {

/// A row's log-sum-exp over the points and the softmax-weighted mean of their values. The
/// log-sum-exp is log_sum + offset, and the offset is the same for all passes of one gamma and one
/// radius: far outside it is so large that only differences of log_sum keep their digits.
struct SoftmaxRow {
  double log_sum = 0.0;
  double offset = 0.0;
  double log_total = 0.0;   // PoolMoments: the log of the pool's sum, with the virtual point
  double log_points = 0.0;  // PoolMoments: the same, without the virtual point
  double log_slope = 0.0;   // KernelPass: as log_sum, of the kernel's slope
  double effective = 0.0;   // PoolMoments of other kernels than the Gaussian: the pool's distance
  std::span<double> mean;
};

/// The rows of a tile; their means are in one block of memory.
class SoftmaxRows {
 public:
  SoftmaxRows() = default;
  /// The means are not initialized.
  SoftmaxRows(std::size_t rows, std::size_t columns) : rows_(rows), means_(rows * columns) {
    for (std::size_t r = 0; r < rows; ++r)
      rows_[r].mean = std::span(means_).subspan(r * columns, columns);
  }
  SoftmaxRows(SoftmaxRows&&) noexcept = default;
  SoftmaxRows& operator=(SoftmaxRows&&) noexcept = default;

  SoftmaxRow& operator[](std::size_t row) { return rows_[row]; }
  const SoftmaxRow& operator[](std::size_t row) const { return rows_[row]; }

 private:
  std::vector<SoftmaxRow> rows_;
  AlignedVector<double> means_;
};

/// Calls run(points), which returns a SoftmaxRow each, with tiles of the points on the lines to the
/// rows, and fills the rows of the result from `first` on.
template <class Run>
void run_at_line_points(MatrixView<const double> rows, const Lines<double>& lines,
                        std::size_t first, SoftmaxRows& result, const Run& run) {
  const std::size_t steps = lines.steps.size(), all = rows.rows() * steps;
  Matrix points(std::min(kRowTile, all), rows.cols());
  for (std::size_t begin = 0; begin < all; begin += points.rows()) {
    const std::size_t count = std::min(points.rows(), all - begin);
    for (std::size_t i = 0; i < count; ++i)
      point_on_line(rows.row((begin + i) / steps), lines, lines.steps[(begin + i) % steps],
                    points.row(i));
    const SoftmaxRows part = run(points.view().rows(0, count));
    for (std::size_t i = 0; i < count; ++i) {
      SoftmaxRow& row = result[first + begin + i];
      row.log_sum = part[i].log_sum;
      row.offset = part[i].offset;
      row.log_slope = part[i].log_slope;
      row.effective = part[i].effective;
      std::ranges::copy(part[i].mean, row.mean.begin());
    }
  }
}

/// The packed points of a softmax in its precision. Single precision keeps no second copy for the
/// rows that go through double; tiles of points are packed for them.
struct MixedPanels {
  MixedPanels(const SharedPoints& points, bool single);

  std::shared_ptr<const PointPanels<double>> f64;
  std::shared_ptr<const PointPanels<float>> f32;  // null: all rows go through double
};

/// How far rounding may move an exponent.
struct ExponentTolerance {
  double f64 = 1e-12;
  double f32 = 1e-5;
};

class MixedSoftmax {
 public:
  /// True if a row at the center may go through single precision.
  static bool serves_single(double gamma, double radius, ExponentTolerance tolerance = {});

  /// As SoftmaxReduction. `radius` is at least the points' largest distance from the center:
  /// softmaxes with the same radius take the same route for a row.
  MixedSoftmax(const MixedPanels& panels, std::span<const double> log_weights, double gamma,
               const std::optional<SharedMatrix>& values, double radius,
               ExponentTolerance tolerance = {}, std::size_t moments = 2);

  /// `rows`: at most kRowTile, relative to the center. One SoftmaxRow each, with the means of the
  /// first `value_columns` values.
  SoftmaxRows run(MatrixView<const double> rows, std::size_t value_columns, unsigned threads) const;
  /// The same for the points on the lines to the rows: one SoftmaxRow for every row and step, in
  /// this order, with the means of the points' coordinates.
  SoftmaxRows run_on_lines(MatrixView<const double> rows, const Lines<double>& lines,
                           unsigned threads) const;

 private:
  struct Route {
    bool single;
    DistanceForm form;
    bool operator==(const Route&) const = default;
  };
  Route route(double row_norm) const;
  template <class T>
  void run_on(const SoftmaxReduction<T>& reduction, MatrixView<const double> rows,
              std::span<const double> squared_norms, DistanceForm form, std::size_t first,
              unsigned threads, SoftmaxRows& result) const;
  template <class T>
  void run_lines_on(const SoftmaxReduction<T>& reduction, MatrixView<const double> rows,
                    const Lines<double>& lines, std::size_t first, unsigned threads,
                    SoftmaxRows& result) const;

  double gamma_, radius_;
  ExponentTolerance tolerance_;
  SoftmaxReduction<double> f64_;
  std::optional<SoftmaxReduction<float>> f32_;
};

}  // namespace bisector::linalg
