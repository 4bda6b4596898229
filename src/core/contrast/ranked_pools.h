// The two pools of a neighbor model at a row: the votes, the ranks at which the groups are compared
// and the responsibilities. NeighborContrast makes a contrast of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "core/contrast/contrast.h"
#include "core/linalg/neighbor.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {

// The ranks at which two groups of neighbors are compared at one row. W is the weight of both
// groups among the neighbors that vote. A pool's score is the squared distance at which its
// cumulative weight reaches W / 2; points beyond the neighborhood are counted if needed. So g, the
// score of N minus that of P, has the sign of the vote. If every vote counts 1, both ranks are half
// of the votes, rounded up.

struct RankComparison {
  std::size_t positive, negative;            // the groups of P and N
  std::size_t positive_rank, negative_rank;  // counted from one
};

/// The squared distance of a pool's q-th nearest point; infinite if the pool is smaller.
double pooled_score(std::span<const linalg::Neighbor> pool, std::size_t rank);

/// g for the two groups, from their nearest points.
double ranked_output(const linalg::GroupedNeighbors& nearest, const RankComparison& contrast);

/// Compares two groups at this row. A pool that never reaches W / 2 gets the rank after its last.
RankComparison compare_groups(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                              const VoteCounts& counts, std::size_t positive, std::size_t negative);

/// The rival of `positive`: the other group with the largest weight; among equals the one with the
/// smallest g, then the first.
std::size_t strongest_rival(const WeightedVotes& votes, const linalg::GroupedNeighbors& nearest,
                            const VoteCounts& counts, std::size_t positive);

// The ranks of a pool that share its responsibility.

/// The first and last rank that share the responsibility, counted from one: q - kappa ... q + kappa
/// cut to the pool; its farthest point where the pool ends before the band begins.
struct Band {
  std::size_t first, last;
};

inline Band rank_band(std::size_t rank, std::size_t kappa, std::size_t pool_size) {
  // Compared by differences: a sum with a large kappa would wrap.
  const std::size_t last = rank < pool_size && kappa < pool_size - rank ? rank + kappa : pool_size;
  const std::size_t first = rank > kappa ? rank - kappa : 1;
  return {std::min(first, last), last};
}

enum class Side { positive, negative };

/// The points of a pool that share its responsibility, consecutive in rank, and their parts.
struct Responsible {
  std::size_t first;            // of the pool's points
  std::vector<double> weights;  // sum to 1; empty: equal for all `count`
  std::size_t count;            // 0 if a level takes the place of the pool
  double scale = 1.0;           // detectors: factor of the relevance
};

/// What f of a neighbor model is.
enum class NeighborOutput {
  votes,     // difference of votes
  shares,    // difference of the shares of the vote
  mean,      // regressors: mean target - level
  distances  // centroids: difference of the squared distances
};

class RankedPools {
 public:
  struct Decision : RowDecision {
    VoteCounts counts;
    RankComparison comparison;
  };

  /// Throws InvalidInput for other kinds of models. `level` is a regressor's.
  RankedPools(const Model& model, NeighborOutput output, double level);

  const SharedMatrix& points() const { return votes_.points(); }
  /// True if the responsibilities are those of a mean of points in a Euclidean space.
  bool have_means() const { return is_euclidean_; }

  /// Neighbors and decisions of a tile of rows, with points for a band of half-width `kappa`.
  std::vector<linalg::GroupedNeighbors> nearest(const RowTile& tile, std::size_t kappa,
                                                std::vector<VoteCounts>& votes) const;
  /// The same at points on the lines to the rows: one entry for every row and step.
  std::vector<linalg::GroupedNeighbors> nearest_on_lines(MatrixView<const double> rows,
                                                         const linalg::Lines<double>& lines,
                                                         std::size_t kappa, unsigned threads) const;
  /// `votes` are those that nearest() counted, or empty ones.
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice,
                  VoteCounts votes) const;
  Decision decide(const linalg::GroupedNeighbors& nearest, const ClassChoice& choice) const {
    return decide(nearest, choice, votes_.count(nearest));
  }

  Responsible responsible(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                          Side side, std::size_t kappa) const;
  std::span<const linalg::Neighbor> pool(const linalg::GroupedNeighbors& nearest,
                                         const Decision& decision, Side side) const;
  /// False for centroids, which are compared by their distances.
  bool has_votes() const { return output_ != NeighborOutput::distances; }
  /// The share of each point of a pool in the vote, 0 if it does not vote; for a regressor, in the
  /// distances of the voting targets from the level.
  std::vector<double> vote_shares(const linalg::GroupedNeighbors& nearest, const Decision& decision,
                                  Side side) const;
  /// The squared distance at which a pool is compared.
  double score(const linalg::GroupedNeighbors& nearest, const Decision& decision, Side side) const;
  /// A radius within which the prediction does not change, by the lengths of the distances; 0 if
  /// votes are weighted or no majority is sure.
  double radius(const linalg::GroupedNeighbors& nearest, const Decision& decision) const;

 private:
  double vote_radius(const linalg::GroupedNeighbors& nearest, std::size_t winner) const;
  double centroid_radius(const linalg::GroupedNeighbors& nearest, std::size_t winner) const;
  double output(const RowDecision& decision, const VoteCounts& votes) const;
  bool is_tie(const linalg::GroupedNeighbors& nearest, const VoteCounts& votes,
              std::size_t positive, std::size_t negative) const;
  double value(const linalg::GroupedNeighbors& nearest, const VoteCounts& at_level, double f) const;

  /// Regressors at another level than the targets' mean: sums around the mean give the prediction.
  struct AroundMean {
    WeightedVotes votes;
    double mean;
    std::vector<std::size_t> sides;  // WeightedVotes::Group of each point
  };

  WeightedVotes votes_;
  std::optional<AroundMean> around_mean_;
  NeighborOutput output_;
  double level_;
  bool is_regressor_, is_euclidean_;
  Distance distance_;
  std::size_t classes_;
};

}  // namespace bisector::detail
