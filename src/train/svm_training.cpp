#include "train/svm_training.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <string_view>

#include "core/util/parallel.h"
#include "train/gram.h"

namespace bisector::detail {
namespace {

/// The fit that runs in this thread. LIBSVM calls back from the thread that called it.
class RunningFit {
 public:
  RunningFit(const IterationProgress& progress, std::size_t samples)
      : progress_(progress), iterations_per_dot_(std::min<std::size_t>(samples, 1000)) {
    of_this_thread_ = this;
  }
  ~RunningFit() { of_this_thread_ = nullptr; }
  RunningFit(const RunningFit&) = delete;
  RunningFit& operator=(const RunningFit&) = delete;

  /// LIBSVM prints a dot after every 1,000 iterations, or after N iterations for N < 1,000 samples.
  static void count_dots(const char* text) {
    RunningFit* const fit = of_this_thread_;
    if (fit == nullptr || !fit->progress_ || std::string_view(text) != ".") return;
    fit->iterations_ += fit->iterations_per_dot_;
    fit->progress_(fit->iterations_);
  }

 private:
  static inline thread_local RunningFit* of_this_thread_ = nullptr;
  const IterationProgress& progress_;
  std::size_t iterations_per_dot_, iterations_ = 0;
};

/// LIBSVM has one print function for the whole process. While a fit of ours runs, that function
/// counts iterations and prints nothing; afterwards LIBSVM's own function is restored.
class SilentLibsvm {
 public:
  SilentLibsvm() {
    const std::lock_guard lock(mutex_);
    if (fits_++ == 0) svm_set_print_string_function(RunningFit::count_dots);
  }
  ~SilentLibsvm() {
    const std::lock_guard lock(mutex_);
    if (--fits_ == 0) svm_set_print_string_function(nullptr);
  }
  SilentLibsvm(const SilentLibsvm&) = delete;
  SilentLibsvm& operator=(const SilentLibsvm&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline std::size_t fits_ = 0;
};

/// The size of LIBSVM's cache: all kernel values of the problem (4 bytes each), within limits.
double cache_megabytes(std::size_t samples) {
  constexpr double kSmallest = 16.0, kLargest = static_cast<double>(kKernelBytes) / 1e6;
  const double all = static_cast<double>(samples) * static_cast<double>(samples) * 4.0 / 1e6;
  return std::clamp(all * 1.1, kSmallest, kLargest);
}

svm_parameter parameters(const SvmSamples& samples, const SvmProblem& problem, int type) {
  svm_parameter parameter{};
  parameter.svm_type = type;
  samples.set_kernel(parameter);
  parameter.cache_size = cache_megabytes(problem.samples.size());
  parameter.eps = 1e-3;
  parameter.shrinking = 1;
  return parameter;
}

SvmModel run(const SvmSamples& samples, const SvmProblem& problem, const svm_parameter& parameter,
             const IterationProgress& progress) {
  const SilentLibsvm silent;
  const RunningFit running(progress, problem.samples.size());
  std::vector<svm_node*> nodes;
  for (const std::size_t sample : problem.samples) nodes.push_back(samples[sample]);
  std::vector<double> targets = problem.targets;
  const svm_problem libsvm_problem{static_cast<int>(nodes.size()), targets.data(), nodes.data()};
  return SvmModel(svm_train(&libsvm_problem, &parameter));
}

/// The weight of every class that occurs.
struct ClassWeights {
  std::vector<int> labels;
  std::vector<double> weights;
};

ClassWeights class_weights(const SvmProblem& problem, const SvmLearner& learner) {
  ClassWeights result;
  if (!learner.class_weights.empty()) {
    result.weights = learner.class_weights;
    result.labels.resize(result.weights.size());
    std::iota(result.labels.begin(), result.labels.end(), 0);
    return result;
  }
  if (learner.weight == ClassWeight::none) return result;
  std::map<int, double> counts;
  for (const double target : problem.targets) counts[static_cast<int>(target)] += 1.0;
  for (const auto& [label, count] : counts) {
    result.labels.push_back(label);
    result.weights.push_back(static_cast<double>(problem.targets.size()) /
                             (static_cast<double>(counts.size()) * count));
  }
  return result;
}

}  // namespace

SvmSamples SvmSamples::gram(const Matrix& arguments, const Kernel& kernel, unsigned threads) {
  const std::size_t samples = arguments.rows();
  SvmSamples result(samples, samples + 1, PRECOMPUTED, kernel.terms()[0]);
  result.refill(arguments, kernel, threads);
  return result;
}

void SvmSamples::refill(const Matrix& arguments, const Kernel& kernel, unsigned threads) {
  util::parallel_for(arguments.rows(), threads, [&] {
    return [&, values = std::vector<double>(arguments.cols())](std::size_t row) mutable {
      kernel_values(arguments.row(row), kernel, values);
      // LIBSVM finds sample j in row i at the position in the first node of row j.
      svm_node* nodes = (*this)[row];
      nodes[0] = {0, static_cast<double>(row + 1)};
      for (std::size_t j = 0; j < values.size(); ++j)
        nodes[j + 1] = {static_cast<int>(j + 1), values[j]};
    };
  });
}

SvmSamples SvmSamples::features(MatrixView<const double> rows, const Kernel& kernel) {
  const KernelTerm& term = kernel.terms()[0];
  const int type = term.form == KernelForm::polynomial ? POLY
                   : term.form == KernelForm::sigmoid  ? SIGMOID
                                                       : RBF;
  SvmSamples result(rows.rows(), rows.cols() + 1, type, term);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d)
      result[r][d] = {static_cast<int>(d + 1), rows(r, d)};
    result[r][rows.cols()] = {-1, 0.0};
  }
  return result;
}

