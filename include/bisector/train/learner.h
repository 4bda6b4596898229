// The models that can be trained, each with its parameters, and the fit.
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

/// A kernel without its gamma, which is a parameter of the learner. The default is the Gaussian.
struct KernelChoice {
  KernelForm form = KernelForm::exponential;
  double shape = 1.0, offset = 0.0;  // if the form has them
  Distance distance = {};

  /// Throws InvalidModel as Kernel does.
  Kernel with_gamma(double gamma) const {
    return Kernel(KernelTerm{form, gamma, shape, 1.0, offset}, distance);
  }
  /// False for the plain dot product, where gamma has the same effect as the cost.
  bool has_gamma() const { return form != KernelForm::polynomial || shape != 1.0 || offset != 0.0; }
  bool operator==(const KernelChoice&) const = default;
};

/// C-SVC, one-vs-one for more than two classes.
struct SvmLearner {
  double gamma = 1.0, cost = 1.0;
  ClassWeight weight = ClassWeight::balanced;
  std::vector<double> class_weights = {};  // in the order of the labels, instead of `weight`
  KernelChoice kernel = {};
  bool operator==(const SvmLearner&) const = default;
};

/// Epsilon-SVR; errors up to `epsilon`, in the target's unit, cost nothing.
struct SvrLearner {
  double gamma = 1.0, cost = 1.0, epsilon = 0.1;
  KernelChoice kernel = {};
  bool operator==(const SvrLearner&) const = default;
};

/// One-class SVM; at most the fraction `nu` of the training rows is outside.
struct OneClassLearner {
  double gamma = 1.0, nu = 0.1;
  KernelChoice kernel = {};
  bool operator==(const OneClassLearner&) const = default;
};

/// k nearest neighbors: a vote for classes, a mean for numbers.
struct NeighborLearner {
  std::size_t k = 9;
  NeighborVote vote = {};
  bool operator==(const NeighborLearner&) const = default;
};

/// Kernel ridge regression: (K + lambda I) a = y - mean(y), with mean(y) as the intercept.
struct RidgeLearner {
  double gamma = 1.0, lambda = 1.0;
  KernelChoice kernel = {};
  bool operator==(const RidgeLearner&) const = default;
};

/// A detector by distances to neighbors. Its threshold puts the fraction `outliers` of the training
/// rows outside.
struct DetectorLearner {
  OutlierScore score = OutlierScore::kth_distance;
  std::size_t k = 9;
  double outliers = 0.1;
  Distance distance = {};
  bool operator==(const DetectorLearner&) const = default;
};

/// A kernel density with a level that puts the fraction `outliers` of the training rows outside.
/// The kernel must be a function of a distance.
struct DensityLearner {
  double gamma = 1.0, outliers = 0.1;
  KernelChoice kernel = {};
  bool operator==(const DensityLearner&) const = default;
};

using Learner = std::variant<SvmLearner, SvrLearner, OneClassLearner, NeighborLearner, RidgeLearner,
                             DetectorLearner, DensityLearner>;

/// Nothing (one-class, detectors), classes (SVM, neighbors) or numbers (SVR, kernel ridge,
/// neighbors), one per row.
using Target = std::variant<std::monostate, ClassTarget, std::vector<double>>;

/// Called with the iterations of LIBSVM's solver so far, from the thread that fits.
using IterationProgress = std::function<void(std::size_t iterations)>;

/// A fit, and the training row of each of its points, counted from 0.
struct FittedPredictor {
  Predictor predictor;
  std::vector<std::size_t> training_rows;
};

/// Fits to `rows` (NxD), which are not scaled: scale them first. Two-class models have the second
/// label of the target as positive class. LIBSVM trains the support vector machines, with its
/// default tolerance of 1e-3. Throws InvalidInput for parameters out of range and for a target that
/// does not fit the learner or the rows.
BISECTOR_EXPORT FittedPredictor fit_points(const Learner& learner, MatrixView<const double> rows,
                                           const Target& target, unsigned threads = 0,
                                           const IterationProgress& progress = {});
/// The same without the rows.
inline Predictor fit(const Learner& learner, MatrixView<const double> rows, const Target& target,
                     unsigned threads = 0, const IterationProgress& progress = {}) {
  return fit_points(learner, rows, target, threads, progress).predictor;
}

}  // namespace bisector
