// One front for all methods: the paper's rules and its baselines, with the same models, options and
// result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bisector/explain.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector {

enum class Method {
  lrp,                   // "lrp": the eta rule
  lrp_path,              // "lrp-path": the path rule
  gradient_times_input,  // "gi"
  integrated_gradients,  // "ig"
  sensitivity,           // "sensitivity"
  occlusion,             // "occlusion"
  shapley_sampling,      // "shapley"
  shapley_exact          // "shapley-exact": kernel machines, no matrix in front of them
};

/// All methods, in the order above.
BISECTOR_EXPORT const std::vector<Method>& all_methods();
BISECTOR_EXPORT std::string_view name(Method method);
/// Throws InvalidInput, which lists the names, for any other.
BISECTOR_EXPORT Method method_from_name(std::string_view name);

/// What a baseline explains, for the pair of classes that is explained; the lrp rules always
/// explain g.
enum class Explained {
  f,     // the decision value; neighbours: +1 where the first of the pair is predicted, else -1
  g,     // the network's, which does not saturate; gi is then the eta rule with eta = 0
  votes  // neighbours: how many more votes the first of the pair has
};

struct MethodOptions {
  /// Classes, level, reference, threads and precision are for every method; eta, beta, kappa and
  /// ignore_intercept for lrp and lrp-path alone. With a background and no reference,
  /// shapley-exact is the mean over the background's rows, each a reference in its turn: the value
  /// that KernelSHAP estimates.
  ExplainOptions explain;
  Explained on = Explained::f;
  std::size_t steps = 10;      // ig
  std::size_t sequences = 10;  // shapley
  std::size_t path_steps = 5;  // lrp-path
  std::uint64_t seed = 0;      // shapley
};

/// A model made ready for explaining many rows by one method. Safe to share between threads.
class BISECTOR_EXPORT MethodExplainer {
 public:
  /// Throws InvalidInput for a method or options that do not fit the model, InvalidModel for a
  /// model with nothing in one pool.
  MethodExplainer(const Model& model, Method method, const MethodOptions& options = {});
  MethodExplainer(MethodExplainer&&) noexcept;
  MethodExplainer& operator=(MethodExplainer&&) noexcept;
  ~MethodExplainer();

  /// `rows` QxD in the model's input space. `first_row` is the number of the first row in its file:
  /// it sets the random draws of "shapley", so that a file may be cut anywhere. All but the
  /// relevance is the same for every method.
  Explanation operator()(MatrixView<const double> rows, std::size_t first_row = 0) const;

  Method method() const;
  /// For baselines the reference and the pools are of interest; eta is then 0 and has no effect.
  const ExplainSettings& settings() const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

}  // namespace bisector
