#include "core/explain/requirements.h"

#include <fmt/format.h>

#include "bisector/error.h"
#include "core/explain/baselines/batches.h"
#include "core/explain/settings.h"

namespace bisector::detail {
namespace {

std::string_view title(Method method) {
  switch (method) {
    case Method::gradient_times_input:
      return "gradient x input";
    case Method::integrated_gradients:
      return "integrated gradients";
    default:
      return name(method);
  }
}

bool needs_gradient(Method method) {
  return method == Method::gradient_times_input || method == Method::integrated_gradients ||
         method == Method::sensitivity;
}

void require_kernel_machine(const Model& model, Method method) {
  if (!has_ranked_pools(model)) return;
  const bool neighbors = std::holds_alternative<NeighborModel>(model.predictor());
  const std::string_view kind = neighbors ? "KNN" : "nearest centroids";
  if (needs_gradient(method))
    throw InvalidInput(fmt::format(
        "{} is not defined for {}: the outcome has steps, and no gradient; use lrp, occlusion or "
        "shapley",
        title(method), kind));
  if (method == Method::shapley_exact)
    throw InvalidInput(fmt::format(
        "shapley-exact is not defined for {}: it needs a Gaussian kernel; use shapley", kind));
}

void require_exact_shapley(const Model& model, const MethodOptions& options) {
  if (options.on == Explained::g)
    throw InvalidInput(
        "shapley-exact is not defined for g: it needs a sum of kernels, which f is; use shapley");
  if (model.input().has_matrix())
    throw InvalidInput(
        "shapley-exact is not exact behind a matrix: a feature of the data is then in many "
        "features of the kernel; use shapley");
}

/// An option that the method has no use for is a mistake, not noise.
void require_no_rule_options(Method method, const ExplainOptions& options) {
  const auto refuse = [&](bool given, std::string_view option) {
    if (given)
      throw InvalidInput(fmt::format("{} was given with method {}, expected lrp or lrp-path",
                                     option, name(method)));
  };
  refuse(options.eta.has_value(), "eta");
  refuse(options.beta.has_value(), "beta");
  refuse(options.kappa.has_value(), "kappa");
  refuse(options.ignore_intercept, "ignoring the intercept");
}

}  // namespace

void require_defined(const Model& model, Method method, const MethodOptions& options) {
  if (is_lrp(method)) return;
  require_kernel_machine(model, method);
  require_no_rule_options(method, options.explain);
  if (options.on == Explained::votes && !std::holds_alternative<NeighborModel>(model.predictor()))
    throw InvalidInput("votes are only cast by neighbours, expected f or g to be explained");
  if (method == Method::shapley_exact) require_exact_shapley(model, options);
  if (method == Method::integrated_gradients) require_some(options.steps, "steps");
  if (method == Method::shapley_sampling) require_some(options.sequences, "sequences");
}

}  // namespace bisector::detail
