// The parts of the module, one source file each.
#pragma once

#include <nanobind/nanobind.h>

#include "bisector/enum_names.h"
#include "bisector/method_table.h"

namespace bisector::python {

void bind_models(nanobind::module_& m);
void bind_distance_models(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_explainers(nanobind::module_& m);
void bind_evaluation(nanobind::module_& m);
void bind_choosing(nanobind::module_& m);
void bind_interactions(nanobind::module_& m);
void bind_flips(nanobind::module_& m);

/// Binds an enum with the names of its values.
template <NamedEnum E>
void bind_enum(nanobind::module_& m, const char* python_name) {
  nanobind::enum_<E> bound(m, python_name);
  // The names are string literals, so they end with a null character.
  for (const E value : enum_values<E>()) bound.value(name(value).data(), value);
}

/// A dictionary of parameters by name. Throws InvalidInput later, where a method is made of them.
MethodParameters method_parameters(const nanobind::dict& given);

}  // namespace bisector::python
