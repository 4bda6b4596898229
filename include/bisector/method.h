// Explanation methods as data: rules of layer-wise relevance propagation (LRP) on the neuralized
// model, and baselines from the literature. Each method is one struct that states its name, title,
// formula, source and parameters. The command's options, Python's keyword arguments, the
// documentation and the report page are made from this description (bisector/method_table.h).
//
// Notation: x is the row, r the reference point (the value of an absent feature), f the model's
// output for the explained pair of classes, g the output of the neuralized model, and u the model's
// points. Their responsibilities p sum to 1 in each of the pools P and N.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/export.h"

namespace bisector {

/// One parameter of a method. The type of its member says whether it is a flag, a whole number, a
/// number or a choice; an optional member without a value has the default that `automatic` states.
struct Parameter {
  static constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();
  static constexpr double kNoLimit = std::numeric_limits<double>::max();

  std::string_view name;  // path_steps: NAME:path_steps=N in the command, path_steps= in Python
  std::string_view help;
  double least = 0.0, most = kNoLimit;
  std::string_view automatic = {};
};

/// The largest counts that the options take. More of them cost time and memory, and change no digit
/// that is shown.
inline constexpr double kMostSteps = 10'000.0, kMostSequences = 100'000.0,
                        kMostReferences = 10'000.0;

/// How LRP rules distribute the responsibility among a pool's points.
struct Responsibilities {
  std::optional<double> beta = {};        // kernel machines: stiffness of the softmin
  std::optional<std::size_t> kappa = {};  // neighbors: half-width of the band of ranks
  bool ignore_intercept = false;          // leave the intercept's virtual point out

  bool operator==(const Responsibilities&) const = default;

  /// Describes eta and the responsibilities of an LRP rule.
  template <class V>
  static void rule_parameters(V& v, std::string_view automatic_eta) {
    v(
        Parameter{"eta", "weight of the midpoint term, from 0 (gradient x input on g) to 1", 0.0,
                  1.0, automatic_eta},
        [](auto& rule) -> auto& { return rule.eta; });
    v(
        Parameter{"beta", "kernel machines: stiffness of the responsibilities",
                  Parameter::kAboveZero, Parameter::kNoLimit, "gamma"},
        [](auto& rule) -> auto& { return rule.responsibilities.beta; });
    v(
        Parameter{"kappa", "neighbors: half-width of the band of ranks", 0.0, Parameter::kNoLimit,
                  "(k - 1)/2"},
        [](auto& rule) -> auto& { return rule.responsibilities.kappa; });
    v(
        Parameter{"ignore_intercept", "leave the intercept's share out of the relevance"},
        [](auto& rule) -> auto& { return rule.responsibilities.ignore_intercept; });
  }
};

inline constexpr Parameter kNeighborhoodParameter = {
    "neighborhood", "share of the neighborhood rule that is blended in", 0.0, 1.0};

/// The paper's rule: E_eta = (1 - eta) E_0 + eta E_1 per feature, summed over the pairs of points,
///   E_0 = 2 (x - r) (u_i - u_j)                     gradient term: gradient x input on g,
///   E_1 = 2 (x - (u_i + u_j) / 2) (u_i - u_j)       midpoint term,
/// weighted by p_i p_j.
struct EtaRule {
  static constexpr std::string_view kName = "lrp", kTitle = "LRP rule of the paper";
  static constexpr std::string_view kHelp =
      "divides the decision among pairs of points from opposite sides, and each pair's part among "
      "the features";
  static constexpr std::string_view kCitation =
      "Bley, Kauffmann, Krug, Müller, Montavon: Fast and Accurate Explanations of Distance-Based "
      "Classifiers by Uncovering Latent Explanatory Structures, 2025";
  std::optional<double> eta = {};
  Responsibilities responsibilities = {};

  bool operator==(const EtaRule&) const = default;
  std::size_t evaluations(std::size_t) const { return 4; }

