// What `train` says about the model it made.
#pragma once

#include <string>

#include "bisector/train.h"
#include "cli/train.h"
#include "cli/train_input.h"

namespace bisector::cli {

std::string training_summary(const TrainArguments& arguments, const TrainingInput& input,
                             const Training& training);

}  // namespace bisector::cli
