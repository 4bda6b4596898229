// The arrays of an .npz file by name, each read on demand with the type and shape that the caller
// expects. Type, shape and the entry's real size are checked before memory is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/limits.h"
#include "bisector/matrix.h"
#include "io/arrays/npy.h"
#include "io/arrays/zip_archive.h"

namespace bisector::io {

/// Every function throws FormatError, with file and array, if the array is missing or has another
/// type or shape.
class BundleArrays {
 public:
  /// Throws FileError or FormatError; the archive must be within its limits and every entry an
  /// array, "name.npy".
  BundleArrays(const std::filesystem::path& path, const Limits& limits);

  const std::string& source() const { return archive_.source(); }
  const Limits& limits() const { return limits_; }
  /// Names in the order of the file, without ".npy".
  const std::vector<std::string>& names() const { return names_; }
  bool has(std::string_view name) const;

  /// Two dimensions; matrix_or_row() also accepts one dimension as a single row.
  Matrix matrix(std::string_view name) const;
  Matrix matrix_or_row(std::string_view name) const;
  /// One dimension. All numbers are finite.
  std::vector<double> vector(std::string_view name) const;
  /// A single finite number; optional_scalar() is empty if the array does not exist.
  double scalar(std::string_view name) const;
  std::optional<double> optional_scalar(std::string_view name) const;
  /// Non-negative integers of any integer type.
  std::vector<std::size_t> counts(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  /// One dimension of text, or of numbers, which become their shortest text.
  std::vector<std::string> labels(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  /// A single text of at most `longest` characters.
  std::string text(std::string_view name, std::size_t longest) const;

  [[noreturn]] void fail(std::string_view name, std::string_view problem) const;

 private:
  /// An array whose header is read and fits the entry's size.
  struct Open {
    ZipEntry entry;
    NpyHeader header;
  };

  std::string title(std::string_view name) const;
  Open open(std::string_view name) const;
  Open open_shaped(std::string_view name, std::size_t dimensions) const;
  Open open_names(std::string_view name) const;
  std::vector<double> numbers(std::string_view name, Open& array) const;
  std::vector<std::size_t> whole_numbers(std::string_view name, Open& array) const;
  Matrix rectangle(std::string_view name, Open& array) const;
  std::string bytes(Open& array) const;

  Limits limits_;
  std::uint64_t file_size_;  // read first: only regular files have a size
  ZipArchive archive_;
  std::vector<std::string> names_;
};

}  // namespace bisector::io
