// Options of `train` about distances: the kernel, the metric and the weights of neighbors.
#pragma once

#include <CLI/App.hpp>
#include <optional>

#include "bisector/neighbor_model.h"
#include "bisector/train/learner.h"
#include "bisector/train/training_table.h"
#include "cli/options/option_values.h"

namespace bisector::cli {

struct DistanceArguments {
  std::optional<GivenWord> kernel, metric, weights;
};

/// True if columns of text are compared as categories.
bool has_categories(const DistanceArguments& arguments);

KernelChoice kernel_of(const DistanceArguments& arguments);
Distance distance_of(const DistanceArguments& arguments, const TrainingTable& table);
NeighborVote vote_of(const DistanceArguments& arguments, const TrainingTable& table);

void add_distance_options(CLI::App& verb, DistanceArguments& arguments);

}  // namespace bisector::cli
