#include "tools/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace bisector::tools {
namespace {

constexpr int kMaxAtOnce = 100;  // processes that write the same output

/// Is it still the file of this name, an ordinary one of ours, with no other name?
bool is_own_file(int descriptor, const char* path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path, &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
         S_ISREG(opened.st_mode) && opened.st_nlink == 1 && opened.st_uid == ::geteuid();
}

/// A file that was not there before; -1 where there is one.
int make(const char* path) { return ::open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666); }

/// A file that is there and that nobody writes any more; -1 where there is none.
int take_over(const char* path) {
  const int descriptor = ::open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_own_file(descriptor, path) &&
      ::ftruncate(descriptor, 0) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

TemporaryFile::TemporaryFile(const std::filesystem::path& final) {
  for (int number = 0; number < kMaxAtOnce; ++number) {
    path_ = final;
    path_ += fmt::format(".{}.tmp", number);
    descriptor_ = make(path_.c_str());
    if (descriptor_ >= 0) {
      // Between the two calls somebody may have taken it over. A file system without locks keeps
      // what was left behind.
      const bool is_locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
      if (is_locked && is_own_file(descriptor_, path_.c_str())) return;
      ::close(descriptor_);
    } else if (errno == EEXIST) {
      descriptor_ = take_over(path_.c_str());
      if (descriptor_ >= 0) return;
    } else {
      throw std::system_error(errno, std::generic_category());
    }
  }
  throw std::system_error(EEXIST, std::generic_category());
}

void TemporaryFile::sync() const {
  if (::fsync(descriptor_) != 0) throw std::system_error(errno, std::generic_category());
}

TemporaryFile::~TemporaryFile() { ::close(descriptor_); }

}  // namespace bisector::tools
