// The models that can be fitted here, each with its parameters, and the fit.
#pragma once

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/train/targets.h"

namespace bisector {

enum class ClassWeight {
  balanced,  // every class weighs the same: rows / (classes * rows of the class)
  none       // every row weighs the same
};

/// C-SVC with the Gaussian kernel, one-vs-one for more than two classes.
struct SvmLearner {
  double gamma = 1.0, cost = 1.0;
  ClassWeight weight = ClassWeight::balanced;
  std::vector<double> class_weights = {};  // in the order of the labels, instead of `weight`
  bool operator==(const SvmLearner&) const = default;
};

/// Epsilon-SVR; errors up to `epsilon`, in the target's unit, cost nothing.
struct SvrLearner {
  double gamma = 1.0, cost = 1.0, epsilon = 0.1;
  bool operator==(const SvrLearner&) const = default;
};

/// One-class SVM; at most the share `nu` of the training rows lies outside.
struct OneClassLearner {
  double gamma = 1.0, nu = 0.1;
  bool operator==(const OneClassLearner&) const = default;
};

/// k nearest neighbours.
struct NeighborLearner {
  std::size_t k = 9;
  bool operator==(const NeighborLearner&) const = default;
};

/// Kernel ridge regression: (K + lambda I) a = y - mean(y), with mean(y) as the intercept.
struct RidgeLearner {
  double gamma = 1.0, lambda = 1.0;
  bool operator==(const RidgeLearner&) const = default;
};

using Learner =
    std::variant<SvmLearner, SvrLearner, OneClassLearner, NeighborLearner, RidgeLearner>;

/// Nothing (one-class), classes (SVM, neighbours) or numbers (SVR, kernel ridge), one per row.
using Target = std::variant<std::monostate, ClassTarget, std::vector<double>>;

/// Called with the iterations of LIBSVM's solver so far, from the thread that fits.
using IterationProgress = std::function<void(std::size_t iterations)>;

/// Fits to `rows` (NxD), which are taken as they are: scale them first. Two-class models have the
/// second label of the target in pool P. LIBSVM does the support vector machines, to its usual
/// tolerance of 1e-3. Throws InvalidInput for parameters out of range and for a target that does
/// not fit the learner or the rows.
BISECTOR_EXPORT Predictor fit(const Learner& learner, MatrixView<const double> rows,
                              const Target& target, unsigned threads = 0,
                              const IterationProgress& progress = {});

}  // namespace bisector
