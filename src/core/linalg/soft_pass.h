// SoftPoints for a tile of rows of any norm and either precision: splits the tile into runs of rows
// that want the same distance form, and sends rows for which single precision is too coarse through
// double.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/linalg/soft_points.h"

namespace bisector::linalg {

/// A row's log-sum-exp over the points and the softmax-weighted mean of their values. The
/// log-sum-exp is log_sum + offset, and the offset is the same for all passes of one gamma and one
/// radius: far outside it is so large that only differences of log_sum keep their digits.
struct SoftRow {
  double log_sum = 0.0;
  double offset = 0.0;
  std::span<double> mean;
};

/// The rows of a tile; their means stand in one piece of memory.
class SoftRows {
 public:
  SoftRows() = default;
  /// Means are left without a value.
  SoftRows(std::size_t rows, std::size_t columns) : rows_(rows), means_(rows * columns) {
    for (std::size_t r = 0; r < rows; ++r)
      rows_[r].mean = std::span(means_).subspan(r * columns, columns);
  }
  SoftRows(SoftRows&&) noexcept = default;
  SoftRows& operator=(SoftRows&&) noexcept = default;

  SoftRow& operator[](std::size_t row) { return rows_[row]; }
  const SoftRow& operator[](std::size_t row) const { return rows_[row]; }

 private:
  std::vector<SoftRow> rows_;
  AlignedVector<double> means_;
};

class SoftPass {
 public:
  struct Tolerance {
    double f64 = 1e-12;  // how far rounding may move an exponent
    double f32 = 1e-5;
  };

  /// As SoftPoints; `single` asks for single precision. The points should be centred, and `radius`
  /// be at least their largest norm: passes with the same radius take the same route for a row.
  SoftPass(MatrixView<const double> points, std::span<const double> log_weights, double gamma,
           MatrixView<const double> values, double radius, bool single, Tolerance tolerance);

  /// `rows`: at most kRowTile, centred like the points. One SoftRow each, with the means of the
  /// first `value_columns` values.
  SoftRows run(MatrixView<const double> rows, std::size_t value_columns) const;

 private:
  struct Route {
    bool single;
    DistanceForm form;
    bool operator==(const Route&) const = default;
  };
  Route route(double row_norm) const;
  template <class T>
  void run_on(const SoftPoints<T>& points, MatrixView<const double> rows,
              std::span<const double> squared_norms, DistanceForm form, std::size_t first,
              SoftRows& result) const;

  double gamma_, radius_;
  Tolerance tolerance_;
  SoftPoints<double> f64_;
  std::optional<SoftPoints<float>> f32_;
};

}  // namespace bisector::linalg
