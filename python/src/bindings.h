// The parts of the module, one source file each.
#pragma once

#include <nanobind/nanobind.h>

#include "bisector/method_table.h"

namespace bisector::python {

void bind_models(nanobind::module_& m);
void bind_distance_models(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_explainers(nanobind::module_& m);
void bind_baselines(nanobind::module_& m);
void bind_evaluation(nanobind::module_& m);
void bind_choosing(nanobind::module_& m);
void bind_interactions(nanobind::module_& m);
void bind_flips(nanobind::module_& m);

/// A dictionary of parameters by name. Throws InvalidInput later, where a method is made of them.
MethodParameters method_parameters(const nanobind::dict& given);

}  // namespace bisector::python
