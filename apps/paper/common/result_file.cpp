#include "common/result_file.h"

#include <fmt/format.h>

#include <numeric>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "bisector/table_encoding.h"

namespace bisector::paper {

ResultFile::ResultFile(const std::filesystem::path& path) : source_(path.string()) {
  DataFormat format;
  format.kind = DataFormat::Kind::csv;
  format.delimiter = ',';
  format.header = DataFormat::Header::yes;
  const auto reader = open_data(path, format);
  std::vector<std::size_t> all(reader->columns());
  std::iota(all.begin(), all.end(), std::size_t{0});
  reader->select({{}, all});
  DataChunk chunk = read_all(*reader);
  for (std::size_t c = 0; c < all.size(); ++c)
    columns_[reader->names()[c]] = std::move(chunk.text[c]);
  rows_ = chunk.rows();
}

const std::string& ResultFile::text(std::size_t row, const std::string& column) const {
  const auto found = columns_.find(column);
  if (found == columns_.end())
    throw InvalidInput(fmt::format("{} has no column \"{}\"", source_, column));
  return found->second.at(row);
}

double ResultFile::number(std::size_t row, const std::string& column) const {
  const std::string& cell = text(row, column);
  const auto value = parse_number(cell);
  if (!value)
    throw InvalidInput(fmt::format("{}:{}: \"{}\" in column {}, expected a number", source_,
                                   row + 2, cell, column));
  return *value;
}

bool ResultFile::is_empty(std::size_t row, const std::string& column) const {
  return text(row, column).empty();
}

}  // namespace bisector::paper