  template <class V>
  static void parameters(V& v) {
    Responsibilities::rule_parameters(v,
                                      "0.4 log10(gamma s^2) + 0.4 within 0 and 1; neighbors 0.8");
  }
};

/// The eta rule with the gradient term averaged along the straight path from r to x, at the
/// midpoints of `steps` equal parts, as in integrated gradients: E_0 sums to g(x) - g(r) as the
/// steps grow. Neighbors: the pair of classes is decided at the row; votes and ranks are evaluated
/// again at every point of the path.
struct PathRule {
  static constexpr std::string_view kName = "lrp-path", kTitle = "path rule";
  static constexpr std::string_view kHelp =
      "follows the decision along the straight path from the reference point to the row";
  static constexpr std::string_view kCitation =
      "the paper's rule with the path of Sundararajan, Taly, Yan, ICML 2017";
  std::optional<double> eta = {};
  std::size_t steps = 5;
  double neighborhood = 0.0;
  Responsibilities responsibilities = {};

  bool operator==(const PathRule&) const = default;
  std::size_t evaluations(std::size_t) const { return 4 + steps; }

  template <class V>
  static void parameters(V& v) {
    Responsibilities::rule_parameters(v,
                                      "0.4 log10(gamma s^2) + 0.1 within 0 and 1; neighbors 0.35");
    v(Parameter{"path_steps", "gradients along the path from the reference to the row", 1.0,
                kMostSteps},
      &PathRule::steps);
    v(kNeighborhoodParameter, &PathRule::neighborhood);
  }
};

/// On which side of the model's decision references are.
enum class ReferenceSide {
  all,    // either side
  other,  // the side opposite to the explained row
  both    // equal numbers on both sides
};
constexpr std::string_view name(ReferenceSide value) {
  switch (value) {
    case ReferenceSide::all:
      return "all";
    case ReferenceSide::other:
      return "other";
    case ReferenceSide::both:
      return "both";
  }
  return {};
}

/// The path rule from many references r_k, each with one step t_k; the steps are spread evenly over
/// the paths and shuffled. E_0 is the mean over k of 2 (x - r_k) (u_i - u_j) at
/// r_k + t_k (x - r_k). It sums to g(x) minus the mean of g(r_k) as the references grow. References
/// are drawn from the background, or from the model's points if there is none.
struct ExpectedPathRule {
  static constexpr std::string_view kName = "lrp-expected", kTitle = "expected path rule";
  static constexpr std::string_view kHelp =
      "follows the decision along the straight paths from many references to the row, and takes "
      "the mean";
  static constexpr std::string_view kCitation =
      "the paper's rule with expected gradients: Erion, Janizek, Sturmfels, Lundberg, Lee, Nature "
      "Machine Intelligence 3, 2021";
  std::optional<double> eta = {};
  std::size_t references = 60;
  std::optional<ReferenceSide> side = {};
  std::uint64_t seed = 0;
  double neighborhood = 0.0;
  Responsibilities responsibilities = {};

  bool operator==(const ExpectedPathRule&) const = default;
  std::size_t evaluations(std::size_t) const { return 4 + references; }

  template <class V>
  static void parameters(V& v) {
    Responsibilities::rule_parameters(v, "0; neighbors 0.2");
    v(Parameter{.name = "references",
                .help = "number of references, with one step on the path from each",
                .least = 1.0,
                .most = kMostReferences},
      &ExpectedPathRule::references);
    v(Parameter{.name = "side",
                .help = "references on all sides of the decision, on the other side than the row, "
                        "or equally many on both",
                .automatic = "both for classifiers, all for others"},
      &ExpectedPathRule::side);
    v(Parameter{"seed", "seed of the random draws"}, &ExpectedPathRule::seed);
    v(kNeighborhoodParameter, &ExpectedPathRule::neighborhood);
  }
};

/// Background rows b (or the model's points), labeled by the model, form two pools; the nearest 10,
/// 20, 40, ... of each are averaged:
///   N = mean_N (x - b)^2 - mean_P (x - b)^2     per feature.
/// This explains the data rather than the model: a feature that the model does not use, but that is
/// correlated with one it uses, has relevance. It is blended with a path rule E as
///   (1 - share) E + share (|E| / |N|) N         with sums of absolute values.
struct NeighborhoodRule {
  static constexpr std::string_view kName = "neighborhood", kTitle = "neighborhood rule";
  static constexpr std::string_view kHelp =
      "compares the row with its nearest rows on both sides of the decision, feature by feature";
  static constexpr std::string_view kCitation = "docs/results/rules.md";
  std::uint64_t seed = 0;

