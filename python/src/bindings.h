// The parts of the module, one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace bisector::python {

void bind_models(nanobind::module_& m);
void bind_distance_models(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_explainers(nanobind::module_& m);
void bind_baselines(nanobind::module_& m);
void bind_evaluation(nanobind::module_& m);
void bind_choosing(nanobind::module_& m);

}  // namespace bisector::python
