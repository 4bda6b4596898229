// The rule that Auto stands for.
#pragma once

#include <cstddef>
#include <string>

#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector::detail {

struct ChosenMethod {
  Method method;
  std::string reason;  // one sentence
};

/// Kernel classifiers of more features than this, such as images, keep the paper's rule: in so many
/// dimensions the gradients on the way to a row say little.
inline constexpr std::size_t kManyFeatures = 100;

ChosenMethod choose_method(const Model& model, const Method& asked);

}  // namespace bisector::detail
