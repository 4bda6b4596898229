// The neighborhood rule against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::Vector;

/// sum_b p_b (x - b)^2 over the rows of a class, the rank r of the sorted ones weighing the mean
/// over k = 10, 20, 40, ... of [r <= k] / k.
Vector mean_square(const Matrix& rows, const std::vector<bool>& is_member, const Vector& x) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    if (!is_member[n]) continue;
    double squared = 0.0;
    for (std::size_t d = 0; d < x.size(); ++d) squared += (x[d] - rows(n, d)) * (x[d] - rows(n, d));
    order.emplace_back(squared, n);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> sizes;
  for (std::size_t k = 10; k <= order.size(); k *= 2) sizes.push_back(k);
  if (sizes.empty()) sizes.push_back(order.size());
  Vector mean(x.size(), 0.0);
  for (const std::size_t k : sizes) {
    for (std::size_t rank = 1; rank <= k; ++rank) {
      for (std::size_t d = 0; d < x.size(); ++d) {
        const double difference = x[d] - rows(order[rank - 1].second, d);
        mean[d] += difference * difference / static_cast<double>(k * sizes.size());
      }
    }
  }
  return mean;
}

void expect_definition(const Model& model, const Matrix& background, const Matrix& rows) {
  ExplainOptions options = in_g();
  options.background = background;
  const Explanation explanation = explain(model, rows, NeighborhoodRule{}, options);
  const Predictions predictions = predict(model, background);
  const auto members = [&](std::size_t side) {
    std::vector<bool> result;
    for (std::size_t n = 0; n < background.rows(); ++n)
      result.push_back(model.is_regressor()
                           ? (predictions.decisions(n, 0) >
                              *Explainer(model, Auto{}, in_g()).settings().level) == (side == 0)
                           : predictions.classes[n] == side);
    return result;
  };
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const Vector x = reference::to_vector(rows.row(r));
    const bool has_classes = !model.is_regressor();
    const Vector near_positive =
        mean_square(background, members(has_classes ? explanation.positive[r] : 0), x);
    const Vector near_negative =
        mean_square(background, members(has_classes ? explanation.negative[r] : 1), x);
    for (std::size_t d = 0; d < x.size(); ++d)
      ASSERT_NEAR(explanation.relevance(r, d), near_negative[d] - near_positive[d], 1e-11);
    EXPECT_EQ(explanation.base[r], 0.0);
  }
}

TEST(NeighborhoodRule, IsItsDefinition) {
  const Matrix background = normal_rows(6, 130, 4), rows = normal_rows(8, 20, 4);
  const KernelMachine machine = reference::plain_machine(3, 20, 4, 0.1);
  expect_definition(reference::plain_classifier(machine), background, rows);
  expect_definition(Model(KernelRegressor{machine, 0.2}), background, rows);
  expect_definition(reference::three_classes(7, 4), background, rows);
  expect_definition(reference::plain_neighbors(6, 50, 4, 3, 5), background, rows);
}

// Behind a matrix the parts of the inputs add up to the same squared distances.
TEST(NeighborhoodRule, BehindAMatrixAddsUpToTheSame) {
  Random random(12);
  const AffineMap mixing({0.3, -0.1, 0.2, 0.0, 0.5, 1.0}, {0.5, 2.0, 1.0, 1.5, 0.7, 1.0},
                         reference::normal_matrix(random, 4, 6));
  const KernelMachine machine = reference::plain_machine(3, 20, 4, 0.1);
  const Matrix background = normal_rows(6, 90, 6), rows = normal_rows(8, 20, 6);
  const auto mapped = [&](const Matrix& inputs) {
    Matrix result(inputs.rows(), 4);
    for (std::size_t r = 0; r < inputs.rows(); ++r) mixing.apply(inputs.row(r), result.row(r));
    return result;
  };
  ExplainOptions before = in_g(), behind = in_g();
  before.background = background;
  behind.background = mapped(background);
  const Explanation a =
      explain(reference::plain_classifier(machine, mixing), rows, NeighborhoodRule{}, before);
  const Explanation b =
      explain(reference::plain_classifier(machine), mapped(rows), NeighborhoodRule{}, behind);
  for (std::size_t r = 0; r < rows.rows(); ++r) EXPECT_NEAR(a.remainder[r], b.remainder[r], 1e-9);
}

TEST(NeighborhoodRule, IsBlendedByEqualSizes) {
  const Model model = reference::plain_neighbors(6, 80, 4, 2, 5);
  const Matrix rows = normal_rows(8, 20, 4);
  const Matrix neighbors = explain(model, rows, NeighborhoodRule{}, in_g()).relevance;
  const Explanation path = explain(model, rows, PathRule{}, in_g());
  const Explanation blend = explain(model, rows, PathRule{.neighborhood = 0.5}, in_g());
  const auto size = [](std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) sum += std::abs(value);
    return sum;
  };
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    // The path rule alone is corrected, which its blend is not: all values of a sign by one factor.
    double positive = 0.0, negative = 0.0;
    Vector own(4);
    for (std::size_t d = 0; d < 4; ++d)
      (path.relevance(r, d) > 0.0 ? positive : negative) += path.relevance(r, d);
    double low = -0.9, high = 0.9;
    for (int i = 0; i < 60; ++i) {
      const double c = 0.5 * (low + high);
      (c * (positive / (1.0 + c) - negative / (1.0 - c)) < path.correction[r] ? low : high) = c;
    }
    for (std::size_t d = 0; d < 4; ++d)
      own[d] = path.relevance(r, d) / (path.relevance(r, d) > 0.0 ? 1.0 + low : 1.0 - low);
    for (std::size_t d = 0; d < 4; ++d)
      EXPECT_NEAR(blend.relevance(r, d),
                  0.5 * own[d] + 0.5 * size(own) / size(neighbors.row(r)) * neighbors(r, d), 1e-9);
  }
}

}  // namespace
}  // namespace bisector
