// What evaluate compares: the rows, and for each method or file the relevance of these rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "cli/verbs/evaluate.h"

namespace bisector::cli {

/// The data, and which of their rows are looked at.
struct Subject {
  Model model;
  std::vector<std::string> features;
  Matrix data;
  std::vector<std::size_t> chosen;
  Matrix rows;                       // the chosen ones
  std::optional<Matrix> background;  // where it is not the data
};

Subject read_subject(const EvaluateArguments& arguments, const FlippingOptions& options);

/// The relevance of the subject's rows, positive = for the predicted class, with its names.
struct Candidates {
  std::vector<std::string> names;
  std::vector<Matrix> relevance;
};

Candidates gather_candidates(const EvaluateArguments& arguments, const Subject& subject);

}  // namespace bisector::cli
