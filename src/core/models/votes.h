// The votes of one-vs-one machines, and the class that wins.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/kernel_machine.h"

namespace bisector::detail {

/// One vote per pair of classes: for the first where its decision value is above zero, else for the
/// second, as LIBSVM counts. `decisions` are in the order (0,1), (0,2), ..., (1,2), ...
std::vector<double> one_vs_one_votes(std::span<const double> decisions, std::size_t classes);

/// What the classes of a classifier have, the largest of which wins: votes, or the values of the
/// machines. Where ties are broken, a share of a vote represents the sum of a class's decision
/// values c: c / (3 (|c| + 1)), as scikit-learn has it.
std::vector<double> class_scores(KernelClassifier::Arrangement arrangement, std::size_t classes,
                                 std::span<const double> decisions);

/// The first of the largest.
std::size_t winner(std::span<const double> votes);

}  // namespace bisector::detail
