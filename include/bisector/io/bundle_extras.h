// Members of a bundle that are no part of the model: probabilities, and how it was trained.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

#include "bisector/export.h"
#include "bisector/io/svm_probabilities.h"
#include "bisector/limits.h"
#include "bisector/model.h"

namespace bisector {

/// How a model was trained, in words.
struct TrainingRecord {
  std::string data;        // name of the file, without its folder
  std::size_t rows = 0;    // training rows
  std::string parameters;  // "gamma 1, cost 1, balanced classes"
  std::string score = {};  // of the cross-validation; empty if there was none
  bool operator==(const TrainingRecord&) const = default;
};

struct BundleExtras {
  std::optional<SvmProbabilities> probabilities = {};
  std::optional<TrainingRecord> training = {};
};

/// Those of a model file: the probabilities of a LIBSVM classifier with probA and probB, or of a
/// bundle that was written with them, and the training record of a bundle. Throws FormatError or
/// FileError as read_model() does.
BISECTOR_EXPORT BundleExtras read_bundle_extras(const std::filesystem::path& path,
                                                const Limits& limits = {});

/// write_bundle() of model_file.h, with these members.
BISECTOR_EXPORT void write_bundle(std::ostream& out, const Model& model,
                                  const BundleExtras& extras);

}  // namespace bisector
