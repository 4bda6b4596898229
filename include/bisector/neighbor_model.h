// Models that decide by distances alone: k nearest neighbors, neighbors within a radius, and
// nearest centroids.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/distance.h"
#include "bisector/enum_names.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model_fields.h"

namespace bisector {

/// The neighborhood of a row, and the weights of the neighbors' votes.
struct NeighborVote {
  enum class Weights {
    uniform,
    distance,    // 1 / d; if points coincide with the row, only these vote, with one vote each
    inverse,     // (offset + d^power)^-rate; if it is infinite, as for `distance`
    exponential  // exp(-rate d^power)
  };
  /// Parameters of the weights `inverse` and `exponential`. The weights are relative to that of the
  /// nearest neighbor, which is 1, so that they do not vanish far from all points.
  struct Decay {
    double offset = 0.0, power = 1.0, rate = 1.0;
    bool operator==(const Decay&) const = default;
  };

  Weights weights = Weights::uniform;
  std::optional<double> radius;       // all points within it vote, instead of the k nearest
  std::vector<double> point_weights;  // positive factors of the points; empty: 1 each
  Distance distance;
  Decay decay = {};
  std::vector<double> rank_weights = {};  // of the k nearest, nearest first; empty: 1 each
  /// The class of rows without a point within the radius, which gets the whole vote. If it is
  /// empty, no class has a vote there, and the first class is predicted.
  std::optional<std::size_t> outlier_class = {};

  /// True if the k nearest points vote and every vote counts 1.
  bool is_plain() const {
    return weights == Weights::uniform && !radius && point_weights.empty() && rank_weights.empty();
  }
  bool has_decay() const { return weights == Weights::inverse || weights == Weights::exponential; }

  bool operator==(const NeighborVote&) const = default;
};

constexpr std::string_view name(NeighborVote::Weights weights) {
  switch (weights) {
    case NeighborVote::Weights::uniform:
      return "uniform";
    case NeighborVote::Weights::distance:
      return "distance";
    case NeighborVote::Weights::inverse:
      return "inverse";
    case NeighborVote::Weights::exponential:
      return "exponential";
  }
  return {};
}

/// Neighbors that vote for a class. Equal distances go to the lower index, equal votes to the class
/// that comes first in `labels`.
class BISECTOR_EXPORT NeighborModel {
 public:
  static constexpr std::string_view kKind = "neighbors";
  static constexpr Task kTask = Task::classification;
  /// f of two classes is positive for the second of the sorted labels.
  static constexpr std::size_t kPositive = 1;

  struct Data {
    SharedMatrix points = Matrix();    // S x D
    std::vector<std::size_t> classes;  // S: the index of the point's label
    std::size_t k = 1;
    NeighborVote vote = {};
    std::vector<std::string> labels;  // C
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{.name = "points"}, &Data::points);
      visit(Field{.name = "point_classes", .keyword = "classes"}, &Data::classes);
      visit(Field{.name = "k"}, &Data::k);
      visit(Field{.name = "vote"}, &Data::vote);
      visit(Field{.name = "labels"}, &Data::labels);
    }
  };

  /// Throws InvalidModel unless 1 <= k <= S (k = 1 with a radius), there are at least two labels,
  /// no label occurs twice, every class has a point, the weights fit the points, and an outlier
  /// class is one of the classes and has a radius.
  explicit NeighborModel(Data data);
  NeighborModel(SharedMatrix points, std::vector<std::size_t> classes,
                std::vector<std::string> labels, std::size_t k, NeighborVote vote = {})
      : NeighborModel(Data{points, std::move(classes), k, std::move(vote), std::move(labels)}) {}

  const Data& data() const { return data_; }
  std::size_t features() const { return data_.points.cols(); }
  std::size_t k() const { return data_.k; }
  std::size_t neighbors() const { return data_.k; }
  /// Throws InvalidInput if the points are in a file; shared_points() gives them anyway.
  const Matrix& points() const { return *data_.points; }
  const SharedMatrix& shared_points() const { return data_.points; }
  const std::vector<std::size_t>& classes() const { return data_.classes; }
  const std::vector<std::string>& labels() const { return data_.labels; }
  const NeighborVote& vote() const { return data_.vote; }
  const Distance& distance() const { return data_.vote.distance; }
  /// Each class against all others, by its votes; empty for two classes.
  std::vector<NeighborModel> against_rest() const;
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;

  bool operator==(const NeighborModel&) const = default;

 private:
  Data data_;
};

