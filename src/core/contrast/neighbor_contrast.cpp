// Contrasts of models that decide by the nearest points: with RankedPools for neighbors and
// centroids, with LevelPools for outlier detectors.

#include "core/contrast/implementations.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bisector/error.h"
#include "core/contrast/contrast.h"
#include "core/contrast/level_pools.h"
#include "core/contrast/point_values.h"
#include "core/contrast/ranked_pools.h"

namespace bisector::detail {
namespace {

template <class Pools>
class NeighborContrast final : public Contrast {
 public:
  /// An open choice takes each row's own pair of classes. `kappa` is the half-width of the band of
  /// ranks that share the responsibility.
  NeighborContrast(const Model& model, std::shared_ptr<const Pools> pools, ClassChoice choice,
                   std::shared_ptr<const PointValues> values, std::size_t kappa, unsigned threads)
      : Contrast(model, threads),
        pools_(std::move(pools)),
        choice_(choice),
        values_(std::move(values)),
        kappa_(kappa) {}

  std::vector<RowDecision> decide(const RowTile& tile) const override {
    std::vector<VoteCounts> votes;
    const auto found = pools_->nearest(tile, 0, votes);
    std::vector<RowDecision> decided;
    decided.reserve(tile.count);
    for (std::size_t r = 0; r < tile.count; ++r)
      decided.push_back(pools_->decide(found[r], choice_, std::move(votes[r])));
    return decided;
  }
  std::unique_ptr<const SearchedRows> search(const RowTile& tile) const override {
    return std::make_unique<const Searched>(pools_, tile);
  }
  TileMoments moments(const RowTile& tile) const override {
    std::vector<VoteCounts> votes;
    const auto found = pools_->nearest(tile, kappa_, votes);
    TileMoments result;
    result.positive = linalg::SoftmaxRows(tile.count, values_->columns());
    result.negative = linalg::SoftmaxRows(tile.count, values_->columns());
    result.scales.resize(tile.count);
    result.decisions.reserve(tile.count);
    for (std::size_t r = 0; r < tile.count; ++r) {
      const Decision decision = pools_->decide(found[r], choice_, std::move(votes[r]));
      const auto row = tile.rows.row(r);
      result.scales[r] =
          pool_mean(found[r], decision, Side::positive, row, result.positive[r].mean) *
          pool_mean(found[r], decision, Side::negative, row, result.negative[r].mean);
      result.decisions.push_back(decision);
    }
    return result;
  }
  void gradients_on_lines(MatrixView<const double> rows, const linalg::Lines<double>& lines,
                          unsigned threads, const UseGradient& use) const override {
    // Few steps at a time, so that what is found at them needs little memory.
    constexpr std::size_t kStepsAtOnce = 32;
    const std::size_t features = rows.cols();
    std::vector<double> positive(values_->columns()), negative(values_->columns()), point(features);
    for (std::size_t first = 0; first < lines.steps.size(); first += kStepsAtOnce) {
      const auto steps =
          lines.steps.subspan(first, std::min(kStepsAtOnce, lines.steps.size() - first));
      const auto found = pools_->nearest_on_lines(rows, {lines.starts, steps}, kappa_, threads);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t r = i / steps.size(), s = i % steps.size();
        const Decision at_point = pools_->decide(found[i], choice_);
        // The first moments of Euclidean pools do not depend on the center, and around the row they
        // lose fewer digits. Other values depend on the point.
        auto center = rows.row(r);
        if (!pools_->have_means()) {
          linalg::point_on_line(center, lines, steps[s], point);
          center = point;
        }
        const double scale = pool_mean(found[i], at_point, Side::positive, center, positive) *
                             pool_mean(found[i], at_point, Side::negative, center, negative);
        for (std::size_t d = 0; d < features; ++d) positive[d] -= negative[d];
        use(r, first + s, std::span<const double>(positive).first(features), scale);
      }
    }
  }
  PoolsAtRow members(std::span<const double> row) const override { return members(at(row)); }
  PoolsAtRow voters(std::span<const double> row) const override {
    const AtRow own = at(row);
    PoolsAtRow result = members(own);
    if constexpr (requires { pools_->vote_shares(own.found, own.decision, Side::positive); }) {
      if (!pools_->has_votes()) return result;
      const auto set = [&](PoolAtRow& pool, Side side) {
        pool.weights = pools_->vote_shares(own.found, own.decision, side);
      };
      set(result.positive, Side::positive);
      set(result.negative, Side::negative);
    }
    return result;
  }
  Network network(std::span<const double> row) const override {
    const AtRow own = at(row);
    const PoolsAtRow pools = members(own);
    Network network = all_pairs(pools);
    network.g = own.decision.g;
    const double positive_score = pools_->score(own.found, own.decision, Side::positive);
    for (const double e : pools.negative.exponents) network.hidden.push_back(-e - positive_score);
    return network;
  }
  double radius(std::span<const double> row) const override {
    const AtRow own = at(row);
    return pools_->radius(own.found, own.decision);
  }
  /// Of g: the mean gradient of the band of ranks. Throws InvalidInput for f, which has steps.
  void gradients(ExplainedOutput output, const RowTile& tile,
                 MatrixView<double> gradients) const override {
    if (output != ExplainedOutput::g)
      throw InvalidInput("the gradient of a model with steps was asked for, expected its values");
    const TileMoments means = moments(tile);
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto out = gradients.row(r);
      const std::span<const double> positive = means.positive[r].mean;
      const std::span<const double> negative = means.negative[r].mean;
      for (std::size_t d = 0; d < out.size(); ++d)
        out[d] = 2.0 * means.scales[r] * (positive[d] - negative[d]);
    }
  }

