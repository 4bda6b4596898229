#include "io/common/system_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace bisector::io {

#ifdef _WIN32

namespace {

unsigned int at_once(std::span<char> to) {
  return static_cast<unsigned int>(
      std::min<std::size_t>(to.size(), std::numeric_limits<int>::max()));
}

}  // namespace

int open_for_reading(const std::filesystem::path& path) {
  return ::_wopen(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

void close_file(int descriptor) { ::_close(descriptor); }

std::ptrdiff_t read_some(int descriptor, std::span<char> to) {
  return ::_read(descriptor, to.data(), at_once(to));
}

std::ptrdiff_t read_some_at(int descriptor, std::uint64_t offset, std::span<char> to) {
  const auto before = ::_lseeki64(descriptor, 0, SEEK_CUR);
  if (before < 0 || ::_lseeki64(descriptor, static_cast<std::int64_t>(offset), SEEK_SET) < 0)
    return -1;
  const int got = ::_read(descriptor, to.data(), at_once(to));
  return ::_lseeki64(descriptor, before, SEEK_SET) < 0 ? -1 : got;
}

std::int64_t set_position(int descriptor, std::uint64_t offset) {
  return ::_lseeki64(descriptor, static_cast<std::int64_t>(offset), SEEK_SET);
}

std::int64_t position_of(int descriptor) { return ::_lseeki64(descriptor, 0, SEEK_CUR); }

std::optional<FileStatus> status_of(int descriptor) {
  struct _stat64 status;
  if (::_fstat64(descriptor, &status) != 0) return std::nullopt;
  return FileStatus{(status.st_mode & _S_IFMT) == _S_IFREG,
                    static_cast<std::uint64_t>(status.st_size)};
}

#else

namespace {

/// Repeats a system call that was interrupted by a signal.
template <class Call>
std::ptrdiff_t uninterrupted(Call call) {
  std::ptrdiff_t result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace

int open_for_reading(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

void close_file(int descriptor) { ::close(descriptor); }

std::ptrdiff_t read_some(int descriptor, std::span<char> to) {
  return uninterrupted([&] { return ::read(descriptor, to.data(), to.size()); });
}

std::ptrdiff_t read_some_at(int descriptor, std::uint64_t offset, std::span<char> to) {
  return uninterrupted(
      [&] { return ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset)); });
}

std::int64_t set_position(int descriptor, std::uint64_t offset) {
  return ::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET);
}

std::int64_t position_of(int descriptor) { return ::lseek(descriptor, 0, SEEK_CUR); }

std::optional<FileStatus> status_of(int descriptor) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return FileStatus{S_ISREG(status.st_mode), static_cast<std::uint64_t>(status.st_size)};
}

#endif

}  // namespace bisector::io
