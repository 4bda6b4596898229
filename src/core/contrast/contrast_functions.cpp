#include "core/contrast/contrast_functions.h"

#include <fmt/format.h>

#include "bisector/error.h"

namespace bisector::detail {

bool has_dot_product(const Model& model) {
  return model.kernel() != nullptr && !model.kernel()->is_of_distance();
}

ContrastFunctions::ContrastFunctions(const Model& model, double level, unsigned threads,
                                     std::shared_ptr<const RankedPools> ranked, PairPools soft)
    : model_(model),
      level_(level),
      threads_(threads),
      pools_(std::move(soft)),
      is_dot_(has_dot_product(model)) {
  if (ranked) ranked_.emplace(model, std::move(ranked), threads);
}

std::string_view ContrastFunctions::kind() const {
  if (std::holds_alternative<CentroidModel>(model_.predictor())) return "nearest centroids";
  return model_.is_detector() ? "detectors by neighbors" : "KNN";
}

void ContrastFunctions::require_output(ExplainedOutput output) const {
  if (output == ExplainedOutput::votes &&
      !std::holds_alternative<NeighborModel>(model_.predictor()))
    throw InvalidInput("votes are only cast by neighbors, expected f or g to be explained");
}

void ContrastFunctions::require_gradient(std::string_view method) const {
  if (ranked_)
    throw InvalidInput(fmt::format(
        "{} is not defined for {}: the outcome has steps, and no gradient; use lrp, occlusion or "
        "shapley",
        method, kind()));
  if (!model_.distance().categories().empty())
    throw InvalidInput(fmt::format(
        "{} is not defined for categories, which have no gradient; use lrp, occlusion or shapley",
        method));
}

BatchFunction ContrastFunctions::value(Model::ClassPair pair, ExplainedOutput output) const {
  if (ranked_) {
    const auto compute = output == ExplainedOutput::g       ? &RankedContrastFunction::g
                         : output == ExplainedOutput::votes ? &RankedContrastFunction::votes
                                                            : &RankedContrastFunction::f;
    return [this, compute, pair](auto rows, auto values) {
      ((*ranked_).*compute)(pair, rows, values);
    };
  }
  if (is_dot_)
    return [&contrast = dot_function(pair)](auto rows, auto values) { contrast.f(rows, values); };
  const auto compute =
      output == ExplainedOutput::g ? &SoftContrastFunction::g : &SoftContrastFunction::f;
  return [&contrast = soft_function(pair), compute](auto rows, auto values) {
    (contrast.*compute)(rows, values);
  };
}

BatchGradient ContrastFunctions::gradient(Model::ClassPair pair, ExplainedOutput output) const {
  if (is_dot_)
    return [&contrast = dot_function(pair)](auto rows, auto gradients) {
      contrast.f_gradient(rows, gradients);
    };
  const auto compute = output == ExplainedOutput::g ? &SoftContrastFunction::g_gradient
                                                    : &SoftContrastFunction::f_gradient;
  return [&contrast = soft_function(pair), compute](auto rows, auto gradients) {
    (contrast.*compute)(rows, gradients);
  };
}

std::optional<std::size_t> ContrastFunctions::exact_nodes(Model::ClassPair pair) const {
  return is_dot_ ? std::optional(dot_function(pair).exact_nodes()) : std::nullopt;
}

const DotContrastFunction& ContrastFunctions::dot_function(Model::ClassPair pair) const {
  return dot_.get(pair, [this](Model::ClassPair of) {
    return std::make_unique<const DotContrastFunction>(model_, of, level_, threads_);
  });
}

const SoftContrastFunction& ContrastFunctions::soft_function(Model::ClassPair pair) const {
  return soft_.get(pair, [this](Model::ClassPair of) {
    return std::make_unique<const SoftContrastFunction>(model_, pools_(of), threads_);
  });
}

}  // namespace bisector::detail
