// LIBSVM behind a few types of our own: samples in its layout, and training on some of them.
#pragma once

#include <svm.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/learner.h"

namespace bisector::detail {

/// N samples as LIBSVM reads them, in one of two forms.
///
/// A Gram matrix (LIBSVM's "precomputed" kernel): a sample's nodes are its kernel values with all
/// samples, so one matrix per gamma serves every fold and every cost, by index. It takes 16 bytes a
/// pair, 384 MB for 4,898 samples. Features (for the kernels that LIBSVM has) take almost nothing,
/// but every fit computes its kernel values anew, each by a sparse inner product and an
/// exponential. Seconds of one fit, features against Gram matrix: 4,898 samples of 11 features 0.5
/// to 1.9, either way (both wait for the solver and the memory); 2,000 samples of 784 features 5.6
/// against 0.06. So the Gram matrix it is, as long as there is room for it, and for kernels that
/// LIBSVM does not have in any case.
class SvmSamples {
 public:
  /// `arguments` is N x N: see kernel_arguments().
  static SvmSamples gram(const Matrix& arguments, const Kernel& kernel, unsigned threads);
  /// For a kernel that LIBSVM has.
  static SvmSamples features(MatrixView<const double> rows, const Kernel& kernel);

  /// Makes it a Gram matrix for another gamma, in the same memory; for gram() only.
  void refill(const Matrix& arguments, const Kernel& kernel, unsigned threads);

  svm_node* operator[](std::size_t sample) const {
    return const_cast<svm_node*>(nodes_.data()) + sample * stride_;  // LIBSVM reads only
  }
  /// Sets what LIBSVM has to know of the kernel.
  void set_kernel(svm_parameter& parameter) const;

 private:
  SvmSamples(std::size_t samples, std::size_t stride, int kernel_type, const KernelTerm& term)
      : nodes_(samples * stride), stride_(stride), kernel_type_(kernel_type), term_(term) {}

  std::vector<svm_node> nodes_;
  std::size_t stride_;
  int kernel_type_;
  KernelTerm term_;
};

/// Up to 8,000 samples a Gram matrix is made (1.0 GB, and half as much for the distances); above,
/// LIBSVM computes kernel values itself where it has the kernel.
bool takes_gram(const KernelChoice& kernel, std::size_t samples);

/// The samples in the form that suits their number.
SvmSamples svm_samples(MatrixView<const double> rows, const Kernel& kernel, bool takes_gram,
                       unsigned threads);

struct FreeSvmModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
/// Points into the samples it was trained on, which have to outlive it.
using SvmModel = std::unique_ptr<svm_model, FreeSvmModel>;

/// The samples to train on and what they are to give.
struct SvmProblem {
  std::vector<std::size_t> samples;
  std::vector<double> targets;  // one per sample
};

/// The problem of the classes of some samples. LIBSVM numbers its labels by first appearance, so
/// samples are sorted by class, the positive one of two first.
SvmProblem class_problem(const ClassTarget& target, std::span<const std::size_t> samples);
SvmProblem number_problem(std::span<const double> target, std::span<const std::size_t> samples);

/// Trains with the learner's parameters, but the samples' kernel. Progress is called from
/// this thread.
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvmLearner& learner,
                   const IterationProgress& progress = {});
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvrLearner& learner,
                   const IterationProgress& progress = {});
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem,
                   const OneClassLearner& learner, const IterationProgress& progress = {});

}  // namespace bisector::detail