void SvmSamples::set_kernel(svm_parameter& parameter) const {
  parameter.kernel_type = kernel_type_;
  parameter.gamma = term_.gamma;
  parameter.coef0 = term_.offset;
  parameter.degree = static_cast<int>(term_.shape);
}

std::uint64_t gram_bytes(std::uint64_t samples) {
  return samples * samples * (sizeof(svm_node) + sizeof(double) + sizeof(float));
}

bool takes_gram(const KernelChoice& kernel, std::size_t samples) {
  const Kernel any = kernel.with_gamma(1.0);
  return gram_bytes(samples) <= kKernelBytes || !(any.is_gaussian() || !any.is_of_distance());
}

SvmSamples svm_samples(MatrixView<const double> rows, const Kernel& kernel, bool takes_gram,
                       unsigned threads) {
  if (!takes_gram) return SvmSamples::features(rows, kernel);
  return SvmSamples::gram(kernel_arguments(rows, kernel, threads), kernel, threads);
}

SvmProblem class_problem(const ClassTarget& target, std::span<const std::size_t> samples) {
  const bool two = target.labels.size() == 2;
  // If there are two classes, class 1 is the positive one.
  const auto place = [&](std::size_t sample) {
    return two ? 1 - target.classes[sample] : target.classes[sample];
  };
  SvmProblem problem{{samples.begin(), samples.end()}, {}};
  std::ranges::stable_sort(problem.samples, {}, place);
  for (const std::size_t sample : problem.samples)
    problem.targets.push_back(static_cast<double>(target.classes[sample]));
  return problem;
}

SvmProblem number_problem(std::span<const double> target, std::span<const std::size_t> samples) {
  SvmProblem problem{{samples.begin(), samples.end()}, {}};
  for (const std::size_t sample : samples) problem.targets.push_back(target[sample]);
  return problem;
}

SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvmLearner& learner,
                   const IterationProgress& progress) {
  svm_parameter parameter = parameters(samples, problem, C_SVC);
  parameter.C = learner.cost;
  ClassWeights weights = class_weights(problem, learner);
  parameter.nr_weight = static_cast<int>(weights.labels.size());
  parameter.weight_label = weights.labels.data();
  parameter.weight = weights.weights.data();
  SvmModel model = run(samples, problem, parameter, progress);
  // The model copies the parameters with pointers to local memory.
  model->param.nr_weight = 0;
  model->param.weight_label = nullptr;
  model->param.weight = nullptr;
  return model;
}

SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvrLearner& learner,
                   const IterationProgress& progress) {
  svm_parameter parameter = parameters(samples, problem, EPSILON_SVR);
  parameter.C = learner.cost;
  parameter.p = learner.epsilon;
  return run(samples, problem, parameter, progress);
}

SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem,
                   const OneClassLearner& learner, const IterationProgress& progress) {
  svm_parameter parameter = parameters(samples, problem, ONE_CLASS);
  parameter.nu = learner.nu;
  return run(samples, problem, parameter, progress);
}

}  // namespace bisector::detail
