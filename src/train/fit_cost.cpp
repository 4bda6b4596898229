#include "bisector/train/fit_cost.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bisector/train/sample.h"
#include "core/models/visit.h"
#include "train/svm_training.h"

namespace bisector {

using namespace detail;

namespace {

constexpr std::size_t kSmall = 1000, kLarger = 2000;  // rows of the two timed fits

std::uint64_t svm_bytes(const KernelChoice& kernel, std::uint64_t rows, std::uint64_t features) {
  if (takes_gram(kernel, rows)) return gram_bytes(rows);
  return rows * (features + 1) * sizeof(svm_node) + kKernelBytes;
}

/// A fit has one matrix for distances, kernel values and factor. Tuning keeps the distances, the
/// kernel values and the factor of a fold.
std::uint64_t ridge_bytes(std::uint64_t rows, bool is_tuned) {
  return rows * rows * sizeof(double) * (is_tuned ? 3 : 1);
}

double seconds_of_fit(const Learner& learner, MatrixView<const double> rows, const Target& target,
                      std::size_t count, std::uint64_t seed, unsigned threads) {
  const RowSplit split = split_rows(target, rows.rows(), {.sample = count, .seed = seed});
  const Matrix some = gather_rows(rows, split.training);
  const Target some_target = target_of_rows(target, split.training);
  const auto start = std::chrono::steady_clock::now();
  fit(learner, some, some_target, threads);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The number of fits of the grid over all folds and repeats.
double fits_of(const Learner& learner, const TuneOptions& tune) {
  const bool is_ridge = std::holds_alternative<RidgeLearner>(learner);
  const std::size_t others = is_ridge ? tune.grid.lambda.size() : tune.grid.cost.size();
  const bool has_gamma = std::visit(
      [](const auto& own) {
        if constexpr (requires { own.kernel; }) return own.kernel.has_gamma();
        return true;
      },
      learner);
  return static_cast<double>((has_gamma ? tune.grid.gamma.size() : 1) * others * tune.folds *
                             tune.repeats);
}

}  // namespace

std::uint64_t fit_bytes(const Learner& learner, std::size_t rows, std::size_t features,
                        bool is_tuned) {
  return std::visit(
      Overloaded{[](const NeighborLearner&) { return std::uint64_t{0}; },
                 [](const DetectorLearner&) { return std::uint64_t{0}; },
                 [](const DensityLearner&) { return std::uint64_t{0}; },
                 [&](const RidgeLearner&) { return ridge_bytes(rows, is_tuned); },
                 [&](const SvmLearner& own) { return svm_bytes(own.kernel, rows, features); },
                 [&](const SvrLearner& own) { return svm_bytes(own.kernel, rows, features); },
                 [&](const OneClassLearner& own) { return svm_bytes(own.kernel, rows, features); }},
      learner);
}

std::optional<std::size_t> practical_rows(const Learner& learner) {
  using Limit = std::optional<std::size_t>;
  return std::visit(Overloaded{[](const NeighborLearner&) { return Limit(); },
                               [](const DetectorLearner&) { return Limit(); },
                               [](const DensityLearner&) { return Limit(); },
                               [](const RidgeLearner&) { return Limit(20'000); },
                               [](const SvmLearner&) { return Limit(50'000); },
                               [](const SvrLearner&) { return Limit(50'000); },
                               [](const OneClassLearner&) { return Limit(50'000); }},
                    learner);
}

double fit_seconds(const Learner& learner, MatrixView<const double> rows, const Target& target,
                   const std::optional<TuneOptions>& tune, std::uint64_t seed, unsigned threads) {
  const std::size_t small = std::min(kSmall, rows.rows()), larger = std::min(kLarger, rows.rows());
  const double first = seconds_of_fit(learner, rows, target, small, seed, threads);
  const double second = seconds_of_fit(learner, rows, target, larger, seed, threads);
  // The time of these solvers grows with the second to third power of the rows.
  constexpr double kLeast = 2.0, kMost = 3.0;
  const double growth = std::holds_alternative<RidgeLearner>(learner)
                            ? kMost
                            : std::clamp(std::log2(second / std::max(first, 1e-6)), kLeast, kMost);
  const double ratio = static_cast<double>(rows.rows()) / static_cast<double>(larger);
  double seconds = second * std::pow(ratio, growth);
  if (tune) {
    const double share = 1.0 - 1.0 / static_cast<double>(tune->folds);
    seconds *= 1.0 + fits_of(learner, *tune) * std::pow(share, growth);
  }
  return seconds;
}

}  // namespace bisector
