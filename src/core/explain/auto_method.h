// The rule that Auto stands for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector::detail {

struct ChosenMethod {
  Method method;
  std::string reason;  // one sentence
};

/// SVMs of more features than this, such as of images, keep the paper's rule.
inline constexpr std::size_t kManyFeatures = 50;

/// The neighborhood's share in the data's view.
inline constexpr double kDataViewShare = 0.5;

/// Gaussian regressors and one-class machines take exact Shapley values where gamma s^2 is at least
/// so large (the rules on g see little of f there) and the features at most so many: their cost
/// grows with the square.
inline constexpr double kShapleyFrom = 2.5;
inline constexpr std::size_t kMaxShapleyFeatures = 30;
inline constexpr std::size_t kShapleyReferences = 60;

/// Whether exact Shapley values over references are defined for the model, and affordable.
bool can_be_shapley(const Model& model);

/// `gamma_s2`: of a kernel machine, gamma times the squared median distance.
ChosenMethod choose_method(const Model& model, const Method& asked, std::optional<double> gamma_s2);

}  // namespace bisector::detail
