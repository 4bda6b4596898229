// The problems, models and methods of the study of known effects.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "studies.h"

namespace bisector::paper {

/// A model of generated data, rows to explain and their effects.
struct TruthProblem {
  Model model;
  Matrix background, rows, effects;
  std::optional<std::string> positive;  // classifiers: the class that positive effects raise
};

struct TruthKind {
  std::string id, title;
  bool has_gradients;
  std::function<TruthProblem(const TruthOptions&, double correlation, std::uint64_t seed)> problem;
};
const std::vector<TruthKind>& truth_kinds();

struct TruthMethod {
  std::string name;
  std::function<Matrix(const TruthProblem&)> relevance;
};
std::vector<TruthMethod> truth_methods(const TruthKind& kind);

/// Agreement of relevance with effects, both rows x features.
struct TruthScore {
  double sign;         // fraction of the effects above 0.5 whose sign is correct
  double unused;       // share of |relevance| on features without effect, mean over the rows
  double correlation;  // with the effects within a row, mean over the rows
};
TruthScore compare_with_truth(const Matrix& relevance, const Matrix& effects);

/// The description of the study for the page.
std::string truth_words(const TruthOptions& options);

}  // namespace bisector::paper
