// The cost of other kernels, distances and votes relative to the Gaussian kernel, Euclidean
// distances and uniform votes: explanations by lrp of the same rows and points, one thread,
// processor time, the best of several interleaved rounds.
//
//     bisector-kernels [ROUNDS]
//     bisector-kernels manhattan     seconds of a prediction and an explanation by a Laplacian
//                                    kernel of Manhattan distances, 10,000 x 1,000 x 30
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

/// The shapes of explain_bench.cpp with fewer rows, and one more.
constexpr Shape kShapes[] = {
    {1024, 1000, 10}, {1024, 1000, 30}, {256, 10000, 100}, {256, 2000, 784}};

ExplainOptions one_thread() {
  ExplainOptions options;
  options.threads = 1;
  return options;
}

/// Explanations of the same rows: the first model is what the others are compared to.
struct Race {
  std::vector<std::pair<std::string, Model>> models;

  void run(const Shape& shape, int rounds) const {
    const Matrix rows = random_rows(shape);
    std::vector<Explainer> explainers;
    for (const auto& [name, model] : models)
      explainers.emplace_back(model, EtaRule{}, one_thread());
    std::vector<double> best(models.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t n = 0; n < models.size(); ++n)
        best[n] = std::min(best[n],
                           best_of<processor_seconds>([&] { explainers[n](rows); }, {1, 20, 0.05}));
    }
    for (std::size_t n = 0; n < models.size(); ++n)
      fmt::print("| {} x {} | {} | {:.2f} | {:.2f} |\n", shape.points, shape.features,
                 models[n].first, 1e6 * best[n] / static_cast<double>(shape.rows),
                 best[n] / best[0]);
  }
};

Race kernels(const Shape& shape) {
  Race race;
  const auto add = [&](const char* name, const Kernel& kernel) {
    race.models.emplace_back(name, random_machine(shape, kernel));
  };
  add("Gaussian", Kernel(1.0));
  add("Laplacian (Matérn 1/2)", Kernel(KernelTerm{KernelForm::matern12, 1.0}));
  add("Matérn 3/2", Kernel(KernelTerm{KernelForm::matern32, 1.0}));
  add("Matérn 5/2", Kernel(KernelTerm{KernelForm::matern52, 1.0}));
  add("rational quadratic, shape 1.3", Kernel(KernelTerm{KernelForm::power, 1.0, 1.3}));
  add("inverse multiquadric", Kernel(KernelTerm{KernelForm::power, 1.0, 0.5}));
  add("Cauchy", Kernel(KernelTerm{KernelForm::power, 1.0, 1.0}));
  add("Laplacian of Manhattan distances",
      Kernel(KernelTerm{KernelForm::exponential, 1.0}, Distance::manhattan()));
  add("exponential of Minkowski distances of power 3",
      Kernel(KernelTerm{KernelForm::exponential, 1.0}, Distance(3.0)));
  return race;
}

Race neighbors(const Shape& shape) {
  using Weights = NeighborVote::Weights;
  Race race;
  const auto add = [&](const char* name, Weights weights, const Distance& distance) {
    race.models.emplace_back(name, random_neighbors(shape, 2, weights, distance));
  };
  add("neighbors, votes of one each", Weights::uniform, {});
  add("neighbors, votes by distance", Weights::distance, {});
  add("neighbors, Manhattan", Weights::uniform, Distance::manhattan());
  std::vector<double> categories(shape.features);  // every other column
  for (std::size_t d = 0; d < shape.features; d += 2) categories[d] = 1.0;
  add("neighbors, Gower", Weights::uniform, Distance(1.0, categories));
  add("neighbors, Minkowski of power 3", Weights::uniform, Distance(3.0));
  add("neighbors, Minkowski of power 2.5", Weights::uniform, Distance(2.5));
  add("neighbors, Minkowski of power 7.3", Weights::uniform, Distance(7.3));
  return race;
}

void print_manhattan() {
  const Shape shape{10000, 1000, 30};
  const Model model = random_machine(
      shape, Kernel(KernelTerm{KernelForm::exponential, 1.0}, Distance::manhattan()));
  const Matrix rows = random_rows(shape);
  const DecisionFunction decision(model, Precision::float64, 1);
  const Explainer explainer(model, EtaRule{}, one_thread());
  const double predict = best_of<processor_seconds>([&] { decision(rows); });
  const double explain = best_of<processor_seconds>([&] { explainer(rows); });
  fmt::print("{} {}\n", predict, explain);
}

}  // namespace
}  // namespace bisector::bench

int main(int argc, char** argv) {
  using namespace bisector::bench;
  const std::string argument = argc > 1 ? argv[1] : "12";
  if (argument == "manhattan") {
    print_manhattan();
    return 0;
  }
  const int rounds = std::atoi(argument.c_str());
  if (rounds < 1) {
    fmt::print(stderr, "usage: bisector-kernels [ROUNDS | manhattan]\n");
    return 2;
  }
  fmt::print(
      "| points x features | model | µs/row | times the first |\n| --- | --- | ---: | ---: |\n");
  for (const Shape& shape : kShapes) kernels(shape).run(shape, rounds);
  for (const Shape& shape : kShapes) neighbors(shape).run(shape, rounds);
  return 0;
}
