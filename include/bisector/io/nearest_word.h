// The word that a user probably meant.
#pragma once

#include <string>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// The candidate that is most similar to the word, without regard to capital letters and leading
/// dashes; empty if none is similar.
BISECTOR_EXPORT std::string nearest_word(const std::string& word,
                                         const std::vector<std::string>& candidates);

}  // namespace bisector
