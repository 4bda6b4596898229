// Checks for fitting and tuning. Each throws InvalidInput.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "bisector/train/learner.h"

namespace bisector::detail {

/// The classes, if there is one per row and every label has a row.
const ClassTarget& require_classes(const Target& target, std::size_t rows);
/// The numbers, if there is one per row and all are finite.
const std::vector<double>& require_numbers(const Target& target, std::size_t rows);
void require_no_target(const Target& target);
/// Requires no class weights, or one for each class.
void require_class_weights(const SvmLearner& learner, const ClassTarget& classes);
/// Requires a finite number above zero.
void require_positive(double value, std::string_view name);
/// Requires every parameter to be in its range, and k to be at most the number of rows.
void require_parameters(const Learner& learner, std::size_t rows);

}  // namespace bisector::detail
