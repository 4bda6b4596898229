// Neighbor models as what they have in common: points in groups that vote. A classifier's groups
// are its classes, each centroid is one of its own, and a regressor's at a level are the points
// above, below and at it, which pull the prediction by how far they are from it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/model.h"
#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

/// True for models whose decision is by the ranks of distances.
bool has_ranked_pools(const Model& model);

/// How the neighborhood of a row voted.
struct Ballot {
  std::vector<std::size_t> members;    // how many of each group voted
  double votes = 0.0;                  // of all, not counting how far a target is from the level
  bool has_exact = false;              // points at the row itself, which vote alone
  double closest = -1.0, last = -1.0;  // the distances of the nearest and the last that voted
  bool at_radius = false;              // a point stands on it, as near as rounding tells

  std::size_t neighbors() const;
  /// Of each group.
  std::span<const double> weights() const { return std::span(counted).first(members.size()); }
  /// What the votes of a group's points count, or would count if they had one. Not to be asked for
  /// where every vote counts one.
  std::span<const double> of_points(const linalg::GroupedNeighbors& nearest,
                                    std::size_t group) const;
  /// What one vote is, where weights are counted as so many votes as there are neighbors.
  double unit() const { return votes / static_cast<double>(neighbors()); }

  std::vector<double> counted;  // for the groups, then for the points found, group by group
};

class Voters {
 public:
  enum Group : std::size_t { above = 0, below = 1, at_level = 2 };  // of a regressor

  /// Of a model with ranked pools; throws InvalidInput for others. `level` is a regressor's.
  explicit Voters(const Model& model, double level = 0.0);

  std::size_t k() const { return k_; }
  const Matrix& points() const { return search_.points(); }
  /// True where every vote counts one.
  bool are_uniform() const { return is_uniform_; }

  /// The nearest points of every group: all that vote and, in every group, those up to the one at
  /// which its weight reaches half of what voted for it and any other, and `beyond` more. At most
  /// linalg::kRowTile rows of the model's space. `ballots`, where given, gets one for each row,
  /// unless votes are uniform: nothing had to be counted for those.
  std::vector<linalg::GroupedNeighbors> nearest(MatrixView<const double> rows, std::size_t beyond,
                                                unsigned threads = 1,
                                                std::vector<Ballot>* ballots = nullptr) const;
  /// The same at the points on the lines to the rows: one entry for every row and step.
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t beyond,
                                                         unsigned threads = 1) const;

  /// Without a vote where nobody is within the radius.
  Ballot count(const linalg::GroupedNeighbors& nearest) const;
  /// True where the order of points at equal distances, of which not all vote, may decide between
  /// two groups.
  bool is_by_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                   std::size_t positive, std::size_t negative) const;
  /// The same for the group that won, against any other.
  bool is_winner_by_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                          std::size_t winner) const;

 private:
  struct Groups {
    SharedMatrix points;
    std::vector<std::size_t> groups;
    std::size_t count, k;
    NeighborVote vote;
    std::vector<double> pulls;  // regressors
  };
  static Groups groups_of(const Model& model, double level);
  explicit Voters(Groups groups);

  /// How many points of every group are wanted where every vote counts one.
  std::size_t uniform_count(std::size_t beyond) const;
  /// How many more nearly always do where votes are weighed. By distance few: of many features all
  /// distances to neighbors are much alike.
  std::size_t further_ranks() const;
  /// The next neighbor of all groups, from where each stands; the number of groups: none.
  static std::size_t next_group(const linalg::GroupedNeighbors& nearest,
                                std::span<const std::size_t> taken);
  /// The points at a row's last distance: those of a group that voted, and all.
  struct LastOnes {
    std::size_t voted, all;
  };
  static LastOnes last_ones(std::span<const linalg::Neighbor> group, std::size_t members,
                            double distance);
  static LastOnes all_last_ones(const linalg::GroupedNeighbors& nearest, const Ballot& ballot);
  /// True where points of the last distance have no vote that others of it have.
  bool has_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot) const;
  /// The same where ranks have weights, for which equals matter wherever they stand.
  bool is_by_rank_order(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                        std::size_t positive, std::size_t negative) const;
  /// True where the weights of both are infinite, which no number tells apart.
  bool are_infinite(const Ballot& ballot, std::size_t positive, std::size_t negative) const;
  double vote_of(const linalg::GroupedNeighbors& nearest, const Ballot& ballot,
                 const linalg::Neighbor& neighbor) const;
  /// Of weights with a decay there may be nothing left: points without a vote count the mean one.
  void count_further(const linalg::GroupedNeighbors& nearest, Ballot& ballot) const;
  /// Who votes, and the distance of the last.
  void elect(const linalg::GroupedNeighbors& nearest, Ballot& ballot) const;
  bool has_vote(const linalg::Neighbor& neighbor, std::size_t taken) const;
  bool suffices(const linalg::GroupedNeighbors& nearest, const Ballot& ballot, std::size_t count,
                std::size_t beyond) const;

  std::size_t k_;
  NeighborVote vote_;
  double radius_sum_ = 0.0;
  std::vector<double> pulls_;  // |target - level|
  bool is_uniform_;
  linalg::NeighborSearch search_;
};

}  // namespace bisector::detail
