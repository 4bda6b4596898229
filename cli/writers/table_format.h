// The forms in which tables of rows are written, chosen by the name of the output file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bisector::cli {

enum class TableFormat { csv, json, npy };

/// By the file's extension; CSV for standard output (an empty path or "-"). Throws UsageError,
/// listing what is `allowed`, for any other.
TableFormat table_format(const std::filesystem::path& output,
                         const std::vector<TableFormat>& allowed);

/// A cell of CSV, in quotes where it needs them.
std::string csv_cell(const std::string& text);

}  // namespace bisector::cli
