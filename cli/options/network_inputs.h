// Contributions of a network's inputs (--network FILE).
#pragma once

#include <filesystem>

#include "bisector/limits.h"
#include "bisector/report/report.h"

namespace bisector::cli {

/// Reads a JSON file that `bisector.torch.Explainer.report` writes: the names of the network, the
/// rule and the inputs, and the names of files with numbers in the same folder (docs/formats.md).
/// Throws FormatError for a member that is missing or of another type.
NetworkInputs read_network_inputs(const std::filesystem::path& path, const Limits& limits);

}  // namespace bisector::cli
