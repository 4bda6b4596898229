#include "core/explain/outside.h"

#include <algorithm>
#include <limits>

#include "core/linalg/pairwise.h"
#include "core/linalg/row_sample.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {

OutsideCheck::OutsideCheck(const SharedMatrix& points, Points kind)
    : points_(points), sample_(linalg::sample_rows(points->rows(), kSample, 0)) {
  constexpr std::size_t kLeast = 30;
  if (sample_.size() < kLeast) {
    largest_ = std::numeric_limits<double>::infinity();
    return;
  }
  const Matrix distances = linalg::squared_distances(gather_rows(*points_, sample_).view(), 1);
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
  return std::none_of(sample_.begin(), sample_.end(), [&](std::size_t n) {
    return linalg::squared_distance(row, points_->row(n)) <= largest_;
  });
}

}  // namespace bisector::detail
