// The table that `train` learns from.
#pragma once

#include <iosfwd>

#include "bisector/train/learner.h"
#include "bisector/train/training_table.h"
#include "cli/verbs/train.h"

namespace bisector::cli {

struct TrainingInput {
  TrainingTable table;
  Target target;
};

/// Reads the data, settles which columns are features and what the target is, and says so to
/// `notes`. Throws as ColumnPlan, training_table and the functions of targets.h do.
TrainingInput read_training_input(const TrainArguments& arguments, std::ostream& notes);

}  // namespace bisector::cli
