// What `train` says about the model it made.
#pragma once

#include <optional>
#include <string>

#include "bisector/score.h"
#include "bisector/train/train.h"
#include "cli/options/train_input.h"
#include "cli/verbs/train.h"
#include "cli/writers/json_text.h"

namespace bisector::cli {

struct TrainReport {
  const TrainArguments& arguments;
  const TrainingInput& input;  // that the model learned from
  const TrainResult& training;
  std::optional<Score> held_out;
};

std::string training_summary(const TrainReport& report);
Json training_json(const TrainReport& report);

}  // namespace bisector::cli
