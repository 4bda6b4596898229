// Reads a CSV file of a study: text cells by column name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bisector::paper {

class ResultFile {
 public:
  /// Throws FileError and FormatError as open_data does.
  explicit ResultFile(const std::filesystem::path& path);

  std::size_t rows() const { return rows_; }
  /// Throws InvalidInput for a missing column.
  const std::string& text(std::size_t row, const std::string& column) const;
  /// Throws InvalidInput for a cell that is not a number.
  double number(std::size_t row, const std::string& column) const;
  bool is_empty(std::size_t row, const std::string& column) const;

 private:
  std::string source_;
  std::map<std::string, std::vector<std::string>> columns_;
  std::size_t rows_ = 0;
};

}  // namespace bisector::paper
