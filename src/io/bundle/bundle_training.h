// The training record in a bundle's `meta`.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "bisector/io/bundle_extras.h"

namespace bisector::io {

nlohmann::ordered_json training_json(const TrainingRecord& record);

/// Calls `fail`, which must not return, with the problem.
TrainingRecord parse_training(const nlohmann::json& value,
                              const std::function<void(const std::string&)>& fail);

/// That of a bundle, if it has one. Throws as read_bundle() does.
std::optional<TrainingRecord> read_bundle_training(const std::filesystem::path& path,
                                                   const Limits& limits);

}  // namespace bisector::io
