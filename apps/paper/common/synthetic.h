// Generated problems. For the study of the rules' parameters (the paper's Note G): clusters of
// classes at the corners of a cube in the informative features, with redundant and useless features
// beside them, unequal classes and wrong labels. For truth: sums of known effects.
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

/// y = sum over d of f_d(x_d): two linear effects, two that saturate, a square, a wave, and two
/// features without any. x is standard normal, every pair with the same correlation.
struct AdditiveProblem {
  static constexpr std::size_t kFeatures = 8;

  Matrix rows, effects;        // rows x features; effects have mean zero, as x is drawn
  std::vector<double> target;  // with noise of standard deviation 0.1

  /// Two classes: above the median or not.
  Dataset dataset() const;
};
AdditiveProblem make_additive(std::size_t rows, double correlation, std::uint64_t seed);

/// Numbers of other shapes, with noise. Bumps: Gaussian hills and hollows, narrow and wide, at
/// random rows, in normal features with the correlation. Products: Friedman's first function, 10
/// sin(pi x_0 x_1) + 20 (x_2 - 1/2)^2 + 10 x_3 + 5 x_4, and as many features without effect, all
/// uniform (Friedman: "Multivariate Adaptive Regression Splines", Annals of Statistics 19, 1991).
struct NumberOptions {
  std::size_t rows = 1000, features = 8;  // of the bumps
  double correlation = 0.0;               // of the bumps
  double noise = 0.1;                     // in standard deviations of the target without noise
  std::uint64_t seed = 0;
};
Dataset make_bumps(const NumberOptions& options);
Dataset make_products(const NumberOptions& options);

/// Normal rows with the correlation, some of which have two features displaced by three to five
/// deviations: their effects on being usual are -displacement^2 / 2, the others' zero.
struct DisplacedProblem {
  Matrix usual;          // training rows
  Matrix rows, effects;  // displaced
};
DisplacedProblem make_displaced(std::size_t usual, std::size_t displaced, double correlation,
                                std::uint64_t seed);

}  // namespace bisector::paper
