// Which rule is the most faithful one for a model, measured.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/choose.h"
#include "progress.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

Model measured_model(const Model& model, const Rows& background, View view, std::uint64_t seed,
                     const ExplainOptions& explain, const ProgressCallback& progress) {
  RowParts parts(background);
  const auto rows = parts.all();
  ChooseOptions options;
  options.view = view;
  options.seed = seed;
  options.explain = explain;
  options.progress = [&progress](std::size_t done, std::size_t total) {
    const nb::gil_scoped_acquire acquire;
    report(progress, done, total);
  };
  const WithoutLock without_lock;
  return model.with_measured(choose(model, rows, options).measured);
}

}  // namespace

void bind_choosing(nb::module_& m) {
  m.def("measured_model", &measured_model, "model"_a, "background"_a, "view"_a, "seed"_a,
        "explain"_a, "progress"_a = nb::none(),
        "The model with the rule that was measured for it, which auto then takes.");
}

}  // namespace bisector::python
