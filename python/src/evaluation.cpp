#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/evaluate.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

PixelFlippingOptions flipping_options(std::size_t samples, std::size_t rows, std::uint64_t seed,
                                      unsigned threads, const ProgressCallback& progress) {
  PixelFlippingOptions options;
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

std::vector<PixelFlippingResult> evaluate_candidates(
    const Model& model, const Rows& rows, const Rows& background,
    const std::vector<Candidate>& candidates, const ExplainOptions& explain, std::size_t samples,
    std::size_t max_rows, std::uint64_t seed, unsigned threads, const ProgressCallback& progress) {
  RowParts row_parts(rows), background_parts(background);
  const auto row_view = row_parts.all(), background_view = background_parts.all();
  EvaluateOptions options;
  options.flipping = flipping_options(samples, max_rows, seed, threads, progress);
  options.explain = explain;
  const nb::gil_scoped_release release;
  return evaluate(model, row_view, background_view, candidates, options).results;
}

std::vector<PixelFlippingResult> flip(const nb::callable& classify, const Rows& rows,
                                      const Rows& background, const std::vector<Rows>& relevance,
                                      std::size_t samples, std::size_t max_rows, std::uint64_t seed,
                                      unsigned threads, const ProgressCallback& progress) {
  RowParts row_parts(rows), background_parts(background);
  const auto row_view = row_parts.all(), background_view = background_parts.all();
  const std::vector<Matrix> candidates = matrices(relevance);
  const PixelFlippingOptions options = flipping_options(samples, max_rows, seed, threads, progress);
  const BatchClassifier classifier = batch_classifier(classify);
  const nb::gil_scoped_release release;
  const DensityEstimate density(background_view, threads);
  return pixel_flipping(density, row_view, candidates, classifier, options);
}

}  // namespace

void bind_evaluation(nb::module_& m) {
  nb::class_<PixelFlippingResult>(m, "PixelFlippingResult")
      .def_prop_ro(
          "rows", [](const PixelFlippingResult& self) { return array(self.rows); }, kOwned)
      .def_prop_ro(
          "aufc", [](const PixelFlippingResult& self) { return array(self.aufc); }, kOwned)
      .def_ro("mean", &PixelFlippingResult::mean)
      .def_ro("standard_error", &PixelFlippingResult::standard_error)
      .def_prop_ro(
          "curve_x", [](const PixelFlippingResult& self) { return array(self.curve_x); }, kOwned)
      .def_prop_ro(
          "curves", [](const PixelFlippingResult& self) { return array_of(self.curves.view()); },
          kOwned)
      .def_prop_ro(
          "mean_curve", [](const PixelFlippingResult& self) { return array(self.mean_curve); },
          kOwned);
  m.def(
      "rows_to_evaluate",
      [](std::size_t rows, std::size_t max_rows, std::uint64_t seed) {
        PixelFlippingOptions options;
        options.rows = max_rows;
        options.seed = seed;
        return array(rows_to_evaluate(rows, options));
      },
      "rows"_a, "max_rows"_a, "seed"_a);
  nb::class_<Candidate>(m, "Candidate")
      .def_static(
          "of_method",
          [](const Method& method) {
            return Candidate{std::string(name(method)), method};
          },
          "method"_a)
      .def_static(
          "of_relevance",
          [](const Rows& relevance) {
            return Candidate{"the relevance", GivenRelevance{matrix(relevance)}};
          },
          "relevance"_a, "Oriented to the prediction.")
      .def_static("of_name", &candidate_from_name, "name"_a, "seed"_a = 0);
  m.def("evaluate", &evaluate_candidates, "model"_a, "rows"_a, "background"_a, "candidates"_a,
        "explain"_a, "samples"_a = 50, "max_rows"_a = 300, "seed"_a = 0, "threads"_a = 0u,
        "progress"_a = nb::none());
  m.def("pixel_flipping", &flip, "classify"_a, "rows"_a, "background"_a, "relevance"_a,
        "samples"_a = 50, "max_rows"_a = 300, "seed"_a = 0, "threads"_a = 0u,
        "progress"_a = nb::none());
}

}  // namespace bisector::python
