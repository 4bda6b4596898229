// The problems, the models and the methods of the study of truth.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "truth/truth.h"

namespace bisector::paper {

/// A model of generated data, rows to explain and their effects.
struct TruthProblem {
  Model model;
  Matrix background, rows, effects;
  std::optional<std::string> positive;  // classifiers: the class that effects speak for
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

/// What is done, for the page.
std::string truth_words(const TruthOptions& options);

}  // namespace bisector::paper
