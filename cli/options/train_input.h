// The table that `train` learns from.
#pragma once

#include <cstddef>
#include <span>

#include "bisector/train/learner.h"
#include "bisector/train/training_table.h"
#include "cli/verbs/train.h"

namespace bisector::cli {

struct TrainingInput {
  TrainingTable table;
  Target target;
  LearnedTarget learned;  // what the target's column is called, and what made classes of it
};

/// Some of its rows.
TrainingInput rows_of(const TrainingInput& input, std::span<const std::size_t> rows);

/// Reads the data, settles which columns are features and what the target is. Throws as
/// training_table and the functions of targets.h do, and InvalidInput for a column that is meant
/// for two things.
TrainingInput read_training_input(const TrainArguments& arguments);

}  // namespace bisector::cli
