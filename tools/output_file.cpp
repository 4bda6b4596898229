#include "tools/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "bisector/error.h"

namespace bisector::tools {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  throw FileError(fmt::format("cannot write {}{}", name, reason));
}

/// Names of this process's descriptors, such as /dev/fd/1; renaming would replace them.
bool is_open_already(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  return folder == "/dev/fd" || folder == "/proc/self/fd" || path == "/dev/stdout" ||
         path == "/dev/stderr";
}

}  // namespace

bool is_standard_output(const std::filesystem::path& path) {
  return path.empty() || path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" ||
         path == "/proc/self/fd/1";
}

OutputFile::OutputFile(const std::filesystem::path& path) : name_(path), final_(path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    errno = EISDIR;
    refuse(name_.string());
  }
  const bool is_special = is_open_already(path) || (std::filesystem::exists(status) &&
                                                    !std::filesystem::is_regular_file(status));
  // The link to a pipe of this process has a target that is not a path.
  if (std::filesystem::exists(status) && !is_special) final_ = std::filesystem::canonical(path);
  temporary_ = final_;
  if (!is_special) {
    const SignalsHeld held;
    try {
      file_.emplace(final_);
    } catch (const std::system_error& error) {
      errno = error.code().value();
      refuse(name_.string());
    }
    temporary_ = file_->path();
    unfinished_.emplace(temporary_.string());
  }
  errno = 0;
  stream_.open(temporary_, std::ios::binary);
  if (stream_) return;
  const int reason = errno;
  if (!is_special) std::filesystem::remove(temporary_, ignored);
  errno = reason;
  refuse(name_.string());
}

OutputFile::~OutputFile() {
  stream_.close();
  if (temporary_ == final_) return;
  const SignalsHeld held;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
  unfinished_.reset();
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) refuse(name_.string());
  if (temporary_ == final_) return;
  sync();
  // Another process may use the name as soon as it is free, so no signal may remove it then.
  const SignalsHeld held;
  try {
    file_->rename(final_);
  } catch (const std::system_error& error) {
    errno = error.code().value();
    refuse(name_.string());
  }
  temporary_ = final_;
  unfinished_.reset();
}

/// A file system may rename before it writes; without this a power failure could leave an empty
/// file under the final name.
void OutputFile::sync() {
  try {
    file_->sync();
  } catch (const std::system_error& error) {
    errno = error.code().value();
    refuse(name_.string());
  }
}

Output::Output(const std::filesystem::path& path, std::ostream& standard)
    : standard_(standard), name_(path.string()) {
  if (is_standard_output(path))
    name_ = "to standard output";
  else
    file_.emplace(path);
}

void Output::check() {
  const bool failed_before = !stream();
  stream().flush();
  if (stream()) return;
  if (failed_before) {
    // The reason of the failure is lost; one more write gives it.
    stream().clear();
    errno = 0;
    stream().put('\n').flush();
  }
  refuse(name_);
}

void Output::commit() {
  check();
  if (file_) file_->commit();
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw FileError(
        fmt::format("cannot make the folder {}: {}", folder.string(), problem.message()));
}

}  // namespace bisector::tools
