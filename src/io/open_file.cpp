#include "io/open_file.h"

#include <cerrno>
#include <system_error>

#include "bisector/error.h"

namespace bisector {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
  throw FileError("cannot open " + path.string() + ": " + std::generic_category().message(code));
}

}  // namespace

std::ifstream open_input_file(const std::filesystem::path& path) {
  std::error_code ignored;
  // A directory opens without complaint and only fails when it is read.
  if (std::filesystem::is_directory(path, ignored)) fail(path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, errno == 0 ? EIO : errno);
  return file;
}

}  // namespace bisector
