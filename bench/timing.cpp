// Measures bisector for the comparison with other programs: one model on one file of rows, or the
// growth of the cost. Prints JSON; bench/peers/ calls it.
//
//     bisector-timing model MODEL.npz ROWS.npy [--shapley]
//     bisector-timing latency MODEL.npz ROWS.npy
//     bisector-timing scaling
//     bisector-timing machine
#include <cstdio>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "bisector/runtime_info.h"
#include "bisector/version.h"
#include "gemm_peak.h"
#include "random_model.h"
#include "stopwatch.h"

namespace bisector::bench {
namespace {

using Json = nlohmann::json;

/// Rows whose results are printed, to compare them with those of other programs.
constexpr std::size_t kCheckedRows = 32;

const char* short_name(Precision precision) {
  return precision == Precision::float64 ? "f64" : "f32";
}

/// The unit g is the paper's rule, and what the peers' formulas compute.
ExplainOptions explain_options(Precision precision, unsigned threads, Unit unit = Unit::g) {
  ExplainOptions options;
  options.precision = precision;
  options.threads = threads;
  options.unit = unit;
  return options;
}

double peak(Precision precision, unsigned threads) {
  const int count = static_cast<int>(threads);
  return precision == Precision::float64 ? gemm_peak<double>(count) : gemm_peak<float>(count);
}

Json measure_model(const Model& model, const Matrix& rows, Precision precision, unsigned threads) {
  const Explainer in_g(model, EtaRule{}, explain_options(precision, threads));
  const Explainer in_decision(model, EtaRule{},
                              explain_options(precision, threads, Unit::decision));
  const DecisionFunction decision(model, precision, threads);
  const double before = peak(precision, threads);
  const double explain = best_of([&] { in_g(rows); });
  const double predict = best_of([&] { decision(rows); });
  const double converted = best_of([&] { in_decision(rows); });
  const double gemm = std::max(before, peak(precision, threads));
  return {{"precision", short_name(precision)},
          {"threads", threads},
          {"rows", rows.rows()},
          {"explain", explain},
          {"predict", predict},
          {"peak", gemm},
          {"explain in decision", converted}};
}

Matrix first_rows(const Matrix& rows, std::size_t count) {
  const auto first = rows.values().begin();
  count = std::min(count, rows.rows());
  return Matrix(count, rows.cols(),
                {first, first + static_cast<std::ptrdiff_t>(count * rows.cols())});
}

std::vector<std::vector<double>> lists(const Matrix& matrix) {
  std::vector<std::vector<double>> result;
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    result.emplace_back(matrix.row(r).begin(), matrix.row(r).end());
  return result;
}

Json results_to_check(const Model& model, const Matrix& rows) {
  const Matrix first = first_rows(rows, kCheckedRows);
  const Explainer explainer(model, EtaRule{}, explain_options(Precision::float64, 0));
  const Explanation explanation = explainer(first);
  std::vector<std::string> prediction;
  const std::vector<std::string> labels = model.labels();
  for (const std::size_t c : explanation.prediction) prediction.push_back(labels[c]);
  return {{"decision", explanation.decision},
          {"g", explanation.g},
          {"prediction", prediction},
          {"eta", *explainer.settings().eta},
          {"relevance", lists(explanation.relevance)}};
}

Json measure_shapley(const Model& model, const Matrix& rows, unsigned threads) {
  const auto& classifier = std::get<KernelClassifier>(model.predictor());
  const KernelMachine machine(classifier.points(), classifier.pair_coefficients(0, 1),
                              Kernel(classifier.gamma()), classifier.intercepts()[0]);
  const auto shapley = ExactShapleyValues::of_dropped_features(machine, threads);
  return {{"threads", threads},
          {"rows", rows.rows()},
          {"seconds", best_of([&] { shapley(rows); })},
          {"values", lists(shapley(first_rows(rows, kCheckedRows)))}};
}

Json describe_machine() {
  const RuntimeInfo here = runtime_info();
  return {{"version", std::string(kVersion)},
          {"kernels", here.instruction_set},
          {"threads", here.threads},
          {"blas_core", openblas_get_corename()}};
}

Json run_model(const Model& model, const Matrix& rows, bool shapley) {
  const unsigned all = runtime_info().threads;
  Json result = {{"machine", describe_machine()}, {"check", results_to_check(model, rows)}};
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    result["measured"].push_back(measure_model(model, rows, precision, 1));
    if (all > 1) result["measured"].push_back(measure_model(model, rows, precision, all));
  }
  if (shapley) result["shapley"] = measure_shapley(model, rows, all);
  return result;
}

/// One row at a time.
Json run_latency(const Model& model, const Matrix& rows) {
  const Explainer explainer(model, EtaRule{});
  std::vector<double> times;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const double start = seconds();
      explainer(rows.view().rows(r, 1));
      times.push_back(seconds() - start);
    }
  }
  std::sort(times.begin(), times.end());
  return {{"calls", times.size()}, {"best", times.front()}, {"median", times[times.size() / 2]}};
}

