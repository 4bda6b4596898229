#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bisector/explain.h"
#include "bisector/method_table.h"

namespace bisector::python {
namespace {

using namespace nb::literals;

void bind_explain_options(nb::module_& m) {
  bind_enum<Precision>(m, "Precision");
  bind_enum<Reference::Kind>(m, "ReferenceKind");
  bind_enum<Unit>(m, "Unit");
  nb::class_<ExplainOptions>(m, "ExplainOptions")
      .def(nb::init<>())
      .def_rw("positive_class", &ExplainOptions::positive_class, nb::arg().none())
      .def_rw("versus", &ExplainOptions::versus, nb::arg().none())
      .def_rw("level", &ExplainOptions::level, nb::arg().none())
      .def_rw("players", &ExplainOptions::players)
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

nb::object value_object(const std::optional<ParameterValue>& value) {
  if (!value) return nb::none();
  return std::visit([](const auto& held) { return nb::cast(held); }, value->held());
}

nb::dict parameter_dict(const SharedParameter& parameter) {
  nb::dict result;
  result["name"] = parameter.info.name;
  result["type"] = name(parameter.info.type);
  result["choices"] = parameter.info.choices;
  result["expected"] = expected_text(parameter.info);
  result["methods"] = parameter.methods;
  result["help"] = parameter.help;
  return result;
}

nb::dict method_dict(const MethodInfo& method) {
  nb::list parameters;
  for (const ParameterInfo& info : method.parameters) parameters.append(info.name);
  nb::dict result;
  result["name"] = method.name;
  result["title"] = method.title;
  result["help"] = method.help;
  result["citation"] = method.citation;
  result["parameters"] = parameters;
  return result;
}

void bind_methods(nb::module_& m) {
  bind_enum<View>(m, "View");
  nb::class_<Method>(m, "Method").def_prop_ro("name", [](const Method& self) {
    return std::string(name(self));
  });
  m.def(
      "method",
      [](std::string_view wanted, const nb::dict& given) {
        return method_from_name(wanted, method_parameters(given));
      },
      "name"_a, "parameters"_a, "A method by its name; absent parameters have their defaults.");
  m.def(
      "method_table",
      [] {
        nb::list table;
        for (const MethodInfo& method : method_table()) table.append(method_dict(method));
        return table;
      },
      "All methods: a dictionary each with name, title, help, citation and parameters.");
  m.def(
      "parameter_table",
      [] {
        nb::list table;
        for (const SharedParameter& parameter : parameter_table())
          table.append(parameter_dict(parameter));
        return table;
      },
      "All parameters of methods: a dictionary each, with the methods that have it and help.");
}

void bind_settings(nb::module_& m) {
  nb::class_<ExplainSettings>(m, "ExplainSettings")
      .def_ro("method", &ExplainSettings::method)
      .def_ro("reason", &ExplainSettings::reason)
      .def_ro("note", &ExplainSettings::note)
      .def_ro("eta", &ExplainSettings::eta)
      .def_ro("gamma", &ExplainSettings::gamma)
      .def_ro("beta", &ExplainSettings::beta)
      .def_ro("median_distance", &ExplainSettings::median_distance)
      .def_ro("k", &ExplainSettings::k)
      .def_ro("kappa", &ExplainSettings::kappa)
      .def_ro("level", &ExplainSettings::level)
      .def_prop_ro("parameters",
                   [](const ExplainSettings& self) {
                     nb::dict found;
                     for (const auto& [parameter, value] : self.parameters)
                       found[parameter.c_str()] = value_object(value);
                     return found;
                   })
      .def_ro("cost", &ExplainSettings::cost)
      .def_ro("unit", &ExplainSettings::unit)
      .def_ro("averages_points", &ExplainSettings::averages_points)
      .def_ro("adds_up", &ExplainSettings::adds_up)
      .def_prop_ro("reference", as_array(&ExplainSettings::reference), kOwned)
      .def_ro("reference_name", &ExplainSettings::reference_name)
      .def_ro("positive", &ExplainSettings::positive)
      .def_ro("negative", &ExplainSettings::negative);
}

}  // namespace

MethodParameters method_parameters(const nb::dict& given) {
  MethodParameters parameters;
  for (const auto& [key, value] : given) {
    const auto add = [&, name = nb::cast<std::string>(key)](auto held) {
      parameters.emplace(name, ParameterValue(held));
    };
    if (nb::isinstance<nb::bool_>(value))
      add(nb::cast<bool>(value));
    else if (nb::isinstance<nb::int_>(value))
      add(nb::cast<std::int64_t>(value));
    else if (nb::isinstance<nb::float_>(value))
      add(nb::cast<double>(value));
    else
      add(std::string_view(nb::cast<std::string>(value)));
  }
  return parameters;
}

void bind_options(nb::module_& m) {
  bind_explain_options(m);
  bind_methods(m);
  bind_settings(m);
}

}  // namespace bisector::python
