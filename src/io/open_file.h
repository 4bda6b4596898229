// Opening files, with the reason in the message where it fails.
#pragma once

#include <filesystem>
#include <fstream>

namespace bisector {

/// An open file at its start. Throws FileError "cannot open x: reason", also for a directory.
std::ifstream open_input_file(const std::filesystem::path& path);

}  // namespace bisector
