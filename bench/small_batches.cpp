// Few rows against many points, on one thread and on all: what threads that share the points of a
// row bring, best of several runs, turn about.
//
//     bisector-small-batches
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/runtime_info.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

void measure(const std::string& name, const Model& model, const Shape& shape) {
  const Matrix rows = random_rows(shape);
  const auto explainer_on = [&](unsigned threads) {
    ExplainOptions options;
    options.threads = threads;
    options.background = random_rows({100, 0, shape.features});
    return Explainer(model, EtaRule{}, options);
  };
  const Explainer one = explainer_on(1), all = explainer_on(0);
  double on_one = 1e30, on_all = 1e30;
  for (int round = 0; round < 4; ++round) {
    on_one = std::min(on_one, best_of([&] { one(rows); }, {3, 100, 0.7}));
    on_all = std::min(on_all, best_of([&] { all(rows); }, {3, 100, 0.7}));
  }
  fmt::print(
      "{:<4} {:>4} rows, {:>8} points, {:>3} features: {:9.3f} ms on one thread, {:9.3f} ms "
      "on {}: {:.2f} times faster\n",
      name, shape.rows, shape.points, shape.features, 1e3 * on_one, 1e3 * on_all,
      runtime_info().threads, on_one / on_all);
}

}  // namespace
}  // namespace bisector::bench

int main() {
  using namespace bisector::bench;
  for (const Shape& shape : {Shape{1, 1000000, 10}, Shape{1, 100000, 100}, Shape{16, 100000, 20},
                             Shape{64, 2000, 50}, Shape{1, 1000, 10}}) {
    measure("SVM", random_machine(shape), shape);
    measure("KNN", random_neighbors(shape, 2), shape);
  }
  return 0;
}
