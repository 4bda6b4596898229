// What evaluate and report --evaluate share: the rows, and the loop over the methods.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "cli/options/input.h"

namespace bisector::cli {

struct Subject {
  Model model;
  std::vector<std::string> features;
  Matrix rows;
  std::optional<Matrix> background;  // none: the rows themselves
};

/// `background` may be empty.
Subject read_subject(const InputArguments& input, const std::filesystem::path& background);

/// Shows progress.
Evaluation evaluate_subject(const Subject& subject, const std::vector<Candidate>& candidates,
                            EvaluateOptions options);

}  // namespace bisector::cli
