#include "cli/writers/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace bisector::cli {
namespace {

/// Names that are given once.
class Taken {
 public:
  std::string operator()(std::string name) {
    while (!names_.insert(name).second) name += '_';
    return name;
  }

 private:
  std::set<std::string> names_ = {"row"};
};

std::vector<std::string> own_names(const Column& column) {
  if (!column.is_block()) return {column.name};
  std::vector<std::string> names;
  for (const std::string& name : *column.names) names.push_back(column.name + name);
  return names;
}

}  // namespace

Header header_of(const Table& table, std::vector<std::string> kept, bool has_details) {
  Header header{std::move(kept), {}};
  for (const Column& column : table.columns) {
    const bool is_shown = has_details || !column.is_detail;
    header.columns.push_back(is_shown ? own_names(column) : std::vector<std::string>());
  }
  Taken taken;
  for (const bool is_users : {false, true}) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].is_users != is_users) continue;
      for (std::string& name : header.columns[c]) name = taken(std::move(name));
    }
  }
  for (std::string& name : header.kept) name = taken(std::move(name));
  return header;
}

void refuse_row(const RowSource& rows, std::size_t number) {
  if (number <= rows.last_row())
    throw InvalidInput(
        fmt::format("{}: row {} has a missing value or a level that the model does not know, so "
                    "that it has no result, expected --row with another row",
                    rows.name(), number));
  throw InvalidInput(fmt::format("{} has no row {}, expected --row with a number up to {}",
                                 rows.name(), number, rows.last_row()));
}

ModelChunk read_placed_rows(RowSource& rows, std::optional<std::size_t> only_row,
                            std::size_t features) {
  ModelChunk all;
  std::vector<double> values;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for_each_wanted_chunk(rows, only_row, default_chunk_rows(features),
                        tools::Progress::on_terminal("reading", false),
                        [&](std::size_t, const ModelChunk& chunk) {
                          append(values, chunk.rows.values());
                          append(all.numbers, chunk.numbers);
                          append(all.target, chunk.target);
                          append(all.unusable, chunk.unusable);
                          append(all.imputed, chunk.imputed);
                          all.kept.resize(std::max(all.kept.size(), chunk.kept.size()));
                          for (std::size_t c = 0; c < chunk.kept.size(); ++c)
                            append(all.kept[c], chunk.kept[c]);
                        });
  all.rows = Matrix(all.numbers.size(), features, std::move(values));
  return all;
}

}  // namespace bisector::cli
