// Models that decide by distance alone: k nearest neighbors, neighbors within a radius, and
// nearest centroids.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/distance.h"
#include "bisector/export.h"
#include "bisector/matrix.h"

namespace bisector {

/// Who has a vote, and how much it counts.
struct NeighborVote {
  enum class Weights {
    uniform,
    distance,    // 1 / d; where points stand at x, these alone vote, one vote each
    inverse,     // (offset + d^power)^-rate; where it is infinite, as above
    exponential  // exp(-rate d^power)
  };
  /// Of the weights `inverse` and `exponential`. They count relative to the nearest vote, which is
  /// one: far from all points votes are not nothing.
  struct Decay {
    double offset = 0.0, power = 1.0, rate = 1.0;
    bool operator==(const Decay&) const = default;
  };

  Weights weights = Weights::uniform;
  std::optional<double> radius;       // all points within it vote, in the place of the k nearest
  std::vector<double> point_weights;  // factors of the points' own, above 0; empty: one each
  Distance distance;
  Decay decay = {};
  std::vector<double> rank_weights = {};  // of the k nearest, the nearest first; empty: one each

  /// True where the k nearest vote, and every vote counts one.
  bool is_plain() const {
    return weights == Weights::uniform && !radius && point_weights.empty() && rank_weights.empty();
  }
  bool has_decay() const { return weights >= Weights::inverse; }

  bool operator==(const NeighborVote&) const = default;
};

/// "uniform", "distance", ..., and back; nullopt for other names.
BISECTOR_EXPORT std::string_view name(NeighborVote::Weights weights);
BISECTOR_EXPORT std::optional<NeighborVote::Weights> vote_weights_from_name(std::string_view name);

/// Neighbors that vote for a class. Equal distances go to the lower index and equal votes to the
/// class that comes first in `labels`, which the maker of the model sorts.
class BISECTOR_EXPORT NeighborModel {
 public:
  /// `classes[n]` is the index of point n's label. Throws InvalidModel unless 1 <= k <= points
  /// (with a radius: k is 1), there are at least two labels, none stands twice, every class has a
  /// point, and the vote fits the points.
  NeighborModel(SharedMatrix points, std::vector<std::size_t> classes,
                std::vector<std::string> labels, std::size_t k, NeighborVote vote = {});

  std::size_t features() const { return points_->cols(); }
  std::size_t k() const { return k_; }
  const Matrix& points() const { return *points_; }
  const SharedMatrix& shared_points() const { return points_; }
  const std::vector<std::size_t>& classes() const { return classes_; }
  const std::vector<std::string>& labels() const { return labels_; }
  const NeighborVote& vote() const { return vote_; }
  const Distance& distance() const { return vote_.distance; }

  bool operator==(const NeighborModel&) const = default;

 private:
  SharedMatrix points_;               // S x D
  std::vector<std::size_t> classes_;  // S
  std::vector<std::string> labels_;   // C
  std::size_t k_;
  NeighborVote vote_;
};

/// The weighted mean of the neighbors' targets.
class BISECTOR_EXPORT NeighborRegressor {
 public:
  /// Throws InvalidModel unless there is one finite target for each point, and as NeighborModel.
  NeighborRegressor(SharedMatrix points, std::vector<double> targets, std::size_t k,
                    NeighborVote vote = {});

  std::size_t features() const { return points_->cols(); }
  std::size_t k() const { return k_; }
  const Matrix& points() const { return *points_; }
  const SharedMatrix& shared_points() const { return points_; }
  const std::vector<double>& targets() const { return targets_; }
  /// The default level.
  double target_mean() const;
  const NeighborVote& vote() const { return vote_; }
  const Distance& distance() const { return vote_.distance; }

  bool operator==(const NeighborRegressor&) const = default;

 private:
  SharedMatrix points_;          // S x D
  std::vector<double> targets_;  // S
  std::size_t k_;
  NeighborVote vote_;
};

/// Nearest centroid, k-means: one point per class or cluster, the nearest wins.
class BISECTOR_EXPORT CentroidModel {
 public:
  /// Throws InvalidModel unless there are at least two centroids and one distinct label for each.
  CentroidModel(SharedMatrix centroids, std::vector<std::string> labels, Distance distance = {});

  std::size_t features() const { return centroids_->cols(); }
  const Matrix& centroids() const { return *centroids_; }
  const SharedMatrix& shared_points() const { return centroids_; }
  const std::vector<std::string>& labels() const { return labels_; }
  const Distance& distance() const { return distance_; }

  bool operator==(const CentroidModel&) const = default;

 private:
  SharedMatrix centroids_;  // C x D
  std::vector<std::string> labels_;
  Distance distance_;
};

}  // namespace bisector
