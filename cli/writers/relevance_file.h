// Reads relevance that explain or another program wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bisector/limits.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::cli {

/// The relevance of `rows` rows: CSV with the names of the features among its columns, as explain
/// writes it, or a matrix as CSV or NPY. Throws InvalidInput if rows or columns do not match.
Matrix read_relevance(const std::filesystem::path& path, const Model& model,
                      const std::vector<std::string>& features, std::size_t rows,
                      const Limits& limits);

}  // namespace bisector::cli
