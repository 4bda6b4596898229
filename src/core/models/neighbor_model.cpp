#include "bisector/neighbor_model.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

namespace {

void require_vote(const Matrix& points, std::size_t k, const NeighborVote& vote) {
  require_points(points, "training points");
  if (k < 1 || k > points.rows())
    throw InvalidModel(fmt::format("k is {}, expected a number from 1 to {}, the number of points",
                                   k, points.rows()));
  require_distance(vote.distance, points);
  if (vote.radius && !(*vote.radius > 0.0 && std::isfinite(*vote.radius)))
    throw InvalidModel(
        fmt::format("the radius is {}, expected a finite number above 0", *vote.radius));
  if (vote.radius && k != 1)
    throw InvalidModel(fmt::format("a radius with k = {}, expected one of the two", k));
  if (vote.point_weights.empty()) return;
  require_equal(vote.point_weights.size(), points.rows(), "weights of points", "training points");
  for (const double weight : vote.point_weights) {
    if (!(weight > 0.0 && std::isfinite(weight)))
      throw InvalidModel(
          fmt::format("the weight of a point is {}, expected a finite number above 0", weight));
  }
}

}  // namespace

NeighborModel::NeighborModel(SharedMatrix points, std::vector<std::size_t> classes,
                             std::vector<std::string> labels, std::size_t k, NeighborVote vote)
    : points_(points),
      classes_(std::move(classes)),
      labels_(std::move(labels)),
      k_(k),
      vote_(std::move(vote)) {
  require_vote(*points_, k_, vote_);
  require_equal(classes_.size(), points_->rows(), "labels of points", "training points");
  if (labels_.size() < 2)
    throw InvalidModel(fmt::format("{} classes, expected at least two", labels_.size()));
  require_distinct(labels_);
  std::vector<std::size_t> count(labels_.size(), 0);
  for (const std::size_t c : classes_) {
    if (c >= labels_.size())
      throw InvalidModel(
          fmt::format("a point has class {}, expected a number below {}", c, labels_.size()));
    ++count[c];
  }
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 0)
      throw InvalidModel(fmt::format("class \"{}\" has no training point", labels_[c]));
  }
}

NeighborRegressor::NeighborRegressor(SharedMatrix points, std::vector<double> targets,
                                     std::size_t k, NeighborVote vote)
    : points_(points), targets_(std::move(targets)), k_(k), vote_(std::move(vote)) {
  require_vote(*points_, k_, vote_);
  require_equal(targets_.size(), points_->rows(), "targets", "training points");
  require_finite(targets_, "targets");
}

double NeighborRegressor::target_mean() const {
  double mean = 0.0;
  for (const double target : targets_) mean += target / static_cast<double>(targets_.size());
  return mean;
}

CentroidModel::CentroidModel(SharedMatrix centroids, std::vector<std::string> labels,
                             Distance distance)
    : centroids_(centroids), labels_(std::move(labels)), distance_(std::move(distance)) {
  require_points(*centroids_, "centroids");
  require_distance(distance_, *centroids_);
  if (centroids_->rows() < 2) throw InvalidModel("1 centroid, expected at least two");
  require_equal(labels_.size(), centroids_->rows(), "labels", "centroids");
  require_distinct(labels_);
}

}  // namespace bisector
