// Relevance that was computed before, by explain or by another program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bisector/limits.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::cli {

/// The relevance of `rows` rows: CSV with the features' names among its columns, as explain writes
/// it, or a bare matrix as CSV or NPY. Throws InvalidInput where rows or columns do not fit.
Matrix read_relevance(const std::filesystem::path& path, const Model& model,
                      const std::vector<std::string>& features, std::size_t rows,
                      const Limits& limits);

}  // namespace bisector::cli
