// Options of explanations in the unit g, which most tests of the rules use.
#pragma once

#include "bisector/explain.h"

namespace bisector {

inline ExplainOptions in_g() {
  ExplainOptions options;
  options.unit = Unit::g;
  return options;
}

}  // namespace bisector
