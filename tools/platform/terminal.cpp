#include "tools/platform/terminal.h"

#ifdef _WIN32
#include <io.h>
#else
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

}  // namespace bisector::tools
