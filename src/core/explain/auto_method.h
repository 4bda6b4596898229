// The automatic choice of a method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector::detail {

struct ChosenMethod {
  Method method;
  std::string reason;     // one sentence
  std::string note = {};  // ExplainSettings::note
};

/// The share of the neighborhood rule in the data view.
inline constexpr double kDataViewShare = 0.5;

/// Regressors and one-class machines with a product kernel, and classifiers for which lrp-path says
/// something else than the output, take exact Shapley values over this
/// number of references, if their points have at most kMaxShapleyNumbers numbers. The cost per row
/// grows with references x numbers; at the limit it is about 20 milliseconds.
inline constexpr std::size_t kShapleyReferences = 60;
inline constexpr std::size_t kMaxShapleyNumbers = 100000;

/// The reason names a faster method if the chosen one costs more than this many times lrp.
inline constexpr std::size_t kExpensive = 50;

/// The name of a method whose contributions add up to the output, for a model and a method whose
/// contributions may not; empty for methods that add up.
std::string method_that_adds_up(const Model& model, const Method& method);

/// True if exact Shapley values over references are defined for the model.
bool has_shapley_values(const Model& model);
/// True if they are defined and affordable.
bool can_be_shapley(const Model& model);

/// The method that Auto is resolved to, or the one asked for. The choice for kernel classifiers
/// needs Model::auto_check().
ChosenMethod choose_method(const Model& model, const Method& asked);

/// The model with its check if Auto was asked for in the model view, else the model.
Model checked_for(const Method& asked, const Model& model,
                  const std::optional<Background>& background, unsigned threads);

/// The seed of a method's random draws, 0 if it has none.
std::uint64_t seed_of(const Method& method);
/// An estimate of how often a method evaluates the model to explain one row.
std::size_t evaluations(const Method& method, std::size_t features);

}  // namespace bisector::detail
