#include "bisector/neighbor_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/describe.h"

namespace bisector {

using namespace detail;

namespace {

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

/// Checks the weights of points or ranks, if there are any.
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

/// The points are valid, and so is the distance between them.
void require_points_and_distance(const SharedMatrix& points, const Distance& distance) {
  points.for_each_block([](std::size_t first, MatrixView<const double> block) {
    require_points(block, "training points", first);
  });
  if (points.file() == nullptr)
    require_distance(distance, *points);
  else if (!distance.is_euclidean())
    throw InvalidModel(
        fmt::format("{}: rows in a file with another distance, expected the "
                    "Euclidean distance or rows in memory",
                    points.file()->path()));
}

void require_vote(const SharedMatrix& points, std::size_t k, const NeighborVote& vote) {
  require_points_and_distance(points, vote.distance);
  if (k < 1 || k > points.rows())
    throw InvalidModel(fmt::format("k is {}, expected a number from 1 to {}, the number of points",
                                   k, points.rows()));
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

/// `classes` is 0 for regressors.
void require_outlier_class(const NeighborVote& vote, std::size_t classes) {
  if (!vote.outlier_class) return;
  if (*vote.outlier_class >= classes)
    throw InvalidModel(
        fmt::format("the outlier class is {}, expected the number of one of {} classes",
                    *vote.outlier_class, classes));
  if (!vote.radius)
    throw InvalidModel("an outlier class without a radius, expected a radius with it");
}

}  // namespace

NeighborModel::NeighborModel(Data data) : data_(std::move(data)) {
  require_vote(data_.points, data_.k, data_.vote);
  require_outlier_class(data_.vote, data_.labels.size());
  require_equal(data_.classes.size(), data_.points.rows(), "labels of points", "training points");
  if (data_.labels.size() < 2)
    throw InvalidModel(fmt::format("{} classes, expected at least two", data_.labels.size()));
  require_distinct(data_.labels);
  std::vector<std::size_t> count(data_.labels.size(), 0);
  for (const std::size_t c : data_.classes) {
    if (c >= count.size())
      throw InvalidModel(
          fmt::format("a point has class {}, expected a number below {}", c, count.size()));
    ++count[c];
  }
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 0)
      throw InvalidModel(fmt::format("class \"{}\" has no training point", data_.labels[c]));
  }
}

ModelSummary NeighborModel::summary() const {
  ModelSummary result{describe(data_.k, data_.vote), "training points", {}, {}, data_.k};
  for (std::size_t c = 0; c < data_.labels.size(); ++c)
    result.points.push_back({"of class " + data_.labels[c], pool_sizes(c, c, 0.0).positive});
  return result;
}

PoolSizes NeighborModel::pool_sizes(std::size_t positive, std::size_t negative, double) const {
  const auto count = [&](std::size_t c) {
    return static_cast<std::size_t>(std::ranges::count(data_.classes, c));
  };
  return {count(positive), count(negative)};
}

std::vector<NeighborModel> NeighborModel::against_rest() const {
  std::vector<NeighborModel> result;
  if (data_.labels.size() == 2) return result;
  for (std::size_t c = 0; c < data_.labels.size(); ++c) {
    std::vector<std::size_t> is_own;
    for (const std::size_t own : data_.classes) is_own.push_back(own == c ? 1 : 0);
    NeighborVote own_vote = data_.vote;
    if (own_vote.outlier_class) own_vote.outlier_class = *own_vote.outlier_class == c ? 1 : 0;
    result.emplace_back(data_.points, std::move(is_own),
                        std::vector<std::string>{kRest, data_.labels[c]}, data_.k,
                        std::move(own_vote));
  }
  return result;
}

NeighborRegressor::NeighborRegressor(Data data) : data_(std::move(data)) {
  require_vote(data_.points, data_.k, data_.vote);
  require_outlier_class(data_.vote, 0);
  require_equal(data_.targets.size(), data_.points.rows(), "targets", "training points");
  require_finite(data_.targets, "targets");
}

double NeighborRegressor::default_level() const {
  double mean = 0.0;
  for (const double target : data_.targets)
    mean += target / static_cast<double>(data_.targets.size());
  return mean;
}

ModelSummary NeighborRegressor::summary() const {
  return {"mean of " + describe(data_.k, data_.vote), "training points", {}, {}, data_.k};
}

PoolSizes NeighborRegressor::pool_sizes(std::size_t, std::size_t, double level) const {
  PoolSizes sizes;
  for (const double target : data_.targets) {
    if (target > level) ++sizes.positive;
    if (target < level) ++sizes.negative;
  }
  return sizes;
}

CentroidModel::CentroidModel(Data data) : data_(std::move(data)) {
  require_points(centroids(), "centroids");
  require_distance(data_.distance, centroids());
  if (centroids().rows() < 2) throw InvalidModel("1 centroid, expected at least two");
  require_equal(data_.labels.size(), centroids().rows(), "labels", "centroids");
  require_distinct(data_.labels);
}

ModelSummary CentroidModel::summary() const {
  ModelSummary result{"nearest centroid", "centroids"};
  for (const std::string& label : data_.labels) result.points.push_back({"of class " + label, 1});
  return result;
}

PoolSizes CentroidModel::pool_sizes(std::size_t, std::size_t, double) const { return {1, 1}; }

}  // namespace bisector