/// One point of a curve of time against rows, points, features or threads.
struct ScalingPoint {
  ScalingPoint(const char* on_axis, std::size_t at, const Shape& of, unsigned on_threads)
      : axis(on_axis),
        value(at),
        shape(of),
        threads(on_threads),
        explainer(random_machine(of), EtaRule{}, explain_options(Precision::float64, on_threads)),
        rows(random_rows(of)) {}

  const char* axis;
  std::size_t value;
  Shape shape;
  unsigned threads;
  Explainer explainer;
  Matrix rows;
  double best = 1e30;
};

std::vector<ScalingPoint> scaling_points(const std::string& axis) {
  std::vector<ScalingPoint> points;
  if (axis == "rows") {
    for (const std::size_t n : {1000u, 3162u, 10000u, 31623u, 100000u})
      points.emplace_back("rows", n, Shape{n, 1000, 10}, 1);
  } else if (axis == "points") {
    for (const std::size_t n : {500u, 1581u, 5000u, 15811u, 50000u})
      points.emplace_back("points", n, Shape{512, n, 10}, 1);
  } else if (axis == "features") {
    for (const std::size_t n : {10u, 32u, 100u, 316u, 1000u})
      points.emplace_back("features", n, Shape{512, 1000, n}, 1);
  } else {
    for (unsigned n = 1; n <= runtime_info().threads; n *= 2)
      points.emplace_back("threads", n, Shape{20000, 1000, 10}, n);
  }
  return points;
}

/// Time against each of rows, points, features and threads, the others fixed; rows and points over
/// two decades. The points of a curve are interleaved, so that a change of the machine's speed
/// affects all of them.
Json run_scaling() {
  constexpr int kRounds = 12;
  Json result;
  for (const char* axis : {"rows", "points", "features", "threads"}) {
    std::vector<ScalingPoint> points = scaling_points(axis);
    for (int round = 0; round < kRounds; ++round) {
      for (ScalingPoint& point : points)
        point.best =
            std::min(point.best, best_of([&] { point.explainer(point.rows); }, {1, 50, 0.05}));
    }
    for (const ScalingPoint& point : points)
      result.push_back({{"axis", point.axis},
                        {"value", point.value},
                        {"rows", point.shape.rows},
                        {"points", point.shape.points},
                        {"features", point.shape.features},
                        {"threads", point.threads},
                        {"seconds", point.best}});
  }
  return result;
}

Matrix read_rows(const std::string& path) { return read_all(*open_data(path)).numbers; }

Json run(const std::vector<std::string>& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "scaling") return run_scaling();
  if (verb == "machine") return describe_machine();
  if ((verb != "model" && verb != "latency") || arguments.size() < 3)
    throw InvalidInput("expected: bisector-timing model|latency MODEL ROWS, scaling or machine");
  const Model model = read_model(arguments[1]);
  const Matrix rows = read_rows(arguments[2]);
  if (verb == "latency") return run_latency(model, rows);
  return run_model(model, rows, arguments.size() > 3 && arguments[3] == "--shapley");
}

}  // namespace
}  // namespace bisector::bench

int main(int argc, char** argv) {
  try {
    const std::string text = bisector::bench::run({argv + 1, argv + argc}).dump();
    std::printf("%s\n", text.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
