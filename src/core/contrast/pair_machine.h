// The one kernel machine that speaks for a class against another.
#pragma once

#include <span>

#include "bisector/kernel_machine.h"
#include "bisector/model.h"

namespace bisector::detail {

/// The machine of two classes of a kernel model, positive where it speaks for `pair.positive`; of a
/// regressor, the prediction less `level` (the pair means nothing there). It
/// shares the model's points.
KernelMachine pair_machine(const Model& model, Model::ClassPair pair, double level = 0.0);

/// What it decides, from the decisions of all machines of the model.
double pair_decision(const Model& model, Model::ClassPair pair, std::span<const double> decisions,
                     double level = 0.0);

}  // namespace bisector::detail