  bool operator==(const NeighborhoodRule&) const = default;
  std::size_t evaluations(std::size_t) const { return 4; }

  template <class V>
  static void parameters(V& v) {
    v(Parameter{"seed", "seed of the draw among more than 2,000 rows"}, &NeighborhoodRule::seed);
  }
};

/// Which output a baseline explains, for the explained pair of classes. LRP rules always explain g.
enum class ExplainedOutput {
  f,       // the model's output: decision value, difference of votes, threshold - score
  g,       // the output of the neuralized model, which does not saturate
  votes,   // neighbors: another name of f
  outcome  // +1 if the first class of the pair is predicted, else -1
};
constexpr std::string_view name(ExplainedOutput value) {
  switch (value) {
    case ExplainedOutput::f:
      return "f";
    case ExplainedOutput::g:
      return "g";
    case ExplainedOutput::votes:
      return "votes";
    case ExplainedOutput::outcome:
      return "outcome";
  }
  return {};
}

inline constexpr Parameter kOutputParameter = {
    "on",
    "explained output: f (the model's own), g (the neuralized model's), votes (f of neighbors), or "
    "outcome (+1 if the class is predicted, else -1)"};

/// (x - r) * grad f(x).
struct GradientTimesInput {
  static constexpr std::string_view kName = "gi", kTitle = "gradient x input";
  static constexpr std::string_view kHelp =
      "multiplies the gradient at the row by the difference from the reference point";
  static constexpr std::string_view kCitation =
      "Shrikumar, Greenside, Kundaje: Learning Important Features Through Propagating Activation "
      "Differences, ICML 2017";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const GradientTimesInput&) const = default;
  std::size_t evaluations(std::size_t) const { return 4; }

  template <class V>
  static void parameters(V& v) {
    v(kOutputParameter, &GradientTimesInput::output);
  }
};

/// (x - r) * the mean of grad f on the straight path from r to x, by the midpoint rule.
struct IntegratedGradients {
  static constexpr std::string_view kName = "ig", kTitle = "integrated gradients";
  static constexpr std::string_view kHelp =
      "adds up the gradients of the output along the straight path from the reference point to the "
      "row";
  static constexpr std::string_view kCitation =
      "Sundararajan, Taly, Yan: Axiomatic Attribution for Deep Networks, ICML 2017";
  std::size_t steps = 10;
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const IntegratedGradients&) const = default;
  std::size_t evaluations(std::size_t) const { return 4 * steps; }

  template <class V>
  static void parameters(V& v) {
    v(Parameter{"steps", "gradients along the path", 1.0, kMostSteps}, &IntegratedGradients::steps);
    v(kOutputParameter, &IntegratedGradients::output);
  }
};

/// sign f(x) * (grad f(x))^2.
struct Sensitivity {
  static constexpr std::string_view kName = "sensitivity", kTitle = "sensitivity analysis";
  static constexpr std::string_view kHelp = "takes the squared gradient at the row";
  static constexpr std::string_view kCitation =
      "Simonyan, Vedaldi, Zisserman: Deep Inside Convolutional Networks, ICLR workshop 2014";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const Sensitivity&) const = default;
  std::size_t evaluations(std::size_t) const { return 4; }

  template <class V>
  static void parameters(V& v) {
    v(kOutputParameter, &Sensitivity::output);
  }
};

/// f(x) - f(x with x_d replaced by r_d).
struct Occlusion {
  static constexpr std::string_view kName = "occlusion", kTitle = "occlusion";
  static constexpr std::string_view kHelp =
      "replaces one feature at a time by that of the reference point and takes the change of the "
      "output";
  static constexpr std::string_view kCitation =
      "Zeiler, Fergus: Visualizing and Understanding Convolutional Networks, ECCV 2014";
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const Occlusion&) const = default;
  std::size_t evaluations(std::size_t features) const { return 4 + features; }

  template <class V>
  static void parameters(V& v) {
    v(kOutputParameter, &Occlusion::output);
  }
};

/// Shapley values of v(S) = f(x on S, r elsewhere): the mean over random orders of removal.
struct SampledShapley {
  static constexpr std::string_view kName = "shapley", kTitle = "sampled Shapley values";
  static constexpr std::string_view kHelp =
      "removes the features in random orders and takes each feature's mean change of the output";
  static constexpr std::string_view kCitation =
      "Castro, Gómez, Tejada, Computers & Operations Research 36, 2009; Štrumbelj, Kononenko, "
      "Knowledge and Information Systems 41, 2014";
  std::size_t sequences = 10;
  std::uint64_t seed = 0;
  ExplainedOutput output = ExplainedOutput::f;

