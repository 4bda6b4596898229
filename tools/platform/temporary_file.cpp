#include "tools/platform/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#ifdef _WIN32
#include <io.h>
#else
#include <sys/file.h>
#include <unistd.h>
#endif

namespace bisector::tools {
namespace {

constexpr int kMaxAtOnce = 100;  // processes that write the same output at once

#ifdef _WIN32

int make(const std::filesystem::path& path) {
  return ::_wopen(path.c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY | _O_NOINHERIT,
                  _S_IREAD | _S_IWRITE);
}

/// Windows does not remove open files, so a file that can be removed was left by another process.
int take_over(const std::filesystem::path& path) {
  return ::_wunlink(path.c_str()) == 0 ? make(path) : -1;
}

bool lock_new(int, const std::filesystem::path&) { return true; }
void close_file(int descriptor) { ::_close(descriptor); }
int bring_to_disk(int descriptor) { return ::_commit(descriptor); }
std::optional<unsigned> permissions_of(const std::filesystem::path&) { return std::nullopt; }
void set_permissions(int, unsigned) {}

#else

/// True if the descriptor is still the regular file of this name, is ours and has no other name.
bool is_own_file(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino &&
         S_ISREG(opened.st_mode) && opened.st_nlink == 1 && opened.st_uid == ::geteuid();
}

/// Makes a new file; -1 if the name exists.
int make(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
}

/// Reuses a file that no process writes any more; -1 if there is none.
int take_over(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_own_file(descriptor, path) &&
      ::ftruncate(descriptor, 0) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

/// Another process may take the file between creation and locking. A file system without locks
/// keeps files of killed processes.
bool lock_new(int descriptor, const std::filesystem::path& path) {
  const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  return is_locked && is_own_file(descriptor, path);
}

void close_file(int descriptor) { ::close(descriptor); }
int bring_to_disk(int descriptor) { return ::fsync(descriptor); }

/// The permissions of a file that will be replaced; nothing if there is none.
std::optional<unsigned> permissions_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return status.st_mode & 07777u;
}
void set_permissions(int descriptor, unsigned permissions) {
  // A file system without permissions refuses, and has nothing to keep.
  [[maybe_unused]] const int ignored = ::fchmod(descriptor, static_cast<mode_t>(permissions));
}

#endif

}  // namespace

TemporaryFile::TemporaryFile(const std::filesystem::path& final)
    : permissions_(permissions_of(final)) {
  constexpr unsigned kOwnWriting = 0200;
  open(final);
  if (permissions_) set_permissions(descriptor_, *permissions_ | kOwnWriting);
}

void TemporaryFile::open(const std::filesystem::path& final) {
  for (int number = 0; number < kMaxAtOnce; ++number) {
    path_ = final;
    path_ += fmt::format(".{}.tmp", number);
    descriptor_ = make(path_);
    if (descriptor_ >= 0) {
      if (lock_new(descriptor_, path_)) return;
      close_file(descriptor_);
    } else if (errno == EEXIST) {
      descriptor_ = take_over(path_);
      if (descriptor_ >= 0) return;
    } else {
      throw std::system_error(errno, std::generic_category());
    }
  }
  throw std::system_error(EEXIST, std::generic_category());
}

void TemporaryFile::sync() const {
  if (bring_to_disk(descriptor_) != 0) throw std::system_error(errno, std::generic_category());
}

void TemporaryFile::rename(const std::filesystem::path& final) {
  if (permissions_) set_permissions(descriptor_, *permissions_);
#ifdef _WIN32
  // Windows can neither rename nor replace an open file.
  close_file(descriptor_);
  descriptor_ = -1;
#endif
  std::filesystem::rename(path_, final);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close_file(descriptor_);
}

}  // namespace bisector::tools
