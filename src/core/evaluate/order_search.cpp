#include "core/evaluate/order_search.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "bisector/random.h"
#include "core/evaluate/flipping_curve.h"
#include "core/util/parallel.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kChoosingBytes = std::size_t{16} << 20;

RemovedSet set_of(std::size_t mask, std::size_t features) {
  RemovedSet set(features);
  for (std::size_t d = 0; d < features; ++d) set[d] = (mask >> d & 1) != 0;
  return set;
}

/// An order and the score of its curve after 0, 1, ... removals.
struct GreedyOrder {
  std::vector<std::size_t> order;
  std::vector<double> curve;

  explicit GreedyOrder(std::size_t features) : order(features), curve(features + 1, 1.0) {}

  double area() const {
    std::vector<double> x{0.0}, measured{1.0};
    for (const std::size_t count : measured_removals(order.size())) {
      x.push_back(static_cast<double>(count));
      measured.push_back(curve[count]);
    }
    return normalized_area(x, measured);
  }
};

struct Step {
  std::size_t feature;
  double score;
};

/// Flips the feature of `set` that gives the lowest score, among the removed or the kept ones; the
/// first among equals.
Step take_best(RemovalScores& scores, RemovedSet& set, bool removed) {
  std::vector<std::size_t> features;
  std::vector<RemovedSet> sets;
  for (std::size_t d = 0; d < set.size(); ++d) {
    if (set[d] != removed) continue;
    features.push_back(d);
    sets.push_back(set);
    sets.back()[d] = !removed;
  }
  const std::vector<double> found = scores(sets);
  const auto best = std::ranges::min_element(found);
  const std::size_t feature = features[static_cast<std::size_t>(best - found.begin())];
  set[feature] = !removed;
  return {feature, *best};
}

GreedyOrder forwards(RemovalScores& scores) {
  const std::size_t features = scores.features();
  GreedyOrder found(features);
  RemovedSet set(features, false);
  for (std::size_t count = 1; count <= features; ++count) {
    const Step step = take_best(scores, set, false);
    found.order[count - 1] = step.feature;
    found.curve[count] = step.score;
  }
  return found;
}

/// `end` is the score if everything is removed.
GreedyOrder backwards(RemovalScores& scores, double end) {
  const std::size_t features = scores.features();
  GreedyOrder found(features);
  RemovedSet set(features, true);
  found.curve[features] = end;
  for (std::size_t count = features - 1; count > 0; --count) {
    const Step step = take_best(scores, set, true);
    found.order[count] = step.feature;
    found.curve[count] = step.score;
  }
  found.order[0] = static_cast<std::size_t>(std::ranges::find(set, true) - set.begin());
  return found;
}

}  // namespace

std::uint64_t choosing_seed(std::uint64_t seed) {
  constexpr std::uint64_t kChoosing = 0x63686f6f7365;
  return derived_seed(seed, kChoosing);
}

RemovalScores::RemovalScores(const DensityEstimate& density, MatrixView<const double> rows,
                             const BatchClassifier& classify, const PixelFlippingOptions& options)
    : background_(density, options.imputer),
      rows_(rows),
      classify_(classify),
      options_(options),
      samples_(background_.samples(options.samples)) {}

void RemovalScores::set_row(std::size_t row) {
  row_ = row;
  original_ = classify_(rows_.rows(row, 1)).front();
}

std::vector<double> RemovalScores::operator()(std::span<const RemovedSet> sets) {
  const std::size_t at_once =
      std::max<std::size_t>(kChoosingBytes / (samples_ * rows_.cols() * sizeof(double)), 1);
  std::vector<double> found;
  for (std::size_t first = 0; first < sets.size(); first += at_once) {
    const std::size_t count = std::min(at_once, sets.size() - first);
    if (batch_.rows() < count * samples_) batch_ = Matrix(count * samples_, rows_.cols());
    util::parallel_for(count, options_.threads, [&] {
      return [&, workspace = ImputationWorkspace()](std::size_t s) mutable {
        impute_set(sets[first + s], workspace, batch_.view().rows(s * samples_, samples_));
      };
    });
    const std::vector<std::size_t> classes = classify_(batch_.view().rows(0, count * samples_));
    for (std::size_t s = 0; s < count; ++s)
      found.push_back(agreement(std::span(classes).subspan(s * samples_, samples_), original_));
  }
  return found;
}

void RemovalScores::impute_set(const RemovedSet& set, ImputationWorkspace& workspace,
                               MatrixView<double> imputed) const {
  const auto x = rows_.row(row_);
  KeptDistances kept(background_.points().rows());
  std::vector<std::size_t> removed;
  for (std::size_t d = 0; d < set.size(); ++d) {
    if (set[d])
      removed.push_back(d);
    else
      kept.keep(background_, d, x[d]);
  }
  workspace.draws.fill(choosing_seed(options_.seed), row_, removed.size() - 1, samples_, x.size());
  impute(background_, x, removed, kept, workspace, imputed);
}

std::vector<std::size_t> best_of_all_orders(RemovalScores& scores) {
  const std::size_t features = scores.features(), subsets = std::size_t{1} << features;
  std::vector<RemovedSet> sets;
  for (std::size_t mask = 1; mask < subsets; ++mask) sets.push_back(set_of(mask, features));
  const std::vector<double> found = scores(sets);
  // The best path to a set: the sum of its scores, which orders paths to one end as their area
  // does, and its last step.
  std::vector<double> sum(subsets, 0.0);
  std::vector<std::size_t> last(subsets, 0);
  for (std::size_t mask = 1; mask < subsets; ++mask) {
    sum[mask] = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < features; ++d) {
      const std::size_t before = mask ^ (std::size_t{1} << d);
      if (before > mask || sum[before] >= sum[mask]) continue;
      sum[mask] = sum[before];
      last[mask] = d;
    }
    sum[mask] += found[mask - 1];
  }
  std::vector<std::size_t> order(features);
  for (std::size_t mask = subsets - 1; mask > 0; mask ^= std::size_t{1} << last[mask])
    order[static_cast<std::size_t>(std::popcount(mask)) - 1] = last[mask];
  return order;
}

std::vector<std::size_t> better_greedy_order(RemovalScores& scores) {
  GreedyOrder ahead = forwards(scores);
  GreedyOrder back = backwards(scores, ahead.curve.back());
  return ahead.area() <= back.area() ? std::move(ahead.order) : std::move(back.order);
}

}  // namespace bisector::detail
