#include <iostream>

#include "apps/molecules/command/command.h"
#include "tools/platform/machine.h"
#include "tools/platform/unfinished_files.h"

int main(int argc, char** argv) {
  bisector::tools::reopen_standard_streams();
  std::ios::sync_with_stdio(false);
  bisector::tools::remove_unfinished_files_on_signals();
  return bisector::molecules::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
