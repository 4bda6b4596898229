// A temporary file in the folder of an output file, which later gets the name of that file.
#pragma once

#include <filesystem>
#include <optional>

namespace bisector::tools {

/// The file is locked while this object exists. An unlocked one was left by a killed process; the
/// next run that writes the same output reuses it.
class TemporaryFile {
 public:
  /// Makes an empty file "<final>.<number>.tmp" with the permissions of the file that it will
  /// replace, or else the usual ones. Throws std::system_error.
  explicit TemporaryFile(const std::filesystem::path& final);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes the content to the disk. Throws std::system_error.
  void sync() const;
  /// Renames it to `final` and replaces a file of that name. Throws std::system_error.
  void rename(const std::filesystem::path& final);

 private:
  void open(const std::filesystem::path& final);

  std::filesystem::path path_;
  std::optional<unsigned> permissions_;  // of the file to replace
  int descriptor_ = -1;
};

}  // namespace bisector::tools
