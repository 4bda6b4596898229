// The methods of explanation as data: rules of layer-wise relevance propagation on the neuralized
// model, and the baselines that others use. Each is a small struct with its parameters, its formula
// and where it comes from; Explainer makes any of them ready for a model.
//
// x is the row, r the reference point that stands for "feature absent", f the model's output for
// the pair of classes that is explained, g the neuralized output, and u the model's points with
// their responsibilities p, which sum to one in either pool P and N.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "bisector/export.h"

namespace bisector {

/// How the rules share responsibility among a pool's points. Every default means "as the paper's
/// heuristics say".
struct Responsibilities {
  std::optional<double> beta = {};        // kernel machines: stiffness of the softmin; gamma
  std::optional<std::size_t> kappa = {};  // neighbors: half-width of the band of ranks; (k - 1)/2
  bool ignore_intercept = false;          // keep the intercept's virtual point out of the relevance

  bool operator==(const Responsibilities&) const = default;
};

/// The paper's rule: E_eta = (1 - eta) E_0 + eta E_1 per feature, summed over the pairs of points,
///   E_0 = 2 (x - r) (u_i - u_j)                     gradient x input on g,
///   E_1 = 2 (x - (u_i + u_j) / 2) (u_i - u_j)       from the pair's midpoint,
/// weighed by p_i p_j. Bley, Kauffmann, Krug, Müller, Montavon: "Fast and Accurate Explanations of
/// Distance-Based Classifiers by Uncovering Latent Explanatory Structures", 2025.
struct EtaRule {
  static constexpr std::string_view kName = "lrp";
  std::optional<double> eta = {};  // from 0 to 1; from gamma and the data's spread
  Responsibilities responsibilities = {};

  bool operator==(const EtaRule&) const = default;
};

/// The same with E_0 taken along the way: u_i - u_j is averaged over the middles of `steps` equal
/// parts of the straight line from r to x, as in integrated gradients, so that E_0 sums to
/// g(x) - g(r) as the steps grow. Neighbors: a row's pair of classes is decided at the row itself,
/// the votes and the rank anew at every point of the way.
struct PathRule {
  static constexpr std::string_view kName = "lrp-path";
  std::optional<double> eta = {};
  std::size_t steps = 5;
  double neighborhood = 0.0;  // the share of the neighborhood rule that is blended in
  Responsibilities responsibilities = {};

  bool operator==(const PathRule&) const = default;
};

/// Where references stand, as the model itself decides about them.
enum class ReferenceSide {
  all,    // anywhere
  other,  // opposite to the row that is explained
  both    // as many on either side
};

/// The path rule from many references r_k, each with one step t_k of its own, spread evenly over
/// the ways and shuffled: E_0 = the mean over k of 2 (x - r_k) (u_i - u_j) at r_k + t_k (x - r_k),
/// which sums to g(x) less the mean of g(r_k) as the references grow. They are drawn from the
/// background, or from the model's own points where there is none. Expected gradients (Erion,
/// Janizek, Sturmfels, Lundberg, Lee, Nature Machine Intelligence 3, 2021) on g.
struct ExpectedPathRule {
  static constexpr std::string_view kName = "lrp-expected";
  std::optional<double> eta = {};
  std::size_t references = 60;
  std::optional<ReferenceSide> side = {};  // classifiers: both; regressors and one class: all
  std::uint64_t seed = 0;
  double neighborhood = 0.0;
  Responsibilities responsibilities = {};

  bool operator==(const ExpectedPathRule&) const = default;
};

/// Which neighbors does this feature bring near? Background rows b (or the model's own points),
/// labeled by the model, stand in two pools; the nearest 10, 20, 40, ... of each are averaged:
///   N = mean_N (x - b)^2 - mean_P (x - b)^2     per feature.
/// True to the data rather than to the model: a feature that the model does not use, but that goes
/// with one that it does, has its part. Blended with a path rule E as
///   (1 - share) E + share (|E| / |N|) N         with sums of absolute values.
struct NeighborhoodRule {
  static constexpr std::string_view kName = "neighborhood";
  std::uint64_t seed = 0;  // of the draw among more than 2,000 rows

  bool operator==(const NeighborhoodRule&) const = default;
};

/// What a baseline explains, for the pair of classes that is explained; the rules always explain g.
enum class ExplainedOutput {
  f,     // the decision value; neighbors: +1 where the first of the pair is predicted, else -1
  g,     // the network's, which does not saturate; gi is then the eta rule with eta = 0
  votes  // neighbors: how many more votes the first of the pair has
};

/// (x - r) * grad f(x). Shrikumar, Greenside, Kundaje: "Learning Important Features Through
/// Propagating Activation Differences", ICML 2017.
struct GradientTimesInput {
  static constexpr std::string_view kName = "gi";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const GradientTimesInput&) const = default;
};

