#include "tools/platform/machine.h"

#include <cerrno>
#include <initializer_list>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

namespace bisector::tools {
namespace {

bool is_terminal(int stream) {
#ifdef _WIN32
  return ::_isatty(stream) != 0;
#else
  return ::isatty(stream) != 0;
#endif
}

}  // namespace

bool is_output_a_terminal() { return is_terminal(1); }
bool is_error_a_terminal() { return is_terminal(2); }

void reopen_standard_streams() {
#ifndef _WIN32  // there no file gets the number of a closed stream
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // open() takes the lowest free number, which is this one.
    if (::open("/dev/null", O_RDONLY) != stream) return;
  }
#endif
}

}  // namespace bisector::tools
