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

/// Classifiers of more features than this, such as images, keep the paper's rule.
inline constexpr std::size_t kManyFeatures = 50;

/// The neighbourhood's share in the data's view.
inline constexpr double kDataViewShare = 0.5;

ChosenMethod choose_method(const Model& model, const Method& asked);

}  // namespace bisector::detail
