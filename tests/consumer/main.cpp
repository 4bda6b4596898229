#include <cstdlib>
#include <iostream>

#include "bisector/kernel_machine.h"
#include "bisector/model.h"
#include "bisector/version.h"

int main() {
  if (bisector::kVersion != PACKAGE_VERSION) {
    std::cerr << "the headers say version " << bisector::kVersion << ", the package says "
              << PACKAGE_VERSION << "\n";
    return EXIT_FAILURE;
  }
  const bisector::KernelMachine machine(bisector::Matrix(2, 3, {0, 0, 0, 1, 1, 1}), {1.0, -1.0},
                                        /*gamma=*/0.5, /*intercept=*/0.0);
  const bisector::Model model(bisector::KernelClassifier::two_class(machine, "yes", "no"));
  std::cout << model.features() << " features\n";
  return model.features() == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
