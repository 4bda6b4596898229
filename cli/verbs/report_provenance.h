// Where a report comes from: the date, the command line and the files with their hashes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bisector/io/bundle_extras.h"
#include "bisector/report/report.h"

namespace CLI {
class App;
}

namespace bisector::cli {

struct ReportArguments;

/// What the user typed, with file names without their folders. `verb` has been parsed.
std::string typed_command(const CLI::App& verb);

/// `training` is the record in the model's file. The day is that of SOURCE_DATE_EPOCH, if it is
/// set. Standard input has no hash.
ReportProvenance provenance_of(const ReportArguments& arguments,
                               const std::optional<TrainingRecord>& training);

}  // namespace bisector::cli
