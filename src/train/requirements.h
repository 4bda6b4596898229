// The checks that fitting and tuning share; each throws InvalidInput with what was expected.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "bisector/train/learner.h"

namespace bisector::detail {

/// The classes, one per row, every label with at least one of them.
const ClassTarget& require_classes(const Target& target, std::size_t rows);
/// The numbers, one per row, all finite.
const std::vector<double>& require_numbers(const Target& target, std::size_t rows);
void require_no_target(const Target& target);
/// None, or one for each class.
void require_class_weights(const SvmLearner& learner, const ClassTarget& classes);
/// A finite number above zero.
void require_positive(double value, std::string_view name);
/// Every parameter within its range; k against the number of rows.
void require_parameters(const Learner& learner, std::size_t rows);

}  // namespace bisector::detail
