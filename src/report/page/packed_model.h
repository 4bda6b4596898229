// A model and its explanation settings as a list of numbers, the input of the library inside the
// page. Labels are packed as positions; the page has their names.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::report {

/// The first number of a packed model: the version of the layout.
inline constexpr double kPackedFormat = 7.0;

/// The methods of reports: the rules, Shapley values over a number of references, and the exact
/// path on f for kernels of the dot product.
using Rule = std::variant<EtaRule, PathRule, ExpectedPathRule, NeighborhoodRule, ExactShapley,
                          IntegratedGradients>;
/// Throws InvalidInput for other methods.
Rule rule_of(const Method& method, const Model& model);

struct PackedExplainer {
  Model model;
  Method method;
  ExplainOptions options;
};

/// Packs the model with the settings that `explainer`, made of the model and the options, resolved,
/// so that unpacking estimates nothing. The whole background is packed, because references and
/// neighbors are drawn from all of it.
std::vector<double> pack(const Model& model, const Explainer& explainer,
                         const ExplainOptions& options);

/// Throws InvalidModel for numbers that pack() did not write.
PackedExplainer unpack(std::span<const double> numbers);

}  // namespace bisector::report
