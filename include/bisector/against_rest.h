// Each class of a classifier against all others, as models of two classes.
#pragma once

#include <vector>

#include "bisector/export.h"
#include "bisector/model.h"

namespace bisector {

/// The label of all other classes.
inline constexpr const char* kRest = "all other classes";

/// One model per class: votes for the class against all other votes (neighbors), or the class's own
/// machine (one machine per class). Empty for other models, whose classes are explained by the sum
/// over their pairs.
BISECTOR_EXPORT std::vector<Model> models_against_rest(const Model& model);

}  // namespace bisector