 private:
  using Decision = typename Pools::Decision;
  class Searched;
  struct AtRow {
    linalg::GroupedNeighbors found;
    Decision decision;
  };

  AtRow at(std::span<const double> row) const {
    std::vector<VoteCounts> votes;
    const MatrixView<const double> one(row.data(), 1, row.size());
    auto found = pools_->nearest({0, 1, one, one, 1}, kappa_, votes);
    Decision decision = pools_->decide(found[0], choice_, std::move(votes[0]));
    return {std::move(found[0]), std::move(decision)};
  }
  PoolsAtRow members(const AtRow& at) const {
    const auto of_side = [&](Side side) {
      const auto pool = pools_->pool(at.found, at.decision, side);
      const Responsible share = pools_->responsible(at.found, at.decision, side, kappa_);
      PoolAtRow result;
      for (std::size_t n = 0; n < pool.size(); ++n) {
        const bool is_inside = share.first <= n && n < share.first + share.count;
        const double equal = 1.0 / static_cast<double>(share.count);
        result.members.push_back(pool[n].index);
        result.exponents.push_back(-pool[n].squared_distance);
        result.weights.push_back(!is_inside ? 0.0
                                 : share.weights.empty()
                                     ? equal
                                     : share.scale * share.weights[n - share.first]);
      }
      // The level of a detector is a member without a point.
      if (pool.empty())
        result = {{std::nullopt}, {-pools_->score(at.found, at.decision, side)}, {1}};
      return result;
    };
    return {of_side(Side::positive), of_side(Side::negative), 1.0};
  }
  /// The mean values, around `center`, of the points that share a pool's responsibility. A level is
  /// at the center. Returns the pool's scale.
  double pool_mean(const linalg::GroupedNeighbors& found, const Decision& decision, Side side,
                   std::span<const double> center, std::span<double> mean) const {
    const auto pool = pools_->pool(found, decision, side);
    const Responsible share = pools_->responsible(found, decision, side, kappa_);
    if (share.count == 0) {
      values_->compute(std::vector<double>(center.size(), 0.0), center, mean);
      return share.scale;
    }
    std::vector<const double*> points;
    points.reserve(share.count);
    std::vector<std::vector<double>> buffers(share.count);  // of points in a file
    for (std::size_t n = 0; n < share.count; ++n)
      points.push_back(pools_->points().row(pool[share.first + n].index, buffers[n]).data());
    values_->mean(points, center, mean, share.weights);
    return share.scale;
  }

  std::shared_ptr<const Pools> pools_;
  ClassChoice choice_;
  std::shared_ptr<const PointValues> values_;
  std::size_t kappa_;
};

template <class Pools>
class NeighborContrast<Pools>::Searched final : public SearchedRows {
 public:
  Searched(std::shared_ptr<const Pools> pools, const RowTile& tile)
      : pools_(std::move(pools)), found_(pools_->nearest(tile, 0, votes_)) {}

  std::vector<RowDecision> decide(Model::ClassPair pair) const override {
    std::vector<RowDecision> decided;
    decided.reserve(found_.size());
    for (std::size_t r = 0; r < found_.size(); ++r)
      decided.push_back(pools_->decide(found_[r], {pair.positive, pair.negative}, votes_[r]));
    return decided;
  }

 private:
  std::shared_ptr<const Pools> pools_;
  std::vector<VoteCounts> votes_;
  std::vector<linalg::GroupedNeighbors> found_;
};

}  // namespace

template <class Pools>
std::unique_ptr<const Contrast> make_neighbor_contrast(const Model& model,
                                                       std::shared_ptr<const Pools> pools,
                                                       const ClassChoice& choice,
                                                       const ContrastOptions& options) {
  return std::make_unique<const NeighborContrast<Pools>>(
      model, std::move(pools), choice, options.values, options.kappa, options.threads);
}
template std::unique_ptr<const Contrast> make_neighbor_contrast(const Model&,
                                                                std::shared_ptr<const RankedPools>,
                                                                const ClassChoice&,
                                                                const ContrastOptions&);
template std::unique_ptr<const Contrast> make_neighbor_contrast(const Model&,
                                                                std::shared_ptr<const LevelPools>,
                                                                const ClassChoice&,
                                                                const ContrastOptions&);

}  // namespace bisector::detail
