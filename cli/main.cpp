#include <iostream>

#include "cli/run.h"
#include "cli/standard_streams.h"
#include "cli/unfinished_files.h"

int main(int argc, char** argv) {
  bisector::cli::reopen_standard_streams();
  std::ios::sync_with_stdio(false);
  bisector::cli::remove_unfinished_files_on_signals();
  return bisector::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
