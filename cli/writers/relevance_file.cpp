#include "cli/writers/relevance_file.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"

namespace bisector::cli {
namespace {

/// Explain writes the levels of an encoded table only with --per-level.
std::vector<std::size_t> relevance_columns(const DataReader& reader, const std::string& source,
                                           const Model& model,
                                           const std::vector<std::string>& features) {
  try {
    return match_features(reader, source, features, features.size());
  } catch (const InvalidInput& error) {
    if (!model.encoding()) throw;
    throw InvalidInput(
        fmt::format("{}; evaluate needs one column per level, as explain --per-level writes them",
                    error.what()));
  }
}

}  // namespace

Matrix read_relevance(const std::filesystem::path& path, const Model& model,
                      const std::vector<std::string>& features, std::size_t rows,
                      const Limits& limits) {
  const auto reader = open_data(path, {.limits = limits});
  const std::string source = path.string();
  reader->select({relevance_columns(*reader, source, model, features), {}});
  Matrix relevance = read_all(*reader).numbers;
  if (relevance.rows() != rows)
    throw InvalidInput(fmt::format("{} has {} rows, expected {}: one per row of the data", source,
                                   relevance.rows(), rows));
  return relevance;
}

}  // namespace bisector::cli
