// Options of `train` about distances: the metric, the weights of neighbors and the fraction of
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

/// Throws UsageError unless a power comes with the Minkowski metric, and a width with weights that
/// have one.
void require_consistent(const DistanceArguments& arguments);

/// True if columns of text are compared as categories.
inline bool has_categories(const DistanceArguments& arguments) {
  return arguments.metric == MetricName::hamming || arguments.metric == MetricName::gower;
}

Distance distance_of(const DistanceArguments& arguments, const TrainingTable& table);
NeighborVote vote_of(const DistanceArguments& arguments, const TrainingTable& table);

void add_distance_options(CLI::App& verb, DistanceArguments& arguments);

}  // namespace bisector::cli
