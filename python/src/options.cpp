#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/explain.h"
#include "bisector/methods.h"

namespace bisector::python {
namespace {

void bind_explain_options(nb::module_& m) {
  nb::enum_<Precision>(m, "Precision")
      .value("double", Precision::f64)
      .value("float", Precision::f32);
  nb::enum_<Reference::Kind>(m, "ReferenceKind")
      .value("automatic", Reference::Kind::automatic)
      .value("origin", Reference::Kind::origin)
      .value("mean", Reference::Kind::mean)
      .value("given", Reference::Kind::given);
  nb::class_<ExplainOptions>(m, "ExplainOptions")
      .def(nb::init<>())
      .def_rw("eta", &ExplainOptions::eta, nb::arg().none())
      .def_rw("beta", &ExplainOptions::beta, nb::arg().none())
      .def_rw("kappa", &ExplainOptions::kappa, nb::arg().none())
      .def_rw("ignore_intercept", &ExplainOptions::ignore_intercept)
      .def_rw("of_class", &ExplainOptions::of_class, nb::arg().none())
      .def_rw("versus", &ExplainOptions::versus, nb::arg().none())
      .def_rw("level", &ExplainOptions::level, nb::arg().none())
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

void bind_method_options(nb::module_& m) {
  nb::enum_<Explained>(m, "Explained")
      .value("f", Explained::f)
      .value("g", Explained::g)
      .value("votes", Explained::votes);
  nb::class_<MethodOptions>(m, "MethodOptions")
      .def(nb::init<>())
      .def_rw("explain", &MethodOptions::explain)
      .def_rw("on", &MethodOptions::on)
      .def_rw("steps", &MethodOptions::steps)
      .def_rw("sequences", &MethodOptions::sequences)
      .def_rw("path_steps", &MethodOptions::path_steps)
      .def_rw("seed", &MethodOptions::seed);
}

void bind_settings(nb::module_& m) {
  nb::class_<ExplainSettings>(m, "ExplainSettings")
      .def_ro("eta", &ExplainSettings::eta)
      .def_ro("gamma", &ExplainSettings::gamma)
      .def_ro("beta", &ExplainSettings::beta)
      .def_ro("median_distance", &ExplainSettings::median_distance)
      .def_ro("k", &ExplainSettings::k)
      .def_ro("kappa", &ExplainSettings::kappa)
      .def_ro("level", &ExplainSettings::level)
      .def_ro("path_steps", &ExplainSettings::path_steps)
      .def_prop_ro(
          "reference", [](const ExplainSettings& self) { return array(self.reference); }, kOwned)
      .def_ro("reference_name", &ExplainSettings::reference_name)
      .def_ro("positive", &ExplainSettings::positive)
      .def_ro("negative", &ExplainSettings::negative);
}

}  // namespace

void bind_options(nb::module_& m) {
  bind_explain_options(m);
  bind_method_options(m);
  bind_settings(m);
}

}  // namespace bisector::python
