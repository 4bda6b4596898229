#include "core/explain/outside.h"

#include <algorithm>
#include <limits>

#include "core/linalg/pairwise.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/row_sample.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {

namespace {

/// All pairs.
Matrix distance_sums_of(const Matrix& rows, const Distance& distance) {
  if (distance.is_euclidean()) return linalg::squared_distances(rows.view(), 1);
  Matrix sums(rows.rows(), rows.rows());
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    const linalg::RowDistance from(distance, rows.row(n));
    for (std::size_t m = 0; m < rows.rows(); ++m) sums(n, m) = from.sum(rows.row(m).data());
  }
  return sums;
}

}  // namespace

OutsideCheck::OutsideCheck(const SharedMatrix& points, Points kind, Distance distance)
    : points_(points),
      sample_(linalg::sample_rows(points->rows(), kSample, 0)),
      distance_(std::move(distance)) {
  constexpr std::size_t kLeast = 30;
  if (sample_.size() < kLeast) {
    largest_ = std::numeric_limits<double>::infinity();
    return;
  }
  const Matrix distances = distance_sums_of(gather_rows(*points_, sample_), distance_);
  for (std::size_t n = 0; n < sample_.size(); ++n) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < sample_.size(); ++m) {
      if (m != n) nearest = std::min(nearest, distances(n, m));
      if (kind == Points::chosen) largest_ = std::max(largest_, distances(n, m));
    }
    if (kind == Points::sample) largest_ = std::max(largest_, nearest);
  }
}

bool OutsideCheck::operator()(std::span<const double> row) const {
  const linalg::RowDistance from(distance_, row);
  return std::none_of(sample_.begin(), sample_.end(), [&](std::size_t n) {
    const double sum = distance_.is_euclidean() ? linalg::squared_distance(row, points_->row(n))
                                                : from.sum(points_->row(n).data());
    return sum <= largest_;
  });
}

}  // namespace bisector::detail
