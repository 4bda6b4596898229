// Standard errors of methods that draw references or orders, against the spread over seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"
#include "reference/random_models.h"
#include "reference/sum.h"

namespace bisector {
namespace {

TEST(StandardErrors, AreThoseOfAMeanOverReferences) {
  const Model model = reference::plain_neighbors(8, 200, 4, 2, 9);
  const Matrix rows = reference::normal_rows(3, 30, 4);
  const auto mean_error = [&](std::size_t references) {
    const Explanation e = explain(model, rows, ExpectedPathRule{.references = references}, in_g());
    EXPECT_EQ(e.standard_error.rows(), rows.rows());
    return sum(e.standard_error.values());
  };
  // Four times the references halve the standard error.
  EXPECT_NEAR(mean_error(240) / mean_error(60), 0.5, 0.1);
  EXPECT_EQ(explain(model, rows, PathRule{}).standard_error.rows(), 0u);
  EXPECT_EQ(explain(model, rows, EtaRule{}).standard_error.rows(), 0u);
}

/// The spread of the values over seeds, and their mean standard error.
struct Spread {
  double over_seeds, stated;
};

template <class Seeded>
Spread spread_of(const Model& model, const ExplainOptions& options, Seeded method) {
  constexpr std::size_t kSeeds = 40;
  const Matrix rows = reference::normal_rows(3, 10, 4);
  std::vector<Explanation> made;
  for (method.seed = 0; method.seed < kSeeds; ++method.seed)
    made.push_back(explain(model, rows, method, options));
  Spread result{0.0, 0.0};
  for (std::size_t i = 0; i < rows.rows() * rows.cols(); ++i) {
    double mean = 0.0, variance = 0.0, errors = 0.0;
    for (const Explanation& e : made) mean += e.relevance.values()[i] / kSeeds;
    for (const Explanation& e : made) {
      variance += std::pow(e.relevance.values()[i] - mean, 2.0) / (kSeeds - 1);
      errors += std::pow(e.standard_error.values()[i], 2.0) / kSeeds;
    }
    result.over_seeds += variance;
    result.stated += errors;
  }
  return {std::sqrt(result.over_seeds), std::sqrt(result.stated)};
}

TEST(StandardErrors, OfShapleyValuesAreTheSpreadOverSeeds) {
  const Model model(KernelRegressor{reference::plain_machine(4, 20, 4, -0.2), 0.0});
  ExplainOptions options = in_g();
  const Spread sampled = spread_of(model, options, SampledShapley{.sequences = 20});
  EXPECT_NEAR(sampled.stated / sampled.over_seeds, 1.0, 0.15);
  options.background = reference::normal_rows(5, 2000, 4);
  const Spread exact = spread_of(model, options, ExactShapley{.references = 40});
  // Balanced references spread less than independent ones: the standard error is conservative.
  EXPECT_GT(exact.stated / exact.over_seeds, 0.85);
  EXPECT_LT(exact.stated / exact.over_seeds, 3.0);
}

TEST(StandardErrors, AreAbsentWithoutADraw) {
  const Model model(KernelRegressor{reference::plain_machine(4, 20, 4, -0.2), 0.0});
  ExplainOptions options = in_g();
  options.background = reference::normal_rows(5, 30, 4);
  const Matrix rows = reference::normal_rows(3, 3, 4);
  EXPECT_EQ(explain(model, rows, ExactShapley{}, options).standard_error.rows(), 0u);
  EXPECT_EQ(explain(model, rows, Occlusion{}, options).standard_error.rows(), 0u);
}

TEST(StandardErrors, AreConvertedWithTheValues) {
  const Model model = reference::plain_neighbors(8, 200, 4, 2, 9);
  const Matrix rows = reference::normal_rows(3, 30, 4);
  const Explanation e = explain(model, rows, ExpectedPathRule{}),
                    g = explain(model, rows, ExpectedPathRule{}, in_g());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < 4; ++d) {
      if (g.relevance(r, d) == 0.0 || e.relevance(r, d) == 0.0) continue;
      const double factor = e.relevance(r, d) / g.relevance(r, d);
      EXPECT_NEAR(e.standard_error(r, d), factor * g.standard_error(r, d),
                  1e-9 * e.standard_error(r, d));
    }
  }
}

}  // namespace
}  // namespace bisector
