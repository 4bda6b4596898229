#include "cli/options/distance_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {

void require_consistent(const DistanceArguments& arguments) {
  const bool is_minkowski = arguments.metric == MetricName::minkowski;
  if (arguments.power && !is_minkowski)
    throw UsageError("--power was given, expected --metric minkowski with it");
  if (is_minkowski && !arguments.power)
    throw UsageError("--metric minkowski was given, expected --power with it");
  if (arguments.power && *arguments.power < 1.0)
    throw UsageError("--power is below 1, expected a number from 1");
  if (arguments.outliers && *arguments.outliers >= 1.0)
    throw UsageError("--outliers is 1, expected a share below 1");
}

Distance distance_of(const DistanceArguments& arguments, std::size_t features) {
  switch (arguments.metric.value_or(MetricName::euclidean)) {
    case MetricName::manhattan:
      return Distance::manhattan();
    case MetricName::minkowski:
      return Distance(arguments.power.value());
    case MetricName::cosine:
      return Distance::cosine();
    case MetricName::hamming:
      return Distance::hamming(features);
    case MetricName::euclidean:
      break;
  }
  return {};
}

NeighborVote vote_of(const DistanceArguments& arguments, std::size_t features) {
  NeighborVote vote;
  vote.weights = arguments.weights.value_or(vote.weights);
  vote.distance = distance_of(arguments, features);
  return vote;
}

void add_distance_options(CLI::App& verb, DistanceArguments& arguments) {
  constexpr auto kGroup = "Distances";
  add_choice<std::optional<NeighborVote::Weights>>(
      verb, "--weights", arguments.weights,
      {{"uniform", NeighborVote::Weights::uniform}, {"distance", NeighborVote::Weights::distance}},
      "knn, knnr: distance lets a neighbour count one over its distance (default: uniform)")
      ->group(kGroup);
  add_choice<std::optional<MetricName>>(
      verb, "--metric", arguments.metric,
      {{"euclidean", MetricName::euclidean},
       {"manhattan", MetricName::manhattan},
       {"minkowski", MetricName::minkowski},
       {"cosine", MetricName::cosine},
       {"hamming", MetricName::hamming}},
      "knn, knnr, lof, knn-distance: after scaling (default: euclidean)")
      ->group(kGroup);
  add_number(verb, "--power", arguments.power, kPositive, "P", "Of --metric minkowski, from 1")
      ->group(kGroup);
  add_number(verb, "--outliers", arguments.outliers, kFraction, "SHARE",
             "density, lof, knn-distance: this share of the rows is outside (default: 0.1)")
      ->group(kGroup);
}

}  // namespace bisector::cli
