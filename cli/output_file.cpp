#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "bisector/error.h"

namespace bisector::cli {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  throw FileError(fmt::format("cannot write {}{}", name, reason));
}

/// Makes an empty file that was not there before, with the permissions that any new file gets.
std::filesystem::path make_temporary(const std::filesystem::path& final, const std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::filesystem::path temporary = final;
    temporary += fmt::format(".{}-{}.tmp", ::getpid(), attempt);
    const int descriptor = ::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      ::close(descriptor);
      return temporary;
    }
    if (errno != EEXIST) break;
  }
  refuse(name);
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : name_(path), final_(path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    errno = EISDIR;
    refuse(name_.string());
  }
  if (std::filesystem::exists(status)) final_ = std::filesystem::canonical(path);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  temporary_ = final_;
  if (!is_special) {
    const SignalsHeld held;
    temporary_ = make_temporary(final_, name_.string());
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
  std::error_code ignored;
  if (temporary_ != final_) std::filesystem::remove(temporary_, ignored);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) refuse(name_.string());
  if (temporary_ == final_) return;
  if (std::rename(temporary_.c_str(), final_.c_str()) != 0) refuse(name_.string());
  temporary_ = final_;
}

Output::Output(const std::filesystem::path& path, std::ostream& standard)
    : standard_(standard), name_(path.string()) {
  if (path.empty() || path == "-")
    name_ = "to standard output";
  else
    file_.emplace(path);
}

void Output::check() {
  const bool failed_before = !stream();
  stream().flush();
  if (stream()) return;
  if (failed_before) {
    // Why is forgotten by now; one more write says it.
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
    throw FileError(fmt::format("cannot make {}: {}", folder.string(), problem.message()));
}

}  // namespace bisector::cli
