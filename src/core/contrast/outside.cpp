#include "core/contrast/outside_check.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "bisector/outside.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"
#include "core/util/draws.h"

namespace bisector::detail {

namespace {

/// All pairs of the sample. Euclidean ones read the points in place: a copy may need much memory.
Matrix distance_sums_of(const Matrix& points, const std::vector<std::size_t>& sample,
                        const Distance& distance) {
  if (distance.is_euclidean()) return linalg::squared_distances(points.view(), sample, 1);
  return linalg::distance_sums(gather_rows(points.view(), sample).view(), distance, 1);
}

}  // namespace

OutsideCheck::Points points_kind(const Model& model) {
  return has_ranked_pools(model) ? OutsideCheck::Points::sample : OutsideCheck::Points::chosen;
}

OutsideCheck make_outside_check(const Model& model, OptionalRows background) {
  if (!background || background->rows() < OutsideCheck::kLeast)
    return OutsideCheck(model.shared_points(), points_kind(model), model.distance());
  return OutsideCheck(
      SharedMatrix(draw_rows(model, background, OutsideCheck::kSample, 0).model_space),
      OutsideCheck::Points::sample, model.distance());
}

OutsideCheck::OutsideCheck(const SharedMatrix& points, Points kind, Distance distance)
    : points_(points),
      sample_(util::sample_rows(points.rows(), kSample, 0)),
      distance_(std::move(distance)) {
  if (points.file() != nullptr) {
    points_ = points.gather(sample_);
    std::iota(sample_.begin(), sample_.end(), std::size_t{0});
  }
  const bool is_few = sample_.size() < kLeast;
  const bool is_sample = kind == Points::sample && !is_few;
  const Matrix distances = distance_sums_of(*points_, sample_, distance_);
  std::vector<std::pair<double, std::size_t>> order;  // points by their sum of distances
  for (std::size_t n = 0; n < sample_.size(); ++n) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < sample_.size(); ++m) {
      if (m != n) nearest = std::min(nearest, distances(n, m));
      if (!is_sample) largest_ = std::max(largest_, distances(n, m));
    }
    if (is_sample) largest_ = std::max(largest_, nearest);
    const auto from_it = distances.row(n);
    order.emplace_back(std::accumulate(from_it.begin(), from_it.end(), 0.0), sample_[n]);
  }
  // Most rows are near a point in the middle, so that one distance decides.
  std::ranges::sort(order);
  std::ranges::transform(order, sample_.begin(), [](const auto& point) { return point.second; });
  if (!is_few) return;
  largest_ = largest_ > 0.0 ? distance_.sum(kFewFactor * distance_.length(largest_))
                            : std::numeric_limits<double>::infinity();
}

bool OutsideCheck::operator()(std::span<const double> row) const {
  const Matrix& points = *points_;
  if (distance_.is_euclidean())
    return !std::ranges::any_of(sample_, [&](std::size_t n) {
      return linalg::squared_distance(row, points.row(n)) <= largest_;
    });
  const linalg::RowDistance from(distance_, row);
  return !std::ranges::any_of(
      sample_, [&](std::size_t n) { return from.is_within(points.row(n).data(), largest_); });
}

}  // namespace bisector::detail

namespace bisector {
namespace {

/// The rows that were given, or those that the model knows.
detail::OptionalRows rows_of(const Model& model, const std::optional<Matrix>& background) {
  if (background) return background->view();
  if (model.background()) return model.background()->rows->view();
  return std::nullopt;
}

}  // namespace

OutsideRows::OutsideRows(const Model& model, unsigned threads,
                         const std::optional<Matrix>& background)
    : model_(model),
      threads_(threads),
      is_outside_(std::make_shared<const detail::OutsideCheck>(
          detail::make_outside_check(model, rows_of(model, background)))) {}

std::vector<bool> OutsideRows::operator()(MatrixView<const double> rows) const {
  std::vector<char> found(rows.rows(), 0);  // threads cannot write bits next to each other
  detail::for_each_tile(model_, rows, threads_, [&](const detail::RowTile& tile) {
    for (std::size_t r = 0; r < tile.count; ++r)
      found[tile.first + r] = (*is_outside_)(tile.rows.row(r)) ? 1 : 0;
  });
  return {found.begin(), found.end()};
}

std::size_t OutsideRows::count(MatrixView<const double> rows) const {
  return static_cast<std::size_t>(std::ranges::count((*this)(rows), true));
}

}  // namespace bisector
