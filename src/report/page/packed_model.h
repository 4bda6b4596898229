// A model and how to explain it as a row of numbers: what the page hands to the library inside it.
// Labels go by their positions; the page has the names.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"

namespace bisector::report {

/// What a report can show: relevance that a rule brings back to the features, and what auto takes
/// where there is no such rule: Shapley values over a number of references (some regressors), and
/// the exact path on f (kernels of the dot product).
using Rule = std::variant<EtaRule, PathRule, ExpectedPathRule, NeighborhoodRule, ExactShapley,
                          IntegratedGradients>;
/// True where the kernel is one of the dot product, for which there are no pairs of points.
bool is_explained_on_f(const Model& model);
/// Throws InvalidInput for other baselines.
Rule rule_of(const Method& method, const Model& model);

struct PackedExplainer {
  Model model;
  Method method;
  ExplainOptions options;
};

/// `explainer` is one of the model with the options: what it resolved them to is packed, so that
/// nothing has to be found out again where the model is unpacked. The background goes along as a
/// whole, since references and neighbors are drawn from all of it.
std::vector<double> pack(const Model& model, const Explainer& explainer,
                         const ExplainOptions& options);

/// Throws InvalidModel for numbers that pack did not make.
PackedExplainer unpack(std::span<const double> numbers);

}  // namespace bisector::report
