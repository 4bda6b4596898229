// The sigmoids of a LIBSVM model's probabilities in a bundle's `meta`.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "bisector/io/svm_probabilities.h"

namespace bisector::io {

nlohmann::ordered_json probabilities_json(const SvmProbabilities& probabilities);

/// Calls `fail`, which must not return, with the problem.
SvmProbabilities parse_probabilities(const nlohmann::json& value, std::size_t classes,
                                     const std::function<void(const std::string&)>& fail);

/// Those of a bundle, if it has any. Throws as read_bundle() does.
std::optional<SvmProbabilities> read_bundle_probabilities(const std::filesystem::path& path,
                                                          const Limits& limits);

}  // namespace bisector::io
