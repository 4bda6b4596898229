#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "bisector/random.h"
#include "core/evaluate/order_search.h"
#include "core/evaluate/random_relevance.h"

namespace bisector {

using namespace detail;

namespace {

/// Relevance that removes features in the best order found, for the `chosen` rows.
Matrix reachable_relevance(const DensityEstimate& density, MatrixView<const double> rows,
                           std::span<const std::size_t> chosen, const BatchClassifier& classify,
                           const PixelFlippingOptions& options) {
  RemovalScores scores(density, rows, classify, options);
  Matrix relevance(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    scores.set_row(chosen[i]);
    const auto order = rows.cols() <= ReachableOrder::kMaxExactFeatures
                           ? best_of_all_orders(scores)
                           : better_greedy_order(scores);
    for (std::size_t n = 0; n < order.size(); ++n)
      relevance(chosen[i], order[n]) = static_cast<double>(order.size() - n);
    if (options.progress) options.progress(i + 1, chosen.size());
  }
  return relevance;
}

/// Over the searched rows, a subset of those of the result.
double mean_over(const PixelFlippingResult& result, std::span<const std::size_t> rows) {
  double sum = 0.0;
  for (const std::size_t row : rows) {
    const auto found = std::lower_bound(result.rows.begin(), result.rows.end(), row);
    if (found == result.rows.end() || *found != row)
      throw InvalidInput(
          fmt::format("row {} has no result, expected results of the same rows and options", row));
    sum += result.aufc[static_cast<std::size_t>(found - result.rows.begin())];
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

ReachableOrder reachable_order(const DensityEstimate& density, MatrixView<const double> rows,
                               std::span<const PixelFlippingResult> results,
                               const BatchClassifier& classify,
                               const PixelFlippingOptions& options) {
  if (rows.cols() > ReachableOrder::kMaxFeatures)
    throw InvalidInput(
        fmt::format("the rows have {} features, expected at most {} for the reachable order: the "
                    "search for the best "
                    "order tries every feature at every step",
                    rows.cols(), ReachableOrder::kMaxFeatures));
  ReachableOrder reachable;
  reachable.is_exact = rows.cols() <= ReachableOrder::kMaxExactFeatures;
  PixelFlippingOptions own = options;
  if (!reachable.is_exact) own.rows = std::min(own.rows, ReachableOrder::kMaxGreedyRows);
  const auto chosen = rows_to_evaluate(rows.rows(), own);
  std::vector<Matrix> orders{reachable_relevance(density, rows, chosen, classify, own)};
  for (std::size_t n = 0; n < ReachableOrder::kRandomOrders; ++n)
    orders.push_back(random_relevance(rows.rows(), rows.cols(), derived_seed(own.seed, n)));
  std::vector<PixelFlippingResult> found = pixel_flipping(density, rows, orders, classify, own);
  for (std::size_t n = 1; n < found.size(); ++n)
    reachable.random += found[n].mean / static_cast<double>(ReachableOrder::kRandomOrders);
  reachable.result = std::move(found.front());
  const double gap = reachable.random - reachable.result.mean;
  for (const PixelFlippingResult& result : results)
    reachable.share.push_back(gap > 0.0 ? (reachable.random - mean_over(result, chosen)) / gap
                                        : std::numeric_limits<double>::quiet_NaN());
  return reachable;
}

}  // namespace bisector
