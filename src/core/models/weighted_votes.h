// The weighted votes of neighbor models. Points belong to groups: the classes of a classifier, one
// centroid each, or, for a regressor at a level, the points above, below and at the level. A
// regressor's vote is multiplied by the distance of the point's target from the level.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/model.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

// All distances within a place (vote_weights.h) are equal. If only some of the points at one
// distance are among the k nearest, these are the points with the lowest indices. The order of
// nearly equal distances counts, but may depend on rounding: such rows are marked. A caller who
// knows the voters decides both.

/// True for models that decide by the ranks of distances.
bool has_ranked_pools(const Model& model);

/// The votes in the neighborhood of one row.
struct VoteCounts {
  std::vector<std::size_t> members;    // number of neighbors of each group
  double total = 0.0;                  // sum of the vote weights, without a regressor's targets
  bool has_exact = false;              // points at the row's place vote alone
  double closest = -1.0, last = -1.0;  // sums of the nearest and the farthest neighbor
  bool at_radius = false;              // a point lies on the radius, up to rounding
  bool has_order = false;   // of points at equal distances, or on the radius, not all vote
  bool is_rounded = false;  // points at the row's place vote alone, and others are nearly there

  std::size_t neighbors() const;
  /// The weight of each group.
  std::span<const double> weights() const { return std::span(counted).first(members.size()); }
  /// The weights of a group's points, also of those beyond the neighborhood. Not available if votes
  /// are uniform.
  std::span<const double> of_points(const linalg::GroupedNeighbors& nearest,
                                    std::size_t group) const;
  /// The mean weight of a vote.
  double unit() const { return total / static_cast<double>(neighbors()); }

  std::vector<double> counted;  // weights of the groups, then of the points found, by group
  std::vector<std::size_t> voters = {};  // given points that vote before others at one distance
};

/// The points that vote, and the group of each.
struct VotingPoints {
  SharedMatrix points;
  std::vector<std::size_t> groups;
  std::size_t group_count, k;
  NeighborVote vote;
  std::vector<double> target_offsets;  // regressors: |target - level|
};
/// Throws InvalidInput for models without ranked pools. `level` is a regressor's.
VotingPoints voting_points(const Model& model, double level);

class WeightedVotes {
 public:
  enum Group : std::size_t { above = 0, below = 1, at_level = 2 };  // of a regressor

  explicit WeightedVotes(VotingPoints voting);
  explicit WeightedVotes(const Model& model, double level = 0.0)
      : WeightedVotes(voting_points(model, level)) {}

  std::size_t k() const { return k_; }
  const SharedMatrix& points() const { return search_.points(); }
  /// True if every vote counts 1.
  bool are_uniform() const { return is_uniform_; }

  /// The nearest points of every group: all neighbors; in every group the points until its weight
  /// reaches half of its own and its strongest rival's votes; and `beyond` more. At most
  /// linalg::kRowTile rows of the model's space. `all_counts`, if given, receives the counts of
  /// each row, unless votes are uniform.
  std::vector<linalg::GroupedNeighbors> nearest(
      MatrixView<const double> rows, std::size_t beyond, unsigned threads = 1,
      std::vector<VoteCounts>* all_counts = nullptr) const;
  /// The same at points on lines to the rows: one entry for each row and step.
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t beyond,
                                                         unsigned threads = 1) const;

  /// If no point is within the radius, there are no members, the outlier class has the whole vote,
  /// and the total is 1, so that shares are defined.
  VoteCounts count(const linalg::GroupedNeighbors& nearest,
                   std::span<const std::size_t> voters = {}) const;
  /// Orders points at equal distances: the given voters first. count() takes them before others.
  void put_first(std::span<const std::size_t> voters, linalg::GroupedNeighbors& nearest) const;
  /// True if rounding, or the order of points at equal distances, may change the difference of the
  /// votes of two groups.
  bool is_by_order(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                   std::size_t positive, std::size_t negative) const;
  /// True if they may elect another group than the winner.
  bool is_winner_by_order(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                          std::size_t winner) const;

 private:
  /// The number of points per group that uniform votes need.
  std::size_t uniform_count(std::size_t beyond) const;
  /// Further points per group that nearly always suffice for weighted votes. Weights by distance
  /// need few if there are many features, because the distances to neighbors are then similar.
  std::size_t further_ranks() const;
  /// The group with the next nearest point, if `taken` points of each group are used; the number of
  /// groups if no point is left.
  static std::size_t next_group(const linalg::GroupedNeighbors& nearest,
                                std::span<const std::size_t> taken);
  /// The points of a group at the distance of the last neighbor: those that voted, and all.
  struct AtLastDistance {
    std::size_t voted, all;
  };
  AtLastDistance at_last_distance(std::span<const linalg::Neighbor> group, std::size_t members,
                                  double distance, double difference) const;
  AtLastDistance all_at_last_distance(const linalg::GroupedNeighbors& nearest,
                                      const VoteCounts& counts, double difference) const;
  /// `difference` is relative. All distances within a place are equal.
  bool are_equal(double a, double b, double difference) const;
  /// Of the points at the last distance, the given voters vote, then those with the lowest indices.
  void choose_at_last_distance(const linalg::GroupedNeighbors& nearest, VoteCounts& counts) const;
  /// Only points at the row's place vote, if there are any.
  void keep_exact(const linalg::GroupedNeighbors& nearest, VoteCounts& counts) const;
  /// True if another order may elect `negative` instead of `positive`, or conversely.
  bool may_change_sign(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                       std::size_t positive, std::size_t negative) const;
  /// The range of the difference of two groups' votes for rank weights, for which equal distances
  /// matter at every rank.
  struct Range {
    double least = 0.0, most = 0.0, rounding = 0.0;
  };
  Range range_by_rank(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                      std::size_t positive, std::size_t negative) const;
  /// True if several points at the row's place vote, and how much one of the two groups gets
  /// depends on their infinite weights.
  bool are_infinite(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                    std::size_t positive, std::size_t negative) const;
  double vote_weight(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                     const linalg::Neighbor& neighbor) const;
  /// Decayed weights may underflow; points beyond the neighborhood get the mean weight.
  void fill_further(const linalg::GroupedNeighbors& nearest, VoteCounts& counts) const;
  /// Finds the neighbors and their nearest and farthest distances.
  void find_members(const linalg::GroupedNeighbors& nearest, VoteCounts& counts) const;
  bool has_vote(const linalg::Neighbor& neighbor, std::size_t taken) const;
  bool suffices(const linalg::GroupedNeighbors& nearest, const VoteCounts& counts,
                std::size_t count, std::size_t beyond) const;

  std::size_t k_;
  NeighborVote vote_;
  double radius_sum_ = 0.0;
  std::vector<double> target_offsets_;  // |target - level|
  bool is_uniform_;
  double sum_of_one_place_;
  linalg::NeighborSearch search_;
};

}  // namespace bisector::detail
