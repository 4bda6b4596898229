// A model and how to explain it as a row of numbers: what the page hands to the library inside it.
// Labels go by their positions; the page has the names.
#pragma once

#include <span>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::report {

struct PackedExplainer {
  Model model;
  EtaRule rule;
  ExplainOptions options;
};

/// `settings` are what an Explainer with `rule` and `options` resolved to, so that nothing has to
/// be found out again where the model is unpacked.
std::vector<double> pack(const Model& model, const EtaRule& rule, const ExplainOptions& options,
                         const ExplainSettings& settings);

/// Throws InvalidModel for numbers that pack did not make.
PackedExplainer unpack(std::span<const double> numbers);

}  // namespace bisector::report
