// The summary that `train` writes about the new model.
#pragma once

#include <optional>
#include <string>

#include "bisector/score.h"
#include "bisector/train/train.h"
#include "bisector/train/training_input.h"
#include "cli/verbs/train.h"
#include "cli/writers/json_text.h"

namespace bisector::cli {

struct TrainReport {
  const TrainArguments& arguments;
  const TrainingInput& input;  // the training rows
  const TrainResult& training;
  std::optional<Score> held_out;
};

/// The score of the model on rows with their targets.
Score score_of(const TrainingInput& input, const Model& model, unsigned threads);

std::string training_summary(const TrainReport& report);
Json training_json(const TrainReport& report);

}  // namespace bisector::cli
