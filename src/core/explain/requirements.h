// Which methods and options fit which models.
#pragma once

#include "bisector/methods.h"

namespace bisector::detail {

/// The rules of src/explain, as against the baselines.
constexpr bool is_lrp(Method method) { return method == Method::lrp || method == Method::lrp_path; }

/// Throws InvalidInput where the method is not defined for the model, or an option for the method.
void require_defined(const Model& model, Method method, const MethodOptions& options);

}  // namespace bisector::detail
