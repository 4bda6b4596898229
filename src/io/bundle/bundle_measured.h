// The measured method in a bundle's `meta`: its name, its parameters and the figures.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bisector/model.h"

namespace bisector::io {

nlohmann::ordered_json measured_json(const MeasuredMethod& measured);

/// Calls `fail`, which must not return, with the problem.
MeasuredMethod parse_measured(const nlohmann::json& value,
                              const std::function<void(const std::string&)>& fail);

}  // namespace bisector::io
