// The cost of the rules on the same model and rows: in explanations by lrp for kernel machines, in
// predictions (searches) for neighbors. One thread, processor time, the best of several interleaved
// rounds.
//
//     bisector-rules [PREFIX]    only models whose names have this prefix
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

constexpr int kRounds = 4;
constexpr unsigned kThreads = 1;

struct Case {
  std::string name;
  Model model;
  Shape shape;
  double limit;      // of lrp-expected with its 60 references
  bool in_searches;  // the unit is a prediction, else an explanation by lrp
};

std::vector<Case> cases() {
  const Shape few{1024, 1000, 10}, many{256, 2000, 784};
  return {{"SVM, two classes", random_machine(few), few, 60.0, false},
          {"SVM, four classes", random_classes(few), few, 60.0, false},
          {"regressor", random_regressor(few), few, 60.0, false},
          {"one-class SVM", random_one_class(few), few, 60.0, false},
          {"SVM, two classes", random_machine(many), many, 30.0, false},
          {"regressor", random_regressor(many), many, 30.0, false},
          {"KNN, two classes", random_neighbors(few, 2), few, 60.0, true},
          {"KNN, five classes", random_neighbors(few, 5), few, 60.0, true},
          {"KNN, two classes", random_neighbors(many, 2), many, 60.0, true}};
}

/// The shortest processor time of each, interleaved.
std::vector<double> best_of_each(const std::vector<std::function<void()>>& runs) {
  std::vector<double> best(runs.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t n = 0; n < runs.size(); ++n)
      best[n] = std::min(best[n], best_of<processor_seconds>(runs[n], {1, 20, 0.1}));
  }
  return best;
}

void measure(const Case& of) {
  ExplainOptions options;
  options.threads = kThreads;
  const Matrix rows = random_rows(of.shape);
  const DecisionFunction decision(of.model, Precision::float64, kThreads);
  const Explainer lrp(of.model, EtaRule{}, options), path(of.model, PathRule{}, options),
      expected(of.model, ExpectedPathRule{}, options);
  std::vector<std::function<void()>> runs{[&] { decision(rows); }, [&] { lrp(rows); },
                                          [&] { path(rows); }, [&] { expected(rows); }};
  const Explainer neighborhood(of.model, NeighborhoodRule{}, options);
  runs.push_back([&] { neighborhood(rows); });
  const std::vector<double> best = best_of_each(runs);
  const double one = of.in_searches ? best[0] : best[1];
  fmt::print("| {} | {} x {} | {:.2f} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.0f} {} | {} |\n",
             of.name, of.shape.points, of.shape.features,
             1e6 * best[0] / static_cast<double>(of.shape.rows),
             1e6 * best[1] / static_cast<double>(of.shape.rows), best[2] / one, best[4] / one,
             best[3] / one, of.limit, of.in_searches ? "searches" : "lrp",
             best[3] <= of.limit * one ? "met" : "**not met**");
}

}  // namespace
}  // namespace bisector::bench

int main(int argc, char** argv) {
  fmt::print(
      "| model | points x features | predict, µs/row | lrp, µs/row | lrp-path | neighborhood | "
      "lrp-expected | limit |  |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
  for (const auto& of : bisector::bench::cases()) {
    if (argc < 2 || of.name.starts_with(argv[1])) bisector::bench::measure(of);
  }
  return 0;
}
