// What `train` says about the model it made.
#pragma once

#include <string>

#include "bisector/train/train.h"
#include "cli/options/train_input.h"
#include "cli/verbs/train.h"

namespace bisector::cli {

std::string training_summary(const TrainArguments& arguments, const TrainingInput& input,
                             const TrainResult& training);

}  // namespace bisector::cli
