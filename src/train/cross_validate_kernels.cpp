#include "core/util/parallel.h"
#include "train/cross_validate.h"
#include "train/gram.h"
#include "train/ridge.h"
#include "train/svm_training.h"

namespace bisector::detail {

namespace {

SvmProblem problem_of(const ClassTarget& target, const Fold& fold) {
  return class_problem(target, fold.training);
}
SvmProblem problem_of(const std::vector<double>& target, const Fold& fold) {
  return number_problem(target, fold.training);
}

/// The class, the number, or for AUC the decision value of the second class.
double svm_prediction(const svm_model& model, const svm_node* row, TuneScore score) {
  if (score != TuneScore::auc) return svm_predict(&model, row);
  double value = 0.0;
  svm_predict_values(&model, row, &value);
  // LIBSVM's value is positive for its first label.
  return model.label[0] == 1 ? value : -value;
}

/// The samples for one gamma after another, in the same memory.
class SamplesByGamma {
 public:
  SamplesByGamma(MatrixView<const double> rows, const KernelChoice& choice, unsigned threads)
      : rows_(rows),
        choice_(choice),
        takes_gram_(takes_gram(choice, rows.rows())),
        threads_(threads) {
    if (takes_gram_) arguments_ = kernel_arguments(rows, choice.with_gamma(1.0), threads);
  }

  const SvmSamples& operator()(double gamma) {
    const Kernel kernel = choice_.with_gamma(gamma);
    if (!takes_gram_)
      samples_ = SvmSamples::features(rows_, kernel);
    else if (!samples_)
      samples_ = SvmSamples::gram(arguments_, kernel, threads_);
    else
      samples_->refill(arguments_, kernel, threads_);
    return *samples_;
  }

 private:
  MatrixView<const double> rows_;
  const KernelChoice& choice_;
  bool takes_gram_;
  unsigned threads_;
  Matrix arguments_;
  std::optional<SvmSamples> samples_;
};

template <class AnyLearner, class AnyTarget>
Matrix cross_validate_svm(const AnyLearner& learner, MatrixView<const double> rows,
                          const AnyTarget& target, std::span<const Fold> folds,
                          const TuneOptions& options, std::span<const double> gammas,
                          std::span<const double> costs) {
  Matrix scores(gammas.size() * costs.size(), folds.size());
  Progress progress(options.progress, scores.values().size());
  SamplesByGamma samples_by_gamma(rows, learner.kernel, options.threads);
  for (std::size_t g = 0; g < gammas.size(); ++g) {
    const SvmSamples& samples = samples_by_gamma(gammas[g]);
    util::parallel_for(costs.size() * folds.size(), options.threads, [&] {
      return [&](std::size_t task) {
        // Large costs take longest. They go first, so that no thread ends with a long task.
        const std::size_t cost = costs.size() - 1 - task / folds.size();
        const std::size_t fold = task % folds.size();
        AnyLearner trial = learner;
        trial.cost = costs[cost];
        const SvmModel model = train_svm(samples, problem_of(target, folds[fold]), trial);
        scores(g * costs.size() + cost, fold) = fold_score_of(
            target, folds[fold], options.score,
            [&](std::size_t row) { return svm_prediction(*model, samples[row], options.score); });
        progress.step();
      };
    });
  }
  return scores;
}

}  // namespace

Matrix cross_validate(const SvmLearner& learner, MatrixView<const double> rows,
                      const ClassTarget& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> costs) {
  return cross_validate_svm(learner, rows, target, folds, options, gammas, costs);
}

Matrix cross_validate(const SvrLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> costs) {
  return cross_validate_svm(learner, rows, target, folds, options, gammas, costs);
}

Matrix cross_validate(const RidgeLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> lambdas) {
  Matrix scores(gammas.size() * lambdas.size(), folds.size());
  Progress progress(options.progress, scores.values().size());
  const Matrix arguments = kernel_arguments(rows, learner.kernel.with_gamma(1.0), options.threads);
  for (std::size_t g = 0; g < gammas.size(); ++g) {
    const Matrix gram =
        gram_matrix(arguments, learner.kernel.with_gamma(gammas[g]), options.threads);
    // Sequential, because the factorization uses all threads.
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      for (std::size_t f = 0; f < folds.size(); ++f) {
        const RidgeFit fit = fit_ridge(gram, target, folds[f].training, lambdas[l]);
        scores(g * lambdas.size() + l, f) = fold_score_of(
            target, folds[f], options.score,
            [&](std::size_t row) { return predict_ridge(fit, gram.row(row), folds[f].training); });
        progress.step();
      }
    }
  }
  return scores;
}

}  // namespace bisector::detail
