// The fast path against its reference implementation: the paper's nested sums, and neighbors by
// sorting.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "property.h"
#include "reference/nested_kernels.h"
#include "reference/nested_sums.h"
#include "reference/plain_votes.h"
#include "reference_distances.h"
#include "tame_models.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

// Exponents reach gamma |x - u|^2 = 5 * 32^2, which costs four digits of a double's sixteen.
constexpr double kReferenceRounding = 1e-9;

/// What the rounding of a feature's relevance is measured by. The fast path sums coordinates and
/// their squares around a center between the points, so points that share a coordinate away from it
/// add rounding where the terms of Eq. 7 are all zero.
double largest_square(const TameMachine& m, double x, std::size_t feature) {
  double largest = std::abs(x);
  for (std::size_t n = 0; n < m.points.rows(); ++n)
    largest = std::max(largest, std::abs(m.points(n, feature)));
  return largest * largest;
}

void check_machine(Recipe& recipe) {
  const double eta = static_cast<double>(recipe.byte()) / 255.0;
  const TameMachine m = tame_machine(recipe, 12, 5);
  EtaRule rule;
  ExplainOptions options;
  options.unit = Unit::g;
  rule.eta = eta;
  rule.responsibilities.beta = m.gamma;
  options.reference = {Reference::Kind::origin, {}};
  options.threads = 1;
  const Model model(KernelClassifier::two_class(m.machine(), "for", "against"));
  const Explanation fast = explain(model, m.rows, rule, options);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const auto x = m.rows.row(r);
    const auto pools = reference::pools_at(m.points, m.coefficients, m.intercept, x);
    const auto net = reference::layers(m.gamma, x, pools);
    const auto p_i = reference::positive_weights(m.gamma, net, 0);
    const auto p_j = reference::negative_weights(m.gamma, net);
    const reference::Vector origin(x.size(), 0.0);
    const auto slow = reference::relevance(eta, x, origin, pools, p_i, p_j);
    require(std::abs(fast.g[r] - net.g) <= kReferenceRounding * (1.0 + std::abs(net.g)),
            "g is that of the reference");
    for (std::size_t d = 0; d < x.size(); ++d)
      require(
          std::abs(fast.relevance(r, d) - slow[d]) <=
              kReferenceRounding * largest_square(m, x[d], d),
          fmt::format("relevance is that of the reference: {}, {}", fast.relevance(r, d), slow[d]));
  }
}

void check_neighbors(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 40, 6);
  const Predictions fast = predict(m.model(), m.rows);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const auto votes = reference::votes(m.points, m.classes, m.class_count, m.k, m.rows.row(r));
    const auto winner = std::ranges::max_element(votes) - votes.begin();
    require(fast.classes[r] == static_cast<std::size_t>(winner),
            "the votes are that of the reference");
  }
}

/// Any kernel of any distance: f, and the sign of g where f exceeds its rounding.
void check_kernel(Recipe& recipe) {
  const auto form = static_cast<KernelForm>(recipe.below(5));
  const TameMachine m = tame_machine(recipe, 12, 5);
  const KernelTerm term{form, m.gamma, 1.5};
  const KernelMachine machine(m.points, m.coefficients,
                              Kernel(term, any_distance(recipe, m.points.cols(), false)),
                              m.intercept);
  ExplainOptions options;
  options.unit = Unit::g;
  options.threads = 1;
  const Explanation fast =
      explain(Model(KernelRegressor{machine, 0.0}), m.rows, EtaRule{1.0}, options);
  const double bound = kReferenceRounding * reference::total_weight(machine);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const double f = reference::kernel_decision(machine, m.rows.row(r));
    require(std::abs(fast.decision[r] - f) <= bound, "f is that of the reference");
    require(std::abs(f) <= bound || (fast.g[r] > 0.0) == (f > 0.0), "g has the sign of f");
  }
}

/// Weighted votes of two classes, regressors and detectors.
void check_votes(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 40, 6);
  NeighborVote vote;
  vote.distance = any_distance(recipe, m.points.cols(), false);
  vote = with_weights(recipe, std::move(vote), m.k);
  std::vector<double> targets;
  for (const std::size_t c : m.classes) targets.push_back(static_cast<double>(c) - 0.5);
  const NeighborRegressor regressor(m.points, targets, m.k, vote);
  const OutlierDetector detector(m.points, m.k, OutlierDetector::Score::mean_distance, 4.0,
                                 vote.distance);
  const Predictions values = predict(Model(regressor), m.rows);
  const Predictions scores = predict(Model(detector), m.rows);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const double score = reference::outlier_score(detector, m.rows.row(r));
    require(std::abs(scores.decisions(r, 0) - (4.0 - score)) <= kReferenceRounding * (4.0 + score),
            "the score is that of the reference");
    // Points at equal distances may be exchanged where not all of them vote.
    const auto plain = reference::plain_vote(m.points, m.k, vote, m.rows.row(r));
    const bool is_by_order = reference::is_by_order(plain, vote, kReferenceRounding);
    const double mean = reference::mean_target(regressor, m.rows.row(r));
    require(is_by_order || std::abs(values.decisions(r, 0) - mean) <= kReferenceRounding * 10.0,
            "the mean target is that of the reference");
  }
}

}  // namespace

FUZZ_TARGET(reference, bytes) {
  Recipe recipe(bytes);
  constexpr std::array<void (*)(Recipe&), 8> kChecks{
      check_machine,     check_neighbors,    check_kernel,   check_votes,
      check_class_votes, check_mean_targets, check_detector, check_density};
  kChecks[recipe.below(kChecks.size())](recipe);
}

}  // namespace bisector::fuzz