/// (x - r) * the mean of grad f over the way from r to x, by the midpoint rule. Sundararajan, Taly,
/// Yan: "Axiomatic Attribution for Deep Networks", ICML 2017.
struct IntegratedGradients {
  static constexpr std::string_view kName = "ig";
  std::size_t steps = 10;
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const IntegratedGradients&) const = default;
};

/// sign f(x) * (grad f(x))^2. Simonyan, Vedaldi, Zisserman: "Deep Inside Convolutional Networks",
/// ICLR workshop 2014.
struct Sensitivity {
  static constexpr std::string_view kName = "sensitivity";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const Sensitivity&) const = default;
};

/// f(x) - f(x with x_d <- r_d). Zeiler, Fergus: "Visualizing and Understanding Convolutional
/// Networks", ECCV 2014.
struct Occlusion {
  static constexpr std::string_view kName = "occlusion";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const Occlusion&) const = default;
};

/// Shapley values of v(S) = f(x on S, r elsewhere), the mean over random orders of removal. Castro,
/// Gómez, Tejada: "Polynomial calculation of the Shapley value based on sampling", Computers &
/// Operations Research 36, 2009; Štrumbelj, Kononenko, Knowledge and Information Systems 41, 2014.
struct SampledShapley {
  static constexpr std::string_view kName = "shapley";
  std::size_t sequences = 10;
  std::uint64_t seed = 0;
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const SampledShapley&) const = default;
};

/// The same game's exact values for f of a kernel machine without a matrix in front of it: a
/// Gaussian kernel is a product over the features, so the sum over all orders is an integral of a
/// polynomial. With a background and no reference the mean over the background's rows, each a
/// reference in its turn: the value that KernelSHAP (Lundberg, Lee, NeurIPS 2017) estimates. With a
/// number of references the mean over so many rows of the background, or of the model's own points
/// where there is none, chosen to have the mean and variance of all; a reference point then has no
/// say. Costs about references x points x features^2 / 2 multiplications a row.
struct ExactShapley {
  static constexpr std::string_view kName = "shapley-exact";
  std::optional<std::size_t> references = {};
  std::uint64_t seed = 0;     // of the draw among more than 1,000 rows
  double neighborhood = 0.0;  // the share of the neighborhood rule that is blended in

  bool operator==(const ExactShapley&) const = default;
};

/// What is asked: what the model uses, or what goes with its decision in data like these.
enum class View { model, data };

/// The rule that studies found best for a kind of model (docs/results/choice.md), or the one that
/// was measured for this very model and is kept with it.
struct Auto {
  static constexpr std::string_view kName = "auto";
  View view = View::model;

  bool operator==(const Auto&) const = default;
};

/// Any method: this is the list to which a new one is added.
using Method =
    std::variant<Auto, EtaRule, PathRule, ExpectedPathRule, NeighborhoodRule, GradientTimesInput,
                 IntegratedGradients, Sensitivity, Occlusion, SampledShapley, ExactShapley>;

/// Every method with its default parameters, in the order above.
BISECTOR_EXPORT const std::vector<Method>& all_methods();
BISECTOR_EXPORT std::string_view name(const Method& method);
BISECTOR_EXPORT std::string_view name(ReferenceSide side);
BISECTOR_EXPORT std::string_view name(View view);

/// Parameters as a command line or keywords have them; what is not given keeps its default.
struct MethodParameters {
  std::optional<double> eta = {}, beta = {};
  std::optional<std::size_t> kappa = {}, steps = {}, path_steps = {}, references = {},
                             sequences = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<double> neighborhood = {};
  std::optional<ReferenceSide> side = {};
  std::optional<View> view = {};
  std::optional<bool> ignore_intercept = {};
  std::optional<ExplainedOutput> output = {};
};

/// The parameters that make `method` from its name: all that it has and that are set.
BISECTOR_EXPORT MethodParameters parameters_of(const Method& method);

/// No name stands for auto, or, where a parameter of the paper's rule is given, which auto sets
/// itself, for lrp. Throws InvalidInput, which lists the names, for an unknown one, and for a
/// parameter that the method does not have: that is a mistake, not noise.
BISECTOR_EXPORT Method method_from_name(std::string_view name,
                                        const MethodParameters& parameters = {});
/// The same for several: a parameter goes to those that have it, and one of them must.
BISECTOR_EXPORT std::vector<Method> methods_from_names(std::span<const std::string_view> names,
                                                       const MethodParameters& parameters = {});

}  // namespace bisector
