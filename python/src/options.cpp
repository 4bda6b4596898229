#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/explain.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

void bind_explain_options(nb::module_& m) {
  nb::enum_<Precision>(m, "Precision")
      .value("double", Precision::float64)
      .value("float", Precision::float32);
  nb::enum_<Reference::Kind>(m, "ReferenceKind")
      .value("automatic", Reference::Kind::automatic)
      .value("origin", Reference::Kind::origin)
      .value("mean", Reference::Kind::mean)
      .value("given", Reference::Kind::given);
  nb::enum_<Unit>(m, "Unit")
      .value("g", Unit::g)
      .value("decision", Unit::decision)
      .value("share", Unit::share);
  nb::class_<ExplainOptions>(m, "ExplainOptions")
      .def(nb::init<>())
      .def_rw("positive_class", &ExplainOptions::positive_class, nb::arg().none())
      .def_rw("versus", &ExplainOptions::versus, nb::arg().none())
      .def_rw("level", &ExplainOptions::level, nb::arg().none())
      .def_rw("unit", &ExplainOptions::unit)
      .def_rw("precision", &ExplainOptions::precision)
      .def_rw("threads", &ExplainOptions::threads)
      .def("set_reference",
           [](ExplainOptions& self, Reference::Kind kind) {
             self.reference = {kind, {}};
           })
      .def("set_reference_point",
           [](ExplainOptions& self, const Vector& point) {
             self.reference = {Reference::Kind::given, vector(point)};
           })
      .def("set_background",
           [](ExplainOptions& self, const Rows& rows) { self.background = matrix(rows); });
}

void bind_methods(nb::module_& m) {
  nb::enum_<ExplainedOutput>(m, "ExplainedOutput")
      .value("f", ExplainedOutput::f)
      .value("g", ExplainedOutput::g)
      .value("votes", ExplainedOutput::votes);
  nb::enum_<ReferenceSide>(m, "ReferenceSide")
      .value("all", ReferenceSide::all)
      .value("other", ReferenceSide::other)
      .value("both", ReferenceSide::both);
  nb::enum_<View>(m, "View").value("model", View::model).value("data", View::data);
  nb::class_<Method>(m, "Method").def_prop_ro("name", [](const Method& self) {
    return std::string(name(self));
  });
  nb::class_<MethodParameters>(m, "MethodParameters")
      .def(nb::init<>())
      .def_rw("eta", &MethodParameters::eta, nb::arg().none())
      .def_rw("beta", &MethodParameters::beta, nb::arg().none())
      .def_rw("kappa", &MethodParameters::kappa, nb::arg().none())
      .def_rw("ignore_intercept", &MethodParameters::ignore_intercept, nb::arg().none())
      .def_rw("steps", &MethodParameters::steps, nb::arg().none())
      .def_rw("path_steps", &MethodParameters::path_steps, nb::arg().none())
      .def_rw("references", &MethodParameters::references, nb::arg().none())
      .def_rw("side", &MethodParameters::side, nb::arg().none())
      .def_rw("neighborhood", &MethodParameters::neighborhood, nb::arg().none())
      .def_rw("view", &MethodParameters::view, nb::arg().none())
      .def_rw("sequences", &MethodParameters::sequences, nb::arg().none())
      .def_rw("seed", &MethodParameters::seed, nb::arg().none())
      .def_rw("output", &MethodParameters::output, nb::arg().none());
  m.def("method", &method_from_name, "name"_a, "parameters"_a,
        "A method by its name; a parameter of None has its default.");
}

void bind_settings(nb::module_& m) {
  nb::class_<ExplainSettings>(m, "ExplainSettings")
      .def_ro("method", &ExplainSettings::method)
      .def_ro("reason", &ExplainSettings::reason)
      .def_ro("eta", &ExplainSettings::eta)
      .def_ro("gamma", &ExplainSettings::gamma)
      .def_ro("beta", &ExplainSettings::beta)
      .def_ro("median_distance", &ExplainSettings::median_distance)
      .def_ro("k", &ExplainSettings::k)
      .def_ro("kappa", &ExplainSettings::kappa)
      .def_ro("level", &ExplainSettings::level)
      .def_ro("path_steps", &ExplainSettings::path_steps)
      .def_ro("references", &ExplainSettings::references)
      .def_ro("side", &ExplainSettings::side)
      .def_ro("neighborhood", &ExplainSettings::neighborhood)
      .def_ro("unit", &ExplainSettings::unit)
      .def_prop_ro(
          "reference", [](const ExplainSettings& self) { return array(self.reference); }, kOwned)
      .def_ro("reference_name", &ExplainSettings::reference_name)
      .def_ro("positive", &ExplainSettings::positive)
      .def_ro("negative", &ExplainSettings::negative);
}

}  // namespace

void bind_options(nb::module_& m) {
  bind_explain_options(m);
  bind_methods(m);
  bind_settings(m);
}

}  // namespace bisector::python
