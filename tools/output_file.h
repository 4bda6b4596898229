// Where results go. A file gets its name only when it is complete: until then it has a temporary
// name in the same folder, which disappears with an error, an interrupt or, where the process was
// killed, the next run.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>

#include "tools/platform/temporary_file.h"
#include "tools/platform/unfinished_files.h"

namespace bisector::tools {

class OutputFile {
 public:
  /// Throws FileError where the file cannot be made. What is no regular file, such as /dev/null or
  /// a named pipe, is written directly.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Where the content goes for now, for those who write files by name.
  const std::filesystem::path& temporary() const { return temporary_; }
  std::ostream& stream() { return stream_; }
  /// False for what is no regular file.
  bool can_go_back() const { return temporary_ != final_; }
  /// Gives the file its name. Throws FileError when anything could not be written.
  void commit();

 private:
  void sync();

  std::filesystem::path name_;       // as the user wrote it, for errors
  std::filesystem::path final_;      // behind symbolic links
  std::filesystem::path temporary_;  // the same as final_ for what is no regular file
  std::optional<TemporaryFile> file_;
  std::ofstream stream_;
  std::optional<UnfinishedFile> unfinished_;
};

/// An empty path, "-", and the names that systems have for it, such as /dev/stdout.
bool is_standard_output(const std::filesystem::path& path);

/// A file, or `standard` for the names of standard output.
class Output {
 public:
  Output(const std::filesystem::path& path, std::ostream& standard);

  /// False for pipes, terminals and standard output, which may stand anywhere in a file.
  bool can_go_back() const { return file_ && file_->can_go_back(); }

  std::ostream& stream() { return file_ ? file_->stream() : standard_; }
  /// Throws FileError when what was written so far did not get through.
  void check();
  void commit();

 private:
  std::optional<OutputFile> file_;
  std::ostream& standard_;
  std::string name_;
};

/// With the folders above it. Throws FileError where that is not possible.
void make_folder(const std::filesystem::path& folder);

}  // namespace bisector::tools
