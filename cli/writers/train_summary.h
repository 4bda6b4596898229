// The summary that `train` writes about the new model.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "bisector/io/bundle_extras.h"
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

/// How the model was trained, to be stored with it.
TrainingRecord training_record(const TrainResult& training, const std::filesystem::path& data,
                               std::size_t rows, std::size_t folds);

std::string training_summary(const TrainReport& report);
Json training_json(const TrainReport& report);

}  // namespace bisector::cli
