// The fast path against its slow twin: the paper's nested sums, and neighbours by sorting.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "promise.h"
#include "reference/nested_sums.h"
#include "tame_models.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

// Exponents reach gamma |x - u|^2 = 5 * 32^2, which costs four digits of a double's sixteen.
constexpr double kRounding = 1e-9;

/// What the rounding of a feature's relevance is measured by. The fast path sums coordinates and
/// their squares around a centre between the points, so points that share a coordinate away from it
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
    require(std::abs(fast.g[r] - net.g) <= kRounding * (1.0 + std::abs(net.g)), "g is the twin's");
    for (std::size_t d = 0; d < x.size(); ++d)
      require(std::abs(fast.relevance(r, d) - slow[d]) <= kRounding * largest_square(m, x[d], d),
              fmt::format("relevance is the twin's: {}, {}", fast.relevance(r, d), slow[d]));
  }
}

void check_neighbors(Recipe& recipe) {
  const TameNeighbors m = tame_neighbors(recipe, 40, 6);
  const Predictions fast = predict(m.model(), m.rows);
  for (std::size_t r = 0; r < m.rows.rows(); ++r) {
    const auto votes = reference::votes(m.points, m.classes, m.class_count, m.k, m.rows.row(r));
    const auto winner = std::ranges::max_element(votes) - votes.begin();
    require(fast.classes[r] == static_cast<std::size_t>(winner), "the votes are the twin's");
  }
}

}  // namespace

FUZZ_TARGET(slow_twin, bytes) {
  Recipe recipe(bytes);
  if (recipe.flag())
    check_neighbors(recipe);
  else
    check_machine(recipe);
}

}  // namespace bisector::fuzz
