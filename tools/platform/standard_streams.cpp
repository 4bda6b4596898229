#include "tools/platform/standard_streams.h"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#endif

namespace bisector::tools {

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
