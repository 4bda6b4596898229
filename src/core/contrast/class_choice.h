// Which two classes a row's pools P and N are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "bisector/model.h"

namespace bisector::detail {

/// Fixed for all rows, or left to the votes.
struct ClassChoice {
  std::optional<std::size_t> positive;  // none: the predicted class
  std::optional<std::size_t> negative;  // none: its strongest rival
};

/// The classes that the user named, completed where two classes leave no choice. Throws
/// InvalidInput for a label that the model does not have, a class versus itself, and a rival
/// without the class of interest.
ClassChoice resolve_classes(const Model& model, const std::optional<std::string>& of_class,
                            const std::optional<std::string>& versus);

/// The pools of a row of machines of many classes, from their decision values: what the choice
/// leaves open is the winner of the vote (or of the machines of one class each), and of the others
/// the next, the first of equals.
Model::ClassPair choose_pair(const ClassChoice& choice, const Model& model,
                             std::span<const double> decisions);

}  // namespace bisector::detail
