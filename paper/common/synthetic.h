// Generated problems for the study of the rules' parameters (the paper's Note G): clusters of
// classes at the corners of a cube in the informative features, with redundant and useless features
// beside them, unequal classes and wrong labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/dataset.h"

namespace bisector::paper {

struct SyntheticOptions {
  std::size_t rows = 1000, features = 20;
  std::size_t informative = 5, redundant = 2;  // the rest is noise
  std::size_t classes = 2, clusters_per_class = 2;
  double positive_share = 0.5;  // of two classes; more have equal shares
  double wrong_labels = 0.01;   // fraction of labels that are drawn at random
  double separation = 1.0;      // half the side of the cube
  std::uint64_t seed = 0;
};

/// Throws InvalidInput unless the informative features have a corner for every cluster.
Dataset make_classification(const SyntheticOptions& options);

/// Number `index` of the study's problems, varied over all of these options.
SyntheticOptions study_problem(std::size_t index);

}  // namespace bisector::paper
