// Few rows and many points, on one thread and on all: the speedup of threads that share the points
// of a row, the best of several interleaved runs. Also prints the processor time of all threads,
// and the speedup of a plain sum over as many bytes as the points have, which is an upper bound.
//
//     bisector-small-batches
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/runtime_info.h"
#include "core/util/parallel.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

/// Sums numbers in blocks that threads share; the compiler vectorizes it.
void read(std::span<const float> numbers, unsigned threads) {
  constexpr std::size_t kBlock = std::size_t{1} << 18, kLanes = 64;
  std::vector<float> sums((numbers.size() + kBlock - 1) / kBlock);
  util::parallel_for(sums.size(), threads, [&] {
    return [&](std::size_t b) {
      const auto block = numbers.subspan(b * kBlock, std::min(kBlock, numbers.size() - b * kBlock));
      std::array<float, kLanes> lanes{};
      for (std::size_t k = 0; k + kLanes <= block.size(); k += kLanes) {
        for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += block[k + l];
      }
      sums[b] = std::accumulate(lanes.begin(), lanes.end(), 0.0f);
    };
  });
  volatile float total = std::accumulate(sums.begin(), sums.end(), 0.0f);
  static_cast<void>(total);
}

/// `bytes` is the size of a number of the points as it is read.
void measure(const std::string& name, const Model& model, const Shape& shape, std::size_t bytes) {
  const Matrix rows = random_rows(shape);
  const auto explainer_on = [&](unsigned threads) {
    ExplainOptions options;
    options.threads = threads;
    options.background = random_rows({100, 0, shape.features});
    return Explainer(model, EtaRule{}, options);
  };
  const Explainer one = explainer_on(1), all = explainer_on(0);
  const std::vector<float> numbers(shape.points * shape.features * bytes / sizeof(float), 1.0f);
  double on_one = 1e30, on_all = 1e30, read_by_one = 1e30, read_by_all = 1e30;
  double work_of_one = 1e30, work_of_all = 1e30;
  for (int round = 0; round < 8; ++round) {
    const Patience some{3, 50, 0.2};
    on_one = std::min(on_one, best_of([&] { one(rows); }, some));
    on_all = std::min(on_all, best_of([&] { all(rows); }, some));
    work_of_one = std::min(work_of_one, best_of<processor_seconds>([&] { one(rows); }, some));
    work_of_all = std::min(work_of_all, best_of<processor_seconds>([&] { all(rows); }, some));
    read_by_one = std::min(read_by_one, best_of([&] { read(numbers, 1); }, some));
    read_by_all = std::min(read_by_all, best_of([&] { read(numbers, 0); }, some));
  }
  fmt::print(
      "{:<4} {:>4} rows, {:>8} points, {:>3} features: {:9.3f} ms on one thread, {:9.3f} ms "
      "on {}: {:.2f} times faster, {:.2f} times the processor time; reading {:.0f} MB: {:.3f} and "
      "{:.3f} ms, {:.2f} times\n",
      name, shape.rows, shape.points, shape.features, 1e3 * on_one, 1e3 * on_all,
      runtime_info().threads, on_one / on_all, work_of_all / work_of_one,
      4e-6 * static_cast<double>(numbers.size()), 1e3 * read_by_one, 1e3 * read_by_all,
      read_by_one / read_by_all);
}

}  // namespace
}  // namespace bisector::bench

int main() {
  using namespace bisector::bench;
  for (const Shape& shape : {Shape{1, 1000000, 10}, Shape{1, 100000, 100}, Shape{16, 100000, 20},
                             Shape{64, 2000, 50}, Shape{1, 1000, 10}}) {
    measure("SVM", random_machine(shape), shape, 2 * sizeof(double));  // panels and points
    measure("KNN", random_neighbors(shape, 2), shape, sizeof(float));
  }
  return 0;
}