/// The weighted mean of the neighbors' targets.
class BISECTOR_EXPORT NeighborRegressor {
 public:
  static constexpr std::string_view kKind = "neighbor_regressor";
  static constexpr Task kTask = Task::regression;

  struct Data {
    SharedMatrix points = Matrix();  // S x D
    std::vector<double> targets;     // S
    std::size_t k = 1;
    NeighborVote vote = {};
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{.name = "points"}, &Data::points);
      visit(Field{.name = "targets"}, &Data::targets);
      visit(Field{.name = "k"}, &Data::k);
      visit(Field{.name = "vote"}, &Data::vote);
    }
  };

  /// Throws InvalidModel unless every point has a finite target, and as NeighborModel.
  explicit NeighborRegressor(Data data);
  NeighborRegressor(SharedMatrix points, std::vector<double> targets, std::size_t k,
                    NeighborVote vote = {})
      : NeighborRegressor(Data{points, std::move(targets), k, std::move(vote)}) {}

  const Data& data() const { return data_; }
  std::size_t features() const { return data_.points.cols(); }
  std::size_t k() const { return data_.k; }
  std::size_t neighbors() const { return data_.k; }
  /// Throws InvalidInput if the points are in a file; shared_points() gives them anyway.
  const Matrix& points() const { return *data_.points; }
  const SharedMatrix& shared_points() const { return data_.points; }
  const std::vector<double>& targets() const { return data_.targets; }
  /// The mean of the targets.
  double default_level() const;
  const NeighborVote& vote() const { return data_.vote; }
  const Distance& distance() const { return data_.vote.distance; }
  std::vector<std::string> labels() const { return {}; }
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;

  bool operator==(const NeighborRegressor&) const = default;

 private:
  Data data_;
};

/// Nearest centroid, k-means: one point per class or cluster, the nearest wins.
class BISECTOR_EXPORT CentroidModel {
 public:
  static constexpr std::string_view kKind = "centroids";
  static constexpr Task kTask = Task::classification;
  /// f of two classes is positive for the second of the sorted labels.
  static constexpr std::size_t kPositive = 1;

  struct Data {
    SharedMatrix centroids = Matrix();  // C x D
    std::vector<std::string> labels;    // C
    Distance distance = {};
    bool operator==(const Data&) const = default;

    template <class Visit>
    static void fields(Visit&& visit) {
      visit(Field{.name = "centroids"}, &Data::centroids);
      visit(Field{.name = "labels"}, &Data::labels);
      visit(Field{.name = "distance"}, &Data::distance);
    }
  };

  /// Throws InvalidModel unless there are at least two centroids with one distinct label each.
  explicit CentroidModel(Data data);
  CentroidModel(SharedMatrix centroids, std::vector<std::string> labels, Distance distance = {})
      : CentroidModel(Data{centroids, std::move(labels), std::move(distance)}) {}

  const Data& data() const { return data_; }
  std::size_t features() const { return data_.centroids->cols(); }
  std::size_t neighbors() const { return 1; }
  const Matrix& centroids() const { return *data_.centroids; }
  const SharedMatrix& shared_points() const { return data_.centroids; }
  const std::vector<std::string>& labels() const { return data_.labels; }
  const Distance& distance() const { return data_.distance; }
  ModelSummary summary() const;
  PoolSizes pool_sizes(std::size_t positive, std::size_t negative, double level) const;

  bool operator==(const CentroidModel&) const = default;

 private:
  Data data_;
};

}  // namespace bisector
