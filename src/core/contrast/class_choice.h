// The two classes of a row's pools P and N.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "bisector/model.h"

namespace bisector::detail {

/// The same for all rows, or each row's own.
struct ClassChoice {
  std::optional<std::size_t> positive;  // empty: the predicted class
  std::optional<std::size_t> negative;  // empty: its strongest rival
};

/// The classes that the user named, and the other one if the model has two. Throws InvalidInput for
/// a label that the model does not have, a class versus itself, and a rival without a class.
ClassChoice resolve_classes(const Model& model, const std::optional<std::string>& of_class,
                            const std::optional<std::string>& versus);

/// The pair of classes of a row from the scores of its classes. An open choice takes the class with
/// the largest and the one with the next largest, the first among equals.
Model::ClassPair choose_pair(const ClassChoice& choice, std::span<const double> scores);

}  // namespace bisector::detail
