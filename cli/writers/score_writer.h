// The scores of a model as text and as JSON.
#pragma once

#include <string>

#include "bisector/model.h"
#include "bisector/score.h"
#include "cli/writers/json_text.h"

namespace bisector::cli {

/// Lines of a name and a value, then tables of the classes. `has_probabilities`: the model's file
/// has class probabilities that the score does not use.
std::string score_text(const Score& score, const Model& model, bool has_probabilities = false);

/// The score with the labels that all verbs show, such as "quality above 5".
Score with_shown_labels(Score score, const Model& model);

/// " (unit of price)", for errors of a model that predicts the column price; empty without a name.
std::string target_unit(const Model& model);

/// The members of a score; what a model does not have is left out, what cannot be computed is null.
Json score_json(const Score& score);

}  // namespace bisector::cli
