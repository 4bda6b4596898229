// What a project that uses the core alone looks like: a model from its own numbers, no files.
#include <bisector/error.h>
#include <bisector/explain.h>

#include <cstdlib>
#include <iostream>

int main() {
  const bisector::KernelMachine machine(bisector::Matrix(2, 3, {0, 0, 0, 1, 1, 1}), {1.0, -1.0},
                                        bisector::Kernel(/*gamma=*/0.5), /*intercept=*/0.0);
  const bisector::Model model(bisector::KernelClassifier::two_class(machine, "yes", "no"));
  const bisector::Matrix rows(1, 3, {0.1, 0.2, 0.9});
  const bisector::Explanation explanation = bisector::explain(model, rows);
  std::cout << "g = " << explanation.g[0] << ", relevance of the last feature "
            << explanation.relevance(0, 2) << "\n";
  // Nearer to the first point, but the last feature contradicts it.
  const bool holds = explanation.g[0] > 0 && explanation.relevance(0, 2) < 0;
  try {
    bisector::explain(model, bisector::Matrix(1, 2));
  } catch (const bisector::InvalidInput&) {  // thrown inside the library, caught outside
    return holds && explanation.prediction[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  return EXIT_FAILURE;
}
