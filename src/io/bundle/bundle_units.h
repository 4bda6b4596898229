// The unit scales of a model (Model::unit_scales) in a bundle's `meta`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bisector/model.h"

namespace bisector::io {

nlohmann::ordered_json unit_scales_json(const std::vector<UnitScale>& scales);

/// Calls `fail`, which must not return, with the problem.
std::vector<UnitScale> parse_unit_scales(const nlohmann::json& value,
                                         const std::function<void(const std::string&)>& fail);

}  // namespace bisector::io
