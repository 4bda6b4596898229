// The options of `train`.
#pragma once

#include <CLI/App.hpp>

#include "cli/verbs/train.h"

namespace bisector::cli {

void add_train_options(CLI::App& verb, TrainArguments& arguments);

/// Throws UsageError if an option has no effect with the model, or two options contradict. The kind
/// of model must be known.
void require_consistent(const TrainArguments& arguments);

/// The model's name after --model.
std::string model_word(ModelKind kind);

}  // namespace bisector::cli
