// The kernel machine of one pair of classes.
#pragma once

#include <span>

#include "bisector/kernel_machine.h"
#include "bisector/model.h"

namespace bisector::detail {

/// The machine of two classes of a kernel model, positive for `pair.positive`. For regressors it is
/// the prediction minus `level`, and the pair is ignored. It shares the model's points.
KernelMachine pair_machine(const Model& model, Model::ClassPair pair, double level = 0.0);

/// The decision value of a pair's machine, from the decision values of all machines of the model.
double pair_decision(const Model& model, Model::ClassPair pair, std::span<const double> decisions,
                     double level = 0.0);

}  // namespace bisector::detail
