// The problems of the study of the default rules: generated ones, and datasets outside the tables.
#pragma once

#include <functional>
#include <ostream>
#include <vector>

#include "common/dataset.h"
#include "studies.h"

namespace bisector::paper {

/// The models that a problem is for.
enum class ProblemSort {
  two_classes,
  kernel_classes,
  many_classes,
  numbers,
  one_class,
  categories
};

struct Problem {
  DatasetInfo info;
  std::function<const Dataset&()> dataset;
  std::vector<ProblemSort> sorts;
};

/// Datasets that are missing are left out and named in `log`.
std::vector<Problem> class_problems(const ChoiceOptions& options, std::ostream& log);
/// Problems for SVMs only; some have binary features.
std::vector<Problem> kernel_class_problems(const ChoiceOptions& options, std::ostream& log);
std::vector<Problem> number_problems(const ChoiceOptions& options, std::ostream& log);
std::vector<Problem> one_class_problems(const ChoiceOptions& options, std::ostream& log);
/// Features are binned into two, three or four levels.
std::vector<Problem> category_problems(const ChoiceOptions& options, std::ostream& log);
/// More than 50 features: pairs of handwritten digits, and generated problems.
std::vector<Problem> many_feature_problems(const ChoiceOptions& options, std::ostream& log);

}  // namespace bisector::paper
