// What a project that uses bisector looks like: a model goes into a file, comes back and explains.
#include <bisector/bisector.h>

#include <cstdlib>
#include <iostream>

int main() {
  if (bisector::kVersion != PACKAGE_VERSION) {
    std::cerr << "the headers say version " << bisector::kVersion << ", the package says "
              << PACKAGE_VERSION << "\n";
    return EXIT_FAILURE;
  }
  const bisector::KernelMachine machine(bisector::Matrix(2, 3, {0, 0, 0, 1, 1, 1}), {1.0, -1.0},
                                        bisector::Kernel(/*gamma=*/0.5), /*intercept=*/0.0);
  const bisector::Model made(bisector::KernelClassifier::two_class(machine, "yes", "no"));
  bisector::write_bundle("model.npz", made);
  const bisector::Model model = bisector::read_model("model.npz");
  const bisector::Matrix rows(1, 3, {0.1, 0.2, 0.9});
  const bisector::Explanation explanation = bisector::explain(model, rows);
  std::cout << "g = " << explanation.g[0] << ", relevance of the last feature "
            << explanation.relevance(0, 2) << "\n";
  try {
    bisector::read_model("missing.npz");
  } catch (const bisector::FileError&) {  // thrown inside the library, caught outside
    // Nearer to the first point, but the last feature contradicts it.
    return explanation.g[0] > 0 && explanation.prediction[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  return EXIT_FAILURE;
}
