#include "cli/writers/relevance_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "cli/writers/placement.h"
#include "cli/writers/result_tables.h"

namespace bisector::cli {
namespace {

/// The names of the features in a file that explain wrote, where those of its own columns have an
/// underscore. Any other file has the features' own names.
std::vector<std::string> written_names(const DataReader& reader, const Model& model,
                                       const std::vector<std::string>& features) {
  Explanation none;
  none.relevance = Matrix(0, features.size());
  const Table table = table_of(none, ResultNames(model, features, RowValues(model, false)));
  const Header header = header_of(table, {}, false);
  for (const std::string& name : std::views::join(header.columns)) {
    if (std::ranges::find(reader.names(), name) == reader.names().end()) return features;
  }
  const auto block = std::ranges::find(table.columns, "relevance", &Column::key);
  return header.columns[static_cast<std::size_t>(block - table.columns.begin())];
}

/// Explain writes the levels of an encoded table only with --per-level.
std::vector<std::size_t> relevance_columns(const DataReader& reader, const std::string& source,
                                           const Model& model,
                                           const std::vector<std::string>& features) {
  try {
    return match_features(reader, source, written_names(reader, model, features), features.size());
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
