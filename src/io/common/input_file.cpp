#include "io/common/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "bisector/error.h"

namespace bisector::io {
namespace {

std::string system_reason() { return std::generic_category().message(errno); }

/// Repeats a system call that a signal cut short.
template <class Call>
ssize_t uninterrupted(Call call) {
  ssize_t result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace

// System calls instead of std::FILE: fread() would wait for a whole block from a slow pipe.
InputFile::InputFile(const std::filesystem::path& path)
    : source_(path == "-" ? "standard input" : path.string()),
      descriptor_(STDIN_FILENO),
      owned_(path != "-") {
  if (!owned_) return;
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw FileError(fmt::format("cannot open {}: {}", source_, system_reason()));
}

InputFile::~InputFile() {
  if (owned_) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : source_(std::move(other.source_)),
      descriptor_(other.descriptor_),
      owned_(std::exchange(other.owned_, false)) {}

void InputFile::fail() const {
  throw FileError(fmt::format("cannot read {}: {}", source_, system_reason()));
}

std::size_t InputFile::read(std::span<char> to) {
  const ssize_t got = uninterrupted([&] { return ::read(descriptor_, to.data(), to.size()); });
  if (got < 0) fail();
  return static_cast<std::size_t>(got);
}

void InputFile::read_exactly(std::span<char> to) {
  while (!to.empty()) {
    const std::size_t got = read(to);
    if (got == 0) throw FormatError(source_, 0, "the file ends early");
    to = to.subspan(got);
  }
}

void InputFile::read_exactly_at(std::uint64_t offset, std::span<char> to) {
  while (!to.empty()) {
    const ssize_t got = uninterrupted(
        [&] { return ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(offset)); });
    if (got < 0) fail();
    if (got == 0) throw FormatError(source_, 0, "the file ends early");
    offset += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

void InputFile::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail();
}

std::uint64_t InputFile::position() const {
  const off_t position = ::lseek(descriptor_, 0, SEEK_CUR);
  if (position < 0) fail();
  return static_cast<std::uint64_t>(position);
}

std::optional<double> InputFile::fraction_read() const {
  struct stat status;
  const off_t place = ::lseek(descriptor_, 0, SEEK_CUR);
  if (place < 0 || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  // A file may shrink while it is read.
  if (place >= status.st_size) return 1.0;
  return static_cast<double>(place) / static_cast<double>(status.st_size);
}

std::uint64_t InputFile::size() const {
  struct stat status;
  if (::fstat(descriptor_, &status) != 0) fail();
  if (!S_ISREG(status.st_mode))
    throw FileError(fmt::format("cannot read {}: expected a regular file", source_));
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace bisector::io
