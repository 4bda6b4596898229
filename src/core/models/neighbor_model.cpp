#include "bisector/neighbor_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bisector/error.h"
#include "core/models/checks.h"

namespace bisector {

using namespace detail;

namespace {

constexpr std::array<std::string_view, 4> kWeightNames = {"uniform", "distance", "inverse",
                                                          "exponential"};

void require_decay(const NeighborVote& vote) {
  const auto& [offset, power, rate] = vote.decay;
  if (!vote.has_decay()) {
    if (vote.decay != NeighborVote::Decay{})
      throw InvalidModel(fmt::format(
          "{} weights with a decay, expected inverse or exponential ones", name(vote.weights)));
    return;
  }
  for (const auto& [word, value] : {std::pair("power", power), std::pair("rate", rate)}) {
    if (!(value > 0.0 && std::isfinite(value)))
      throw InvalidModel(fmt::format(
          "the {} of the weights is {}, expected a finite number above 0", word, value));
  }
  if (!(offset >= 0.0 && std::isfinite(offset)))
    throw InvalidModel(
        fmt::format("the offset of the weights is {}, expected a finite number from 0 on", offset));
  if (vote.weights == NeighborVote::Weights::exponential && offset != 0.0)
    throw InvalidModel("exponential weights with an offset, which is a factor of all, expected 0");
}

/// Of points or ranks; none are one each.
void require_weights(const std::vector<double>& weights, std::string_view of, std::size_t count) {
  if (weights.empty()) return;
  require_equal(weights.size(), count, fmt::format("weights of {}s", of),
                of == "rank" ? "neighbors" : "training points");
  for (const double weight : weights) {
    if (!(weight > 0.0 && std::isfinite(weight)))
      throw InvalidModel(
          fmt::format("the weight of a {} is {}, expected a finite number above 0", of, weight));
  }
}

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
  require_decay(vote);
  require_weights(vote.point_weights, "point", points.rows());
  require_weights(vote.rank_weights, "rank", k);
  if (!vote.rank_weights.empty() && (vote.weights != NeighborVote::Weights::uniform ||
                                     vote.radius || !vote.point_weights.empty()))
    throw InvalidModel(
        "weights of ranks beside weights of another kind or a radius, expected one of them");
}

}  // namespace

std::string_view name(NeighborVote::Weights weights) {
  return kWeightNames[static_cast<std::size_t>(weights)];
}

std::optional<NeighborVote::Weights> vote_weights_from_name(std::string_view name) {
  const auto found = std::ranges::find(kWeightNames, name);
  if (found == kWeightNames.end()) return std::nullopt;
  return static_cast<NeighborVote::Weights>(found - kWeightNames.begin());
}

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
