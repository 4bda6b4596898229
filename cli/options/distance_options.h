// Options of `train` about distances: whose votes count how much, how far is far, how many are
// outliers.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>

#include "bisector/neighbor_model.h"
#include "bisector/train/training_table.h"

namespace bisector::cli {

enum class MetricName { euclidean, manhattan, minkowski, cosine, hamming, gower };

enum class WeightsName { uniform, distance, inverse_square, exponential, gaussian };

struct DistanceArguments {
  std::optional<WeightsName> weights;
  std::optional<MetricName> metric;
  std::optional<double> power, width, outliers;
};

/// Throws UsageError for a power without a Minkowski distance or a width without weights that have
/// one, and the other way round.
void require_consistent(const DistanceArguments& arguments);

/// True where text stays a column of categories, which are equal or not.
inline bool has_categories(const DistanceArguments& arguments) {
  return arguments.metric >= MetricName::hamming;
}

Distance distance_of(const DistanceArguments& arguments, const TrainingTable& table);
NeighborVote vote_of(const DistanceArguments& arguments, const TrainingTable& table);

void add_distance_options(CLI::App& verb, DistanceArguments& arguments);

}  // namespace bisector::cli
