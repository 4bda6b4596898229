// The training target of a model in a bundle's `meta`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bisector/model.h"

namespace bisector::io {

nlohmann::ordered_json target_json(const LearnedTarget& target);

/// Calls `fail`, which must not return, with the problem.
LearnedTarget parse_target(const nlohmann::json& value,
                           const std::function<void(const std::string&)>& fail);

}  // namespace bisector::io
