// The paper's Figure 3: value against relevance.
#pragma once

#include <string>

#include "wine/wine.h"

namespace bisector::paper {

std::string wine_figure(const WineStudy& study);

}  // namespace bisector::paper
