// The problems of the study of the default: generated ones, and datasets outside the tables.
#pragma once

#include <functional>
#include <ostream>
#include <vector>

#include "choice/choice.h"
#include "common/dataset.h"

namespace bisector::paper {

/// Which models a problem is for.
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

/// What is absent from the options' folder is left out, and `log` told.
std::vector<Problem> class_problems(const ChoiceOptions& options, std::ostream& log);
/// For SVMs alone: tables of yes and no among them.
std::vector<Problem> kernel_class_problems(const ChoiceOptions& options, std::ostream& log);
std::vector<Problem> number_problems(const ChoiceOptions& options, std::ostream& log);
std::vector<Problem> one_class_problems(const ChoiceOptions& options, std::ostream& log);
/// Features cut into two, three or four levels.
std::vector<Problem> category_problems(const ChoiceOptions& options, std::ostream& log);
/// More than 50: pairs of digits, written by hand, and generated ones.
std::vector<Problem> many_feature_problems(const ChoiceOptions& options, std::ostream& log);

}  // namespace bisector::paper
