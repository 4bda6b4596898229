#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/evaluate.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

FlippingOptions flipping_options(std::size_t samples, std::size_t rows, std::uint64_t seed,
                                 unsigned threads, const ProgressCallback& progress) {
  FlippingOptions options;
  options.samples = samples;
  options.rows = rows;
  options.seed = seed;
  options.threads = threads;
  options.batch = 20000;  // so that a batch is over in good time to be interrupted
  options.progress = [&progress](std::size_t done, std::size_t total) {
    const nb::gil_scoped_acquire acquire;
    report(progress, done, total);
  };
  return options;
}

std::vector<Matrix> matrices(const std::vector<Rows>& arrays) {
  std::vector<Matrix> result;
  for (const Rows& rows : arrays) result.push_back(matrix(rows));
  return result;
}

/// Classes by a Python function, which gives one number per row.
BatchClassifier batch_classifier(const nb::callable& classify) {
  return [&classify](MatrixView<const double> rows) {
    const nb::gil_scoped_acquire acquire;
    return indices(nb::cast<Indices>(classify(array_of(rows))));
  };
}

std::vector<FlippingResult> evaluate(const Model& model, const Rows& rows, const Rows& background,
                                     const std::vector<Rows>& relevance,
                                     std::optional<double> level, std::size_t samples,
                                     std::size_t max_rows, std::uint64_t seed, unsigned threads,
                                     const ProgressCallback& progress) {
  RowParts row_parts(rows), background_parts(background);
  const auto row_view = row_parts.all(), background_view = background_parts.all();
  const std::vector<Matrix> candidates = matrices(relevance);
  const EvaluateOptions options{flipping_options(samples, max_rows, seed, threads, progress),
                                Precision::f64, level};
  const nb::gil_scoped_release release;
  return evaluate_model(model, row_view, background_view, candidates, options).results;
}

std::vector<FlippingResult> flip(const nb::callable& classify, const Rows& rows,
                                 const Rows& background, const std::vector<Rows>& relevance,
                                 std::size_t samples, std::size_t max_rows, std::uint64_t seed,
                                 unsigned threads, const ProgressCallback& progress) {
  RowParts row_parts(rows), background_parts(background);
  const auto row_view = row_parts.all(), background_view = background_parts.all();
  const std::vector<Matrix> candidates = matrices(relevance);
  const FlippingOptions options = flipping_options(samples, max_rows, seed, threads, progress);
  const BatchClassifier classifier = batch_classifier(classify);
  const nb::gil_scoped_release release;
  const DensityEstimate density(background_view, threads);
  return flip_features(density, row_view, candidates, classifier, options);
}

}  // namespace

void bind_evaluation(nb::module_& m) {
  nb::class_<FlippingResult>(m, "FlippingResult")
      .def_prop_ro(
          "rows", [](const FlippingResult& self) { return array(self.rows); }, kOwned)
      .def_prop_ro(
          "aufc", [](const FlippingResult& self) { return array(self.aufc); }, kOwned)
      .def_ro("mean", &FlippingResult::mean)
      .def_ro("standard_error", &FlippingResult::standard_error)
      .def_prop_ro(
          "curve_x", [](const FlippingResult& self) { return array(self.curve_x); }, kOwned)
      .def_prop_ro(
          "curves", [](const FlippingResult& self) { return array_of(self.curves.view()); }, kOwned)
      .def_prop_ro(
          "mean_curve", [](const FlippingResult& self) { return array(self.mean_curve); }, kOwned);
  m.def(
      "rows_to_evaluate",
      [](std::size_t rows, std::size_t max_rows, std::uint64_t seed) {
        FlippingOptions options;
        options.rows = max_rows;
        options.seed = seed;
        return array(rows_to_evaluate(rows, options));
      },
      "rows"_a, "max_rows"_a, "seed"_a);
  m.def("evaluate_model", &evaluate, "model"_a, "rows"_a, "background"_a, "relevance"_a,
        "level"_a = nb::none(), "samples"_a = 50, "max_rows"_a = 300, "seed"_a = 0,
        "threads"_a = 0u, "progress"_a = nb::none());
  m.def("flip_features", &flip, "classify"_a, "rows"_a, "background"_a, "relevance"_a,
        "samples"_a = 50, "max_rows"_a = 300, "seed"_a = 0, "threads"_a = 0u,
        "progress"_a = nb::none());
}

}  // namespace bisector::python
