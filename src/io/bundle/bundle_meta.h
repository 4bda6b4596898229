// The parts of a bundle's `meta`, each a JSON value. Every parse function calls `fail`, which must
// not return, with the problem.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bisector/io/bundle_extras.h"
#include "bisector/io/svm_probabilities.h"
#include "bisector/model.h"
#include "bisector/table_encoding.h"

namespace bisector::io {

using MetaFail = std::function<void(const std::string& problem)>;

/// The table encoding: a list of columns. Throws InvalidModel as TableEncoding does.
nlohmann::ordered_json encoding_json(const TableEncoding& encoding);
TableEncoding parse_encoding(const nlohmann::json& columns, const MetaFail& fail);

/// The measured method: its name, its parameters and the figures.
nlohmann::ordered_json measured_json(const MeasuredMethod& measured);
MeasuredMethod parse_measured(const nlohmann::json& value, const MetaFail& fail);

/// The training target.
nlohmann::ordered_json target_json(const LearnedTarget& target);
LearnedTarget parse_target(const nlohmann::json& value, const MetaFail& fail);

/// Model::unit_scales.
nlohmann::ordered_json unit_scales_json(const std::vector<UnitScale>& scales);
std::vector<UnitScale> parse_unit_scales(const nlohmann::json& value, const MetaFail& fail);

/// What is known of all rows of Model::background; the rows and their mean are arrays.
nlohmann::ordered_json background_json(const Background& background);
Background parse_background(const nlohmann::json& value, const MetaFail& fail);

/// Model::auto_check.
nlohmann::ordered_json auto_check_json(const AutoCheck& check);
AutoCheck parse_auto_check(const nlohmann::json& value, const MetaFail& fail);

/// The sigmoids of a LIBSVM model's probabilities.
nlohmann::ordered_json probabilities_json(const SvmProbabilities& probabilities);
SvmProbabilities parse_probabilities(const nlohmann::json& value, std::size_t classes,
                                     const MetaFail& fail);

/// The training record.
nlohmann::ordered_json training_json(const TrainingRecord& record);
TrainingRecord parse_training(const nlohmann::json& value, const MetaFail& fail);

/// The extras of a bundle. Throws as read_bundle() does.
BundleExtras read_extras(const std::filesystem::path& path, const Limits& limits);

}  // namespace bisector::io
