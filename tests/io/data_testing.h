// What the tests of the data readers share.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "io/temp_file.h"

namespace bisector {

/// Everything that read() delivers in chunks of `chunk_rows`.
inline DataChunk read_in_chunks(DataReader& reader, std::size_t chunk_rows) {
  std::vector<double> values;
  DataChunk all;
  std::size_t rows = 0, columns = 0;
  while (true) {
    DataChunk chunk = reader.read(chunk_rows);
    columns = chunk.numbers.cols();
    all.text.resize(chunk.text.size());
    if (chunk.rows() == 0) break;
    EXPECT_LE(chunk.rows(), chunk_rows);
    rows += chunk.rows();
    values.insert(values.end(), chunk.numbers.values().begin(), chunk.numbers.values().end());
    for (std::size_t i = 0; i < chunk.text.size(); ++i) {
      EXPECT_EQ(chunk.text[i].size(), chunk.rows());
      all.text[i].insert(all.text[i].end(), chunk.text[i].begin(), chunk.text[i].end());
    }
  }
  all.numbers = Matrix(rows, columns, std::move(values));
  return all;
}

/// Reads a whole file of the given name and content.
inline DataChunk read_content(const std::string& name, std::string_view content,
                              const ColumnSelection& selection, const DataFormat& format = {}) {
  const TempFile file(name, content);
  const auto reader = open_data(file.path(), format);
  reader->select(selection);
  return read_all(*reader);
}

/// The same with every column as numbers.
inline Matrix read_numbers(const std::string& name, std::string_view content,
                           const DataFormat& format = {}) {
  const TempFile file(name, content);
  return read_all(*open_data(file.path(), format)).numbers;
}

/// What `action` throws, which must be an `Error`; file names without their folder.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    std::string message = error.what();
    for (auto at = message.find(testing::TempDir()); at != std::string::npos;
         at = message.find(testing::TempDir())) {
      const auto folder_end = message.find('/', at + testing::TempDir().size());
      message.erase(at, folder_end + 1 - at);
    }
    return message;
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no error";
}

/// The error of reading every column of such a file as numbers.
inline std::string format_error(const std::string& name, std::string_view content,
                                const DataFormat& format = {}) {
  return message_of<FormatError>([&] { read_numbers(name, content, format); });
}

inline Matrix matrix(const std::vector<std::vector<double>>& rows) {
  Matrix result(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) result(r, c) = rows[r][c];
  return result;
}

}  // namespace bisector
