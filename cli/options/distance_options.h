// Options of `train` about distances: whose votes count how much, how far is far, how many are
// outliers.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>

#include "bisector/neighbor_model.h"

namespace bisector::cli {

enum class MetricName { euclidean, manhattan, minkowski, cosine, hamming };

struct DistanceArguments {
  std::optional<NeighborVote::Weights> weights;
  std::optional<MetricName> metric;
  std::optional<double> power, outliers;
};

/// Throws UsageError for a power without a Minkowski distance, and the other way round.
void require_consistent(const DistanceArguments& arguments);

Distance distance_of(const DistanceArguments& arguments, std::size_t features);
NeighborVote vote_of(const DistanceArguments& arguments, std::size_t features);

void add_distance_options(CLI::App& verb, DistanceArguments& arguments);

}  // namespace bisector::cli
