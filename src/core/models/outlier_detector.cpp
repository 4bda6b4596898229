#include "bisector/outlier_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bisector/error.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/softmax_reduction.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

namespace {

/// In the order of Score.
constexpr std::string_view kScoreNames[] = {"kth_distance", "mean_distance",
                                            "local_outlier_factor"};

/// The k nearest others of every point.
std::vector<std::vector<linalg::Neighbor>> neighbors_of_points(const SharedMatrix& points,
                                                               std::size_t k,
                                                               const Distance& distance) {
  const linalg::NeighborSearch search(points, std::vector<std::size_t>(points->rows(), 0), 1,
                                      distance);
  std::vector<std::vector<linalg::Neighbor>> result;
  for (std::size_t first = 0; first < points->rows(); first += linalg::kRowTile) {
    const std::size_t count = std::min(linalg::kRowTile, points->rows() - first);
    auto found = search.search(points->view().rows(first, count), k + 1, 0);
    for (std::size_t r = 0; r < count; ++r) {
      auto& own = result.emplace_back(std::move(found[r][0]));
      std::erase_if(own, [&](const linalg::Neighbor& n) { return n.index == first + r; });
      own.resize(k);  // of many equal points, the point itself may be missing
    }
  }
  return result;
}

}  // namespace

OutlierDetector::OutlierDetector(SharedMatrix points, std::size_t k, Score score, double threshold,
                                 Distance distance)
    : points_(points), k_(k), score_(score), threshold_(threshold), distance_(std::move(distance)) {
  require_points(*points_, "training points");
  const bool is_local = score_ == Score::local_outlier_factor;
  const std::size_t most = points_->rows() - (is_local ? 1 : 0);
  if (k_ < 1 || k_ > most)
    throw InvalidModel(fmt::format("k is {}, expected a number from 1 to {}", k_, most));
  if (!(threshold_ > 0.0) || !std::isfinite(threshold_))
    throw InvalidModel(
        fmt::format("the threshold is {}, expected a finite number above 0", threshold_));
  require_distance(distance_, *points_);
  if (is_local) find_densities();
}

std::string_view name(OutlierDetector::Score score) {
  return kScoreNames[static_cast<std::size_t>(score)];
}

std::optional<OutlierDetector::Score> outlier_score_from_name(std::string_view name) {
  const auto found = std::ranges::find(kScoreNames, name);
  if (found == std::end(kScoreNames)) return std::nullopt;
  return static_cast<OutlierDetector::Score>(found - std::begin(kScoreNames));
}

void OutlierDetector::find_densities() {
  // As scikit-learn has it: equal points would be infinitely dense.
  constexpr double kLeast = 1e-10;
  const auto nearest = neighbors_of_points(points_, k_, distance_);
  for (const auto& own : nearest) reaches_.push_back(distance_.length(own.back().squared_distance));
  for (const auto& own : nearest) {
    double sum = 0.0;
    for (const linalg::Neighbor& neighbor : own)
      sum += std::max(distance_.length(neighbor.squared_distance), reaches_[neighbor.index]);
    densities_.push_back(1.0 / (sum / static_cast<double>(k_) + kLeast));
  }
}

}  // namespace bisector
