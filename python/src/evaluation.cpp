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

/// In batches that are over in good time to be interrupted.
PixelFlippingOptions told(PixelFlippingOptions options, const ProgressCallback& progress) {
  options.batch = 20000;
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

Evaluation evaluate_candidates(const Model& model, const Rows& rows, const Rows& background,
                               const std::vector<Candidate>& candidates,
                               const ExplainOptions& explain, const PixelFlippingOptions& flipping,
                               std::optional<Donors> donors, const ProgressCallback& progress) {
  RowParts row_parts(rows), background_parts(background);
  const auto row_view = row_parts.all(), background_view = background_parts.all();
  EvaluateOptions options;
  options.flipping = told(flipping, progress);
  options.explain = explain;
  options.donors = donors;
  const WithoutLock without_lock;
  return evaluate(model, row_view, background_view, candidates, options);
}

/// Evaluates given relevance; the whole background are donor rows.
Evaluation flip(const nb::callable& classify, const Rows& rows, const Rows& donors,
                const std::vector<Rows>& relevance, const PixelFlippingOptions& flipping,
                const ProgressCallback& progress) {
  RowParts row_parts(rows), donor_parts(donors);
  const auto row_view = row_parts.all(), donor_view = donor_parts.all();
  const std::vector<Matrix> candidates = matrices(relevance);
  const PixelFlippingOptions options = told(flipping, progress);
  const BatchClassifier classifier = batch_classifier(classify);
  const WithoutLock without_lock;
  const DensityEstimate density(donor_view, options.threads);
  Evaluation evaluation;
  evaluation.results = pixel_flipping(density, row_view, candidates, classifier, options);
  evaluation.comparison = compare_to_best(evaluation.results);
  return evaluation;
}

void bind_flipping(nb::module_& m) {
  bind_enum<Imputer>(m, "Imputer");
  m.def("default_imputer", &default_imputer, "model"_a);
  nb::class_<PixelFlippingOptions>(m, "PixelFlippingOptions")
      .def(nb::init<>())
      .def_rw("samples", &PixelFlippingOptions::samples)
      .def_rw("rows", &PixelFlippingOptions::rows)
      .def_rw("seed", &PixelFlippingOptions::seed)
      .def_rw("imputer", &PixelFlippingOptions::imputer)
      .def_rw("threads", &PixelFlippingOptions::threads);
  nb::class_<PixelFlippingResult>(m, "PixelFlippingResult")
      .def_prop_ro("aufc", as_array(&PixelFlippingResult::aufc), kOwned)
      .def_ro("mean", &PixelFlippingResult::mean)
      .def_ro("standard_error", &PixelFlippingResult::standard_error)
      .def_prop_ro("curve_x", as_array(&PixelFlippingResult::curve_x), kOwned)
      .def_prop_ro("curves", as_array(&PixelFlippingResult::curves), kOwned)
      .def_prop_ro("mean_curve", as_array(&PixelFlippingResult::mean_curve), kOwned);
  m.def(
      "rows_to_evaluate",
      [](std::size_t rows, const PixelFlippingOptions& options) {
        return array(rows_to_evaluate(rows, options));
      },
      "rows"_a, "options"_a);
}

void bind_donors(nb::module_& m) {
  bind_enum<Donors>(m, "Donors");
  nb::class_<DonorSplit>(m, "DonorSplit")
      .def_ro("donors", &DonorSplit::donors)
      .def_prop_ro("rule", as_array(&DonorSplit::rule), kOwned)
      .def_prop_ro("imputation", as_array(&DonorSplit::imputation), kOwned);
  m.def("split_donors", &split_donors, "rows"_a, "wanted"_a.none(), "seed"_a);
}

void bind_candidates(nb::module_& m) {
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
          "relevance"_a, "Oriented to the prediction.");
  m.def(
      "candidates_from_names",
      [](const std::vector<std::string>& names, const nb::dict& parameters, std::uint64_t seed) {
        return candidates_from_names(names, method_parameters(parameters), seed);
      },
      "names"_a, "parameters"_a, "seed"_a);
}

void bind_results(nb::module_& m) {
  nb::class_<PairedDifference>(m, "PairedDifference")
      .def_ro("mean", &PairedDifference::mean)
      .def_ro("standard_error", &PairedDifference::standard_error);
  nb::class_<Evaluation>(m, "Evaluation")
      .def_ro("results", &Evaluation::results)
      .def_prop_ro("to_best", [](const Evaluation& self) { return self.comparison.to_best; })
      .def_rw("donors", &Evaluation::donors);
}

}  // namespace

void bind_evaluation(nb::module_& m) {
  bind_flipping(m);
  bind_donors(m);
  bind_candidates(m);
  bind_results(m);
  m.def("evaluate", &evaluate_candidates, "model"_a, "rows"_a, "background"_a, "candidates"_a,
        "explain"_a, "flipping"_a, "donors"_a = nb::none(), "progress"_a = nb::none());
  m.def("pixel_flipping", &flip, "classify"_a, "rows"_a, "donors"_a, "relevance"_a, "flipping"_a,
        "progress"_a = nb::none());
}

}  // namespace bisector::python
