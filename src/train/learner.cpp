#include "bisector/train/learner.h"

#include <algorithm>
#include <numeric>

#include "bisector/error.h"
#include "core/models/checks.h"
#include "core/models/model_fields.h"
#include "train/detectors.h"
#include "train/gram.h"
#include "train/requirements.h"
#include "train/ridge.h"
#include "train/svm_training.h"

namespace bisector {

using namespace detail;

namespace {

std::vector<std::size_t> all_rows(std::size_t rows) {
  std::vector<std::size_t> indices(rows);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

Matrix copied(MatrixView<const double> rows) { return gather_rows(rows, all_rows(rows.rows())); }

/// The rows of the support vectors in LIBSVM's order: by class, and within a class as in the
/// problem.
std::vector<std::size_t> support_rows(const svm_model& model, const SvmProblem& problem) {
  std::vector<std::size_t> vectors;
  for (int n = 0; n < model.l; ++n)
    vectors.push_back(problem.samples[static_cast<std::size_t>(model.sv_indices[n] - 1)]);
  return vectors;
}

KernelClassifier classifier(const svm_model& model, const SvmProblem& problem,
                            MatrixView<const double> rows, const Kernel& kernel,
                            const std::vector<std::string>& labels) {
  const std::size_t classes = labels.size(), points = static_cast<std::size_t>(model.l);
  std::vector<std::size_t> points_per_class;
  std::vector<std::string> model_labels;
  for (std::size_t c = 0; c < classes; ++c) {
    points_per_class.push_back(static_cast<std::size_t>(model.nSV[c]));
    model_labels.push_back(labels[static_cast<std::size_t>(model.label[c])]);
  }
  Matrix coefficients(classes - 1, points);
  for (std::size_t row = 0; row + 1 < classes; ++row)
    std::copy_n(model.sv_coef[row], points, coefficients.row(row).begin());
  std::vector<double> intercepts(model.rho, model.rho + classes * (classes - 1) / 2);
  for (double& value : intercepts) value = -value;
  return KernelClassifier(gather_rows(rows, support_rows(model, problem)),
                          std::move(points_per_class), std::move(coefficients),
                          std::move(intercepts), kernel, std::move(model_labels));
}

KernelMachine machine(const svm_model& model, const SvmProblem& problem,
                      MatrixView<const double> rows, const Kernel& kernel) {
  return KernelMachine(gather_rows(rows, support_rows(model, problem)),
                       std::vector<double>(model.sv_coef[0], model.sv_coef[0] + model.l), kernel,
                       -model.rho[0]);
}

/// Fits a learner to rows that were checked.
struct Fit {
  using Fitted = FittedPredictor;
  MatrixView<const double> rows;
  const Target& target;
  unsigned threads;
  const IterationProgress& progress;

  Fitted operator()(const SvmLearner& learner) const {
    const ClassTarget& classes = require_classes(target, rows.rows());
    require_class_weights(learner, classes);
    const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
    const SvmSamples samples = samples_of(learner, kernel);
    const SvmProblem problem = class_problem(classes, all_rows(rows.rows()));
    const SvmModel model = train_svm(samples, problem, learner, progress);
    return {classifier(*model, problem, rows, kernel, classes.labels),
            support_rows(*model, problem)};
  }

  Fitted operator()(const SvrLearner& learner) const {
    const std::vector<double>& numbers = require_numbers(target, rows.rows());
    const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
    const SvmSamples samples = samples_of(learner, kernel);
    const SvmProblem problem = number_problem(numbers, all_rows(rows.rows()));
    const SvmModel model = train_svm(samples, problem, learner, progress);
    if (model->l == 0)
      throw InvalidInput(
          "no row became a support vector, because all targets are within epsilon of one value: "
          "use "
          "a smaller epsilon");
    const double mean =
        std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
    return {KernelRegressor{machine(*model, problem, rows, kernel), mean},
            support_rows(*model, problem)};
  }

  Fitted operator()(const OneClassLearner& learner) const {
    require_no_target(target);
    const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
    const SvmSamples samples = samples_of(learner, kernel);
    const SvmProblem problem{all_rows(rows.rows()), std::vector<double>(rows.rows(), 1.0)};
    const SvmModel model = train_svm(samples, problem, learner, progress);
    return {OneClassMachine{machine(*model, problem, rows, kernel)}, support_rows(*model, problem)};
  }

  Fitted operator()(const NeighborLearner& learner) const {
    if (std::holds_alternative<std::vector<double>>(target))
      return of_all_rows(NeighborRegressor(copied(rows), require_numbers(target, rows.rows()),
                                           learner.k, learner.vote));
    const ClassTarget& classes = require_classes(target, rows.rows());
    return of_all_rows(
        NeighborModel(copied(rows), classes.classes, classes.labels, learner.k, learner.vote));
  }

  Fitted operator()(const RidgeLearner& learner) const {
    const std::vector<double>& numbers = require_numbers(target, rows.rows());
    const Kernel kernel = learner.kernel.with_gamma(learner.gamma);
    RidgeFit fitted =
        fit_ridge(gram_matrix(kernel_arguments(rows, kernel, threads), kernel, threads), numbers,
                  learner.lambda);
    return of_all_rows(KernelRegressor{
        KernelMachine(copied(rows), std::move(fitted.coefficients), kernel, fitted.mean),
        fitted.mean});
  }

  Fitted operator()(const DetectorLearner& learner) const {
    require_no_target(target);
    return of_all_rows(fit_detector(learner, copied(rows), threads));
  }

  Fitted operator()(const DensityLearner& learner) const {
    require_no_target(target);
    return of_all_rows(fit_density(learner, copied(rows), threads));
  }

 private:
  Fitted of_all_rows(Predictor predictor) const {
    return {std::move(predictor), all_rows(rows.rows())};
  }
  template <class AnyLearner>
  SvmSamples samples_of(const AnyLearner& learner, const Kernel& kernel) const {
    return svm_samples(rows, kernel, takes_gram(learner.kernel, rows.rows()), threads);
  }
};

}  // namespace

FittedPredictor fit_points(const Learner& learner, MatrixView<const double> rows,
                           const Target& target, unsigned threads,
                           const IterationProgress& progress) {
  require_points(rows, "training rows");
  require_parameters(learner, rows.rows());
  return std::visit(Fit{rows, target, threads, progress}, learner);
}

}  // namespace bisector
