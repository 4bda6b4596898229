// The library's default for a parameter of a rule: the heuristic's line in the heat maps.
#pragma once

#include <string>

#include "common/protocol.h"

namespace bisector::paper {

/// `sweep` is "eta", "path eta", "beta" (in units of gamma) or "kappa", `model_parameter` the gamma
/// or the k of a model of data with a median distance of one.
double default_parameter(const std::string& sweep, ModelKind kind, double model_parameter);

}  // namespace bisector::paper
