// Explaining and predicting, compared with the peak rate of a matrix product in the same run.
//
// Each benchmark reports rows/s and GFLOP/s, counting 6 rows x points x features for explaining
// (three products) and 2 for predicting. The peak is one large product by the BLAS in use, the best
// of the run; "share" is the benchmark's rate over that peak, measured before and after it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "core/simd/kernels.h"
#include "core/util/parallel.h"
#include "gemm_peak.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector {
namespace {

using bench::gemm_peak;
using bench::seconds;
using bench::Shape;

constexpr Shape kShapes[] = {{4096, 1000, 10}, {4096, 2000, 784}, {1024, 10000, 100}};

template <class T, class Run>
void measure(benchmark::State& state, const Shape& shape, double products, int threads,
             const Run& run) {
  double peak = gemm_peak<T>(threads), best = 1e30;
  for (auto _ : state) {
    const double start = seconds();
    run();
    const double taken = seconds() - start;
    best = std::min(best, taken);
    state.SetIterationTime(taken);
  }
  peak = std::max(peak, gemm_peak<T>(threads));
  const double rate = 2e-9 * products * static_cast<double>(shape.rows) *
                      static_cast<double>(shape.points) * static_cast<double>(shape.features) /
                      best;
  state.counters["krows/s"] = 1e-3 * static_cast<double>(shape.rows) / best;
  state.counters["GFLOP/s"] = rate;
  state.counters["peak"] = peak;
  state.counters["share_%"] = 100.0 * rate / peak;
}

/// The paper's rule: three products in the unit g.
ExplainOptions in_g(int threads) {
  ExplainOptions options;
  options.unit = Unit::g;
  options.threads = static_cast<unsigned>(threads);
  return options;
}

template <class T>
void explain_shape(benchmark::State& state, Shape shape, int threads) {
  ExplainOptions options = in_g(threads);
  options.precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32;
  const Explainer explainer(bench::random_machine(shape), EtaRule{}, options);
  const Matrix rows = bench::random_rows(shape);
  measure<T>(state, shape, 3.0, threads,
             [&] { benchmark::DoNotOptimize(explainer(rows).relevance(0, 0)); });
}

/// Other kernels and distances with the same points, in double precision.
void explain_kernel(benchmark::State& state, Shape shape, int threads, const Kernel& kernel) {
  const Explainer explainer(bench::random_machine(shape, kernel), EtaRule{}, in_g(threads));
  const Matrix rows = bench::random_rows(shape);
  measure<double>(state, shape, 3.0, threads,
                  [&] { benchmark::DoNotOptimize(explainer(rows).relevance(0, 0)); });
}

/// Neighbors with votes of one each, or of one over the distance.
void explain_neighbors(benchmark::State& state, Shape shape, int threads,
                       NeighborVote::Weights weights) {
  const Explainer explainer(bench::random_neighbors(shape, 2, weights), EtaRule{}, in_g(threads));
  const Matrix rows = bench::random_rows(shape);
  measure<double>(state, shape, 1.0, threads,
                  [&] { benchmark::DoNotOptimize(explainer(rows).relevance(0, 0)); });
}

template <class T>
void predict_shape(benchmark::State& state, Shape shape, int threads) {
  const DecisionFunction decision(bench::random_machine(shape),
                                  sizeof(T) == 8 ? Precision::float64 : Precision::float32,
                                  static_cast<unsigned>(threads));
  const Matrix rows = bench::random_rows(shape);
  measure<T>(state, shape, 1.0, threads,
             [&] { benchmark::DoNotOptimize(decision(rows).decisions(0, 0)); });
}

void register_all() {
  const int all = static_cast<int>(util::resolve_threads(0));
  for (const Shape& shape : kShapes) {
    for (const int threads : {1, all}) {
      const std::string where =
          "/" + std::to_string(shape.rows) + "x" + std::to_string(shape.points) + "x" +
          std::to_string(shape.features) + "/threads:" + std::to_string(threads);
      const auto add = [&](const std::string& name, auto function) {
        benchmark::RegisterBenchmark((name + where).c_str(), function, shape, threads)
            ->UseManualTime()
            ->Iterations(10)  // fixed, so that the peak is measured once and not at every guess
            ->Unit(benchmark::kMillisecond);
      };
      add("explain/f64", explain_shape<double>);
      add("predict/f64", predict_shape<double>);
      add("explain/f32", explain_shape<float>);
      add("predict/f32", predict_shape<float>);
      const auto kernel = [&](const std::string& name, const Kernel& of) {
        add("explain/" + name,
            [of](benchmark::State& state, Shape s, int t) { explain_kernel(state, s, t, of); });
      };
      kernel("matern12", Kernel(KernelTerm{KernelForm::matern12, 1.0}));
      kernel("matern32", Kernel(KernelTerm{KernelForm::matern32, 1.0}));
      kernel("matern52", Kernel(KernelTerm{KernelForm::matern52, 1.0}));
      kernel("rational_quadratic", Kernel(KernelTerm{KernelForm::power, 1.0, 1.5}));
      kernel("laplacian_l1",
             Kernel(KernelTerm{KernelForm::exponential, 1.0}, Distance::manhattan()));
      using Weights = NeighborVote::Weights;
      add("neighbors/uniform", [](benchmark::State& state, Shape s, int t) {
        explain_neighbors(state, s, t, Weights::uniform);
      });
      add("neighbors/distance", [](benchmark::State& state, Shape s, int t) {
        explain_neighbors(state, s, t, Weights::distance);
      });
      if (threads == all) break;
    }
  }
}

}  // namespace
}  // namespace bisector

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  bisector::register_all();
  const std::string_view level = bisector::simd::name(bisector::simd::active_level());
  benchmark::AddCustomContext("vector_kernels", std::string(level));
  benchmark::AddCustomContext("blas_core", openblas_get_corename());
  benchmark::RunSpecifiedBenchmarks();
}
