// The rule that Auto stands for.
#pragma once

#include <string>

#include "bisector/explain.h"
#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector::detail {

struct ChosenMethod {
  Method method;
  std::string reason;  // one sentence
};

/// The settings have what the model brings: gamma and the data's median distance, or k.
ChosenMethod choose_method(const Model& model, const Method& asked,
                           const ExplainSettings& settings);

}  // namespace bisector::detail