  bool operator==(const SampledShapley&) const = default;
  std::size_t evaluations(std::size_t features) const { return 4 + features * sequences; }

  template <class V>
  static void parameters(V& v) {
    v(Parameter{"sequences", "random orders of removal", 1.0, kMostSequences},
      &SampledShapley::sequences);
    v(Parameter{"seed", "seed of the random draws"}, &SampledShapley::seed);
    v(kOutputParameter, &SampledShapley::output);
  }
};

/// Exact values of the same game for f of a kernel machine without a matrix in front of it. A
/// Gaussian kernel is a product over the features, so the sum over all orders is an integral of a
/// polynomial. With `references` it is the mean over that many rows of the background, or of the
/// model's points, chosen to have the mean and variance of all. Without it, a background and no
/// reference point give the mean over all rows of the background: the value that KernelSHAP
/// estimates. The cost is about references x points x features^2 / 2 multiplications per row.
struct ExactShapley {
  static constexpr std::string_view kName = "shapley-exact", kTitle = "exact Shapley values";
  static constexpr std::string_view kHelp =
      "gives each feature's exact share of the difference between the output of the row and the "
      "mean output of the references, over all orders of the features";
  static constexpr std::string_view kCitation = "Lundberg, Lee, NeurIPS 2017 (the game)";
  std::optional<std::size_t> references = {};
  std::uint64_t seed = 0;
  double neighborhood = 0.0;

  bool operator==(const ExactShapley&) const = default;
  std::size_t evaluations(std::size_t features) const {
    return 4 + references.value_or(1) * (2 + features / 2);
  }

  template <class V>
  static void parameters(V& v) {
    v(Parameter{.name = "references",
                .help = "number of references from the background or the model's points",
                .least = 1.0,
                .most = kMostReferences,
                .automatic = "the reference point, or the whole background if given"},
      &ExactShapley::references);
    v(Parameter{"seed", "seed of the draw among more than 1,000 rows"}, &ExactShapley::seed);
    v(kNeighborhoodParameter, &ExactShapley::neighborhood);
  }
};

/// The question: what the model uses, or what is correlated with its decision in data like these.
enum class View { model, data };
constexpr std::string_view name(View value) {
  switch (value) {
    case View::model:
      return "model";
    case View::data:
      return "data";
  }
  return {};
}

/// The method that studies found best for a kind of model (bisector-paper choice), or the one that
/// was measured for this model and stored in its file. `references` and `seed` are passed on to the
/// method taken, if it has them.
struct Auto {
  static constexpr std::string_view kName = "auto", kTitle = "automatic choice";
  static constexpr std::string_view kHelp =
      "takes the best method known for the kind of model, or the one measured for this model";
  static constexpr std::string_view kCitation = "paper/results/choice.md";
  View view = View::model;
  std::optional<std::size_t> references = {};
  std::optional<std::uint64_t> seed = {};

  bool operator==(const Auto&) const = default;
  std::size_t evaluations(std::size_t) const { return 4; }

  template <class V>
  static void parameters(V& v) {
    v(Parameter{"view",
                "explain what the model uses, or what is correlated with its decision in the data"},
      &Auto::view);
    v(Parameter{.name = "references",
                .help = "passed on to the method taken",
                .least = 1.0,
                .most = kMostReferences,
                .automatic = "that of the method taken"},
      &Auto::references);
    v(Parameter{.name = "seed",
                .help = "passed on to the method taken",
                .automatic = "that of the method taken"},
      &Auto::seed);
  }
};

/// Any method. A new method is added to this list.
using Method =
    std::variant<Auto, EtaRule, PathRule, ExpectedPathRule, NeighborhoodRule, GradientTimesInput,
                 IntegratedGradients, Sensitivity, Occlusion, SampledShapley, ExactShapley>;

/// Every method with its default parameters, in the order above.
BISECTOR_EXPORT const std::vector<Method>& all_methods();
BISECTOR_EXPORT std::string_view name(const Method& method);

}  // namespace bisector
