#include "tools/platform/program.h"

#ifdef _WIN32
#include <process.h>
#else
#include <spawn.h>
#include <sys/wait.h>

extern "C" char** environ;  // not every unistd.h declares it
#endif

namespace bisector::tools {

bool run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
#ifdef _WIN32
  return ::_spawnvp(_P_WAIT, arguments[0], arguments.data()) == 0;
#else
  pid_t process = 0;
  if (::posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return false;
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#endif
}

}  // namespace bisector::tools
