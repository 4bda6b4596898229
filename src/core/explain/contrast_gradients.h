// Gradients of g at rows with given pairs of classes, for networks before a model.
#pragma once

#include <span>

#include "bisector/explain.h"
#include "core/contrast/contrasts.h"

namespace bisector::detail {

/// Throws InvalidInput for models with categories, which have no gradient, and for pairs that the
/// model does not have.
ContrastGradients contrast_gradients(const Contrasts& contrasts, MatrixView<const double> rows,
                                     std::span<const Model::ClassPair> pairs);

}  // namespace bisector::detail
