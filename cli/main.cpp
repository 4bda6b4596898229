#include <iostream>

#include "cli/run.h"
#include "cli/unfinished_files.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  bisector::cli::remove_unfinished_files_on_signals();
  return bisector::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
