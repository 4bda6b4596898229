// Types around LIBSVM: samples in its layout, and training on some of them.
#pragma once

#include <svm.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/learner.h"

namespace bisector::detail {

/// N samples as LIBSVM reads them, in one of two forms.
///
/// Gram matrix (LIBSVM's "precomputed" kernel): the nodes of a sample are its kernel values with
/// all samples, so one matrix per gamma serves every fold and every cost. It needs 16 bytes per
/// pair, and 8 for the distances. Features (for the kernels that LIBSVM has) need little memory,
/// but every fit computes its kernel values by sparse inner products. Seconds of one fit with
/// features and with a Gram matrix: 4,898 samples of 11 features 0.5 to 1.9 with both; 2,000
/// samples of 784 features 5.6 and 0.06. So the Gram matrix is used up to a size, and always for
/// kernels that LIBSVM does not have.
class SvmSamples {
 public:
  /// `arguments` is N x N: see kernel_arguments().
  static SvmSamples gram(const Matrix& arguments, const Kernel& kernel, unsigned threads);
  /// Only for kernels that LIBSVM has.
  static SvmSamples features(MatrixView<const double> rows, const Kernel& kernel);

  /// Computes the Gram matrix for another gamma in the same memory; for gram() only.
  void refill(const Matrix& arguments, const Kernel& kernel, unsigned threads);

  svm_node* operator[](std::size_t sample) const {
    return const_cast<svm_node*>(nodes_.data()) + sample * stride_;  // LIBSVM does not write
  }
  /// Sets the kernel parameters of LIBSVM.
  void set_kernel(svm_parameter& parameter) const;

 private:
  SvmSamples(std::size_t samples, std::size_t stride, int kernel_type, const KernelTerm& term)
      : nodes_(samples * stride), stride_(stride), kernel_type_(kernel_type), term_(term) {}

  std::vector<svm_node> nodes_;
  std::size_t stride_;
  int kernel_type_;
  KernelTerm term_;
};

/// The bytes that the kernel values of a fit may take: a Gram matrix with the distances that it is
/// computed from and LIBSVM's cache, or the cache alone. The same limit holds for both, so the
/// memory that a fit may need never falls with more rows.
inline constexpr std::uint64_t kKernelBytes = 512'000'000;

/// The bytes of a Gram matrix of this many samples, with the distances and the cache.
std::uint64_t gram_bytes(std::uint64_t samples);

/// True while gram_bytes() is within kKernelBytes (up to 4,276 samples), and for kernels that
/// LIBSVM does not have.
bool takes_gram(const KernelChoice& kernel, std::size_t samples);

/// The samples as Gram matrix or as features.
SvmSamples svm_samples(MatrixView<const double> rows, const Kernel& kernel, bool takes_gram,
                       unsigned threads);

struct FreeSvmModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
/// Refers to the samples that it was trained on, which must outlive it.
using SvmModel = std::unique_ptr<svm_model, FreeSvmModel>;

/// The training samples and their targets.
struct SvmProblem {
  std::vector<std::size_t> samples;
  std::vector<double> targets;  // one per sample
};

/// The classification problem of some samples. LIBSVM numbers its labels by first occurrence, so
/// the samples are sorted by class, the positive one of two first.
SvmProblem class_problem(const ClassTarget& target, std::span<const std::size_t> samples);
SvmProblem number_problem(std::span<const double> target, std::span<const std::size_t> samples);

/// Trains with the learner's parameters and the samples' kernel. Progress is called from this
/// thread.
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvmLearner& learner,
                   const IterationProgress& progress = {});
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem, const SvrLearner& learner,
                   const IterationProgress& progress = {});
SvmModel train_svm(const SvmSamples& samples, const SvmProblem& problem,
                   const OneClassLearner& learner, const IterationProgress& progress = {});

}  // namespace bisector::detail
