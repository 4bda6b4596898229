// Input of evaluate: the rows, and the methods and files that are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "cli/verbs/evaluate.h"

namespace bisector::cli {

struct Subject {
  Model model;
  std::vector<std::string> features;
  Matrix rows;
  std::optional<Matrix> background;  // none: the rows themselves
};

/// `background` may be empty.
Subject read_subject(const InputArguments& input, const std::filesystem::path& background);

/// The requested files and methods, or the default methods. Throws UsageError for an unknown method
/// and for a parameter that none of the methods has.
std::vector<Candidate> candidates_of(const EvaluateArguments& arguments, const Subject& subject);

/// Shows progress.
Evaluation evaluate_subject(const Subject& subject, const std::vector<Candidate>& candidates,
                            EvaluateOptions options);

}  // namespace bisector::cli
