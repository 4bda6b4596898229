#include "bisector/outlier_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "bisector/error.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/softmax_reduction.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

namespace {

/// The k nearest other points of every point.
std::vector<std::vector<linalg::Neighbor>> neighbors_of_points(const OutlierDetector& detector,
                                                               unsigned threads) {
  const Matrix& points = detector.points();
  const linalg::NeighborSearch search(
      detector.shared_points(), std::vector<std::size_t>(points.rows(), 0), 1, detector.distance());
  std::vector<std::vector<linalg::Neighbor>> result;
  for (std::size_t first = 0; first < points.rows(); first += linalg::kRowTile) {
    const std::size_t count = std::min(linalg::kRowTile, points.rows() - first);
    auto found = search.search(points.view().rows(first, count), detector.k() + 1, threads);
    for (std::size_t r = 0; r < count; ++r) {
      auto& own = result.emplace_back(std::move(found[r][0]));
      std::erase_if(own, [&](const linalg::Neighbor& n) { return n.index == first + r; });
      own.resize(detector.k());  // among many equal points, the point itself may not be found
    }
  }
  return result;
}

LocalDensities find_densities(const OutlierDetector& detector, unsigned threads) {
  // As in scikit-learn: without it, equal points would have an infinite density.
  constexpr double kLeast = 1e-10;
  const Distance& distance = detector.distance();
  const auto nearest = neighbors_of_points(detector, threads);
  LocalDensities result;
  for (const auto& own : nearest)
    result.reaches.push_back(distance.length(own.back().squared_distance));
  for (const auto& own : nearest) {
    double sum = 0.0;
    for (const linalg::Neighbor& neighbor : own)
      sum += std::max(distance.length(neighbor.squared_distance), result.reaches[neighbor.index]);
    result.densities.push_back(1.0 / (sum / static_cast<double>(detector.k()) + kLeast));
  }
  return result;
}

std::string_view score_words(OutlierScore score) {
  switch (score) {
    case OutlierScore::kth_distance:
      return "distance to the k-th neighbor";
    case OutlierScore::mean_distance:
      return "mean distance to k neighbors";
    case OutlierScore::local_outlier_factor:
      return "local outlier factor";
  }
  return {};
}

}  // namespace

struct OutlierDetector::LazyDensities {
  std::once_flag once;
  LocalDensities values;
};

OutlierDetector::OutlierDetector(Data data)
    : data_(std::move(data)), densities_(std::make_shared<LazyDensities>()) {
  require_points(*data_.points, "training points");
  const bool is_local = data_.score == Score::local_outlier_factor;
  const std::size_t most = data_.points->rows() - (is_local ? 1 : 0);
  if (data_.k < 1 || data_.k > most)
    throw InvalidModel(fmt::format("k is {}, expected a number from 1 to {}", data_.k, most));
  if (!(data_.threshold > 0.0) || !std::isfinite(data_.threshold))
    throw InvalidModel(
        fmt::format("the threshold is {}, expected a finite number above 0", data_.threshold));
  require_distance(data_.distance, *data_.points);
}

const LocalDensities& OutlierDetector::prepare(unsigned threads) const {
  if (data_.score == Score::local_outlier_factor)
    std::call_once(densities_->once, [&] { densities_->values = find_densities(*this, threads); });
  return densities_->values;
}

ModelSummary OutlierDetector::summary() const {
  return {fmt::format("outlier detector: {} up to {:.6g} is inside (1), beyond outside (-1)",
                      score_words(data_.score), data_.threshold),
          "training points",
          {},
          {},
          data_.k};
}

PoolSizes OutlierDetector::pool_sizes(std::size_t positive, std::size_t, double) const {
  const std::size_t count = data_.points->rows();
  return positive == 0 ? PoolSizes{count, 0} : PoolSizes{0, count};
}

}  // namespace bisector
