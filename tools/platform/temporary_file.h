// A file beside another one, to be written until it can take that one's name.
#pragma once

#include <filesystem>

namespace bisector::tools {

/// While this exists the file is locked, so that nobody else takes it for one that a killed process
/// left behind. Such a file is used again: the next run that writes the same output clears it away.
class TemporaryFile {
 public:
  /// An empty file "<final>.<number>.tmp", with the permissions that any new file gets. Throws
  /// std::system_error where there can be none.
  explicit TemporaryFile(const std::filesystem::path& final);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Brings the content to the disk. Throws std::system_error where it does not get there.
  void sync() const;
  /// Gives it the name `final`, in place of what has that name. Throws std::system_error.
  void rename(const std::filesystem::path& final);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace bisector::tools
