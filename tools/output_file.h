// Output files. A file gets its name when it is complete. Until then it has a temporary name in the
// same folder, which is removed after an error or an interrupt; after a kill, the next run removes
// it.
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
  /// Throws FileError if the file cannot be made. A path that is not a regular file, such as
  /// /dev/null or a named pipe, is written directly.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }
  /// False for pipes and devices.
  bool can_go_back() const { return temporary_ != final_; }
  /// Gives the file its name. Throws FileError if a write failed.
  void commit();

 private:
  void sync();

  std::filesystem::path name_;       // as the user typed it, for errors
  std::filesystem::path final_;      // symbolic links resolved
  std::filesystem::path temporary_;  // equal to final_ for pipes and devices
  std::optional<TemporaryFile> file_;
  std::ofstream stream_;
  std::optional<UnfinishedFile> unfinished_;
};

/// True for an empty path, "-", and names of the system such as /dev/stdout.
bool is_standard_output(const std::filesystem::path& path);

/// A file, or the stream `standard` for names of standard output.
class Output {
 public:
  Output(const std::filesystem::path& path, std::ostream& standard);

  /// False for pipes, terminals and standard output.
  bool can_go_back() const { return file_ && file_->can_go_back(); }

  std::ostream& stream() { return file_ ? file_->stream() : standard_; }
  /// Throws FileError if a write failed so far.
  void check();
  void commit();

 private:
  std::optional<OutputFile> file_;
  std::ostream& standard_;
  std::string name_;
};

/// Makes the folder and its parents. Throws FileError.
void make_folder(const std::filesystem::path& folder);

}  // namespace bisector::tools
