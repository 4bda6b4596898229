// What runs: the method, the parameters that it leaves open, the reference point and the classes
// are decided here, and nowhere else.
#pragma once

#include <memory>
#include <optional>

#include "bisector/explain.h"
#include "core/contrast/contrasts.h"
#include "core/methods/rules.h"

namespace bisector::detail {

struct Resolved {
  Method method;  // the method that Auto was resolved to, or the one asked for
  ExplainSettings settings;
  Lrp lrp;  // of a baseline eta is 0, the cheapest: its decisions do not depend on it
  std::shared_ptr<const RelevanceRule> rule;  // of this eta
  ContrastOptions contrasts;
  double neighborhood = 0.0;  // share of the neighborhood rule: 1 if it is the method
};

/// `background`: the one that is used. Throws InvalidInput for a method or options that do not fit
/// the model.
Resolved resolve(const Model& model, const Method& method, const ExplainOptions& options,
                 const std::optional<Background>& background);

/// The level at which a regressor is explained: the given one, else the mean of the training target
/// if the model knows it, else 0. Nothing for classifiers. Throws InvalidInput for a level that is
/// not finite, and for a classifier with a level.
std::optional<double> resolve_level(const Model& model, std::optional<double> level);

/// True if the points' mean is too far from the origin for the origin to be a reference: for at
/// least half of the features it is more than one standard deviation away, and more than five
/// standard errors, so that a few points are no evidence.
bool is_off_center(const SharedMatrix& points);

/// eta of lrp for kernel machines: median{0, 0.4 log10(gamma s^2) + 0.4, 1} with s the median
/// distance between samples.
double kernel_eta(double gamma, double median_distance);
/// eta of lrp-path for neighbors.
inline constexpr double kNeighborPathEta = 0.35;

}  // namespace bisector::detail
