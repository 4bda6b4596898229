#include <iostream>

#include "cli/run.h"
#include "tools/platform/machine.h"
#include "tools/platform/unfinished_files.h"

int main(int argc, char** argv) {
  bisector::tools::reopen_standard_streams();
  std::ios::sync_with_stdio(false);
  bisector::tools::remove_unfinished_files_on_signals();
  return bisector::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
