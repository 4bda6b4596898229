// The library's draws are those of bisector/random.h.
#pragma once

#include "bisector/random.h"

namespace bisector::linalg {

using bisector::derived_seed;
using bisector::Random;

}  // namespace bisector::linalg
