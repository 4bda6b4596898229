// The method that auto takes, and exact Shapley values over a number of references, which it takes
// for some regressors.
#include <gtest/gtest.h>

#include <cmath>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "reference/in_g.h"
#include "reference/path_rule.h"
#include "reference/sum.h"

namespace bisector {
namespace {

using reference::normal_rows;
using reference::Vector;

/// Points of standard normal features, so that s^2 is about twice their number.
Model regressor(double gamma_s2, std::size_t features, std::optional<AffineMap> input = {}) {
  const Matrix points = normal_rows(3, 60, features);
  Vector coefficients(60);
  for (std::size_t n = 0; n < 60; ++n) coefficients[n] = points(n, 0) + 0.3 * points(n, 1);
  const double gamma = gamma_s2 / (2.0 * static_cast<double>(features));
  const KernelRegressor machine{KernelMachine(points, coefficients, Kernel(gamma), 0.1), 0.2};
  return Model(machine, input.value_or(AffineMap()), {}, std::sqrt(2.0 * double(features)));
}

AffineMap mixing(std::size_t features) {
  Matrix matrix(features, features);
  for (std::size_t d = 0; d < features; ++d) matrix(d, d) = 1.0;
  matrix(0, 1) = 0.5;
  return AffineMap(Vector(features, 0.0), Vector(features, 1.0), matrix, Vector(features, 0.0));
}

std::string chosen(const Model& model, View view = View::model) {
  return Explainer(model, Auto{view}, in_g()).settings().method;
}

TEST(AutoMethod, RegressorsWithAProductKernelTakeShapleyValues) {
  for (const double gamma_s2 : {0.01, 0.5, 10.0, 1000.0})
    EXPECT_EQ(chosen(regressor(gamma_s2, 6)), "shapley-exact") << gamma_s2;
  EXPECT_EQ(chosen(regressor(10.0, 100)), "shapley-exact");
  // 60 points of 1,700 features have more numbers than the limit, and a matrix mixes features.
  EXPECT_EQ(chosen(regressor(10.0, 1700)), "lrp-expected");
  EXPECT_NE(Explainer(regressor(10.0, 1700), Auto{}, in_g()).settings().reason.find("too long"),
            std::string::npos);
  EXPECT_EQ(chosen(regressor(10.0, 6, mixing(6))), "lrp-expected");
  const Explainer explainer(regressor(10.0, 6), Auto{}, in_g());
  EXPECT_NE(explainer.settings().reason.find("exact Shapley values"), std::string::npos);
  EXPECT_EQ(explainer.settings().parameters.at("references"),
            ParameterValue(*std::get<ExactShapley>(explainer.method()).references));
  EXPECT_EQ(chosen(regressor(10.0, 6), View::data), "shapley-exact");
  EXPECT_EQ(Explainer(regressor(10.0, 6), Auto{View::data}, in_g())
                .settings()
                .parameters.at("neighborhood"),
            ParameterValue(0.5));
}

TEST(AutoMethod, OneClassMachinesWithAProductKernelTakeShapleyValues) {
  const auto one_class = [](const Kernel& kernel) {
    const Matrix points = normal_rows(2, 30, 4);
    return Model(OneClassMachine{KernelMachine(points, Vector(30, 1.0), kernel, -3.0)}, {}, {},
                 1.0);
  };
  EXPECT_EQ(chosen(one_class(Kernel(1.0))), "shapley-exact");
  const KernelTerm exponential{KernelForm::exponential, 1.0};
  EXPECT_EQ(chosen(one_class(Kernel(exponential, Distance::manhattan()))), "shapley-exact");
  EXPECT_EQ(chosen(one_class(Kernel(KernelTerm{KernelForm::matern12, 1.0}))), "lrp-path");
  const Model narrow = one_class(Kernel(3.0));
  const Matrix rows = normal_rows(3, 10, 4);
  const Explanation e = explain(narrow, rows, Auto{}, in_g());
  for (std::size_t r = 0; r < rows.rows(); ++r)
    EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)), e.decision[r], 1e-9);
}

TEST(AutoMethod, NeighborsOfManyFeaturesTakeTheExpectedPathRule) {
  EXPECT_EQ(chosen(reference::plain_neighbors(6, 60, 70, 2, 5)), "lrp-expected");
}

Model classifier(std::optional<AffineMap> input = {}) {
  const Matrix points = normal_rows(5, 40, 4);
  Vector coefficients(40);
  for (std::size_t n = 0; n < 40; ++n) coefficients[n] = points(n, 0) > 0.0 ? 1.0 : -1.0;
  return Model(
      KernelClassifier::two_class(KernelMachine(points, coefficients, Kernel(0.2), 0.0), "a", "b"),
      input.value_or(AffineMap()));
}

TEST(AutoMethod, ClassifiersTakeShapleyValuesIfThePathRuleContradictsTheOutput) {
  const Model model = classifier();
  EXPECT_EQ(chosen(model.with_auto_check({0.8, {}})), "lrp-path");
  const Model contradicted = model.with_auto_check({0.79, {}});
  EXPECT_EQ(chosen(contradicted), "shapley-exact");
  EXPECT_EQ(chosen(contradicted, View::data), "lrp-path");
  const Explainer explainer(contradicted, Auto{}, in_g());
  EXPECT_NE(explainer.settings().note.find("correlation of both is 0.79"), std::string::npos);
  EXPECT_EQ(explainer.settings().note, "the method is " + explainer.settings().reason);
  const Model measured = contradicted.with_measured({EtaRule{}, View::model, 40, {}});
  EXPECT_EQ(chosen(measured), "lrp");
  // Any given method is taken.
  EXPECT_EQ(Explainer(contradicted, PathRule{}, in_g()).settings().method, "lrp-path");
}

TEST(AutoMethod, TheCheckOfAModelIsMadeOnceAndDependsOnItsBackgroundAlone) {
  const Model model = classifier();
  EXPECT_FALSE(model.auto_check());
  const Model of_points = Explainer(model, Auto{}, in_g()).model();
  ASSERT_TRUE(of_points.auto_check());
  EXPECT_GT(*of_points.auto_check()->correlation, 0.8);
  EXPECT_EQ(with_auto_check(model).auto_check(), of_points.auto_check());
  ExplainOptions options;
  options.background = normal_rows(6, 1200, 4);
  const Model given = Explainer(model, Auto{}, options).model();
  EXPECT_NE(given.auto_check(), of_points.auto_check());
  EXPECT_EQ(given.background()->rows.rows(), Background::kMostRows);
  options.threads = 3;
  options.unit = Unit::g;
  options.positive_class = "b";
  EXPECT_EQ(Explainer(model, Auto{}, options).model(), given);
  EXPECT_EQ(with_training_data(model, *options.background), given);
  // A check that is there is kept, and other methods need none.
  EXPECT_EQ(Explainer(of_points, Auto{}, options).model().auto_check(), of_points.auto_check());
  EXPECT_FALSE(Explainer(model, EtaRule{}, options).model().auto_check());
  EXPECT_FALSE(Explainer(regressor(1.0, 4), Auto{}, in_g()).model().auto_check());
}

TEST(AutoMethod, KernelsWithoutShapleyValuesNoteAClassThatIsRarelyPredicted) {
  const Model model = classifier(mixing(4));
  const auto note = [&](double rarest) {
    return Explainer(model.with_auto_check({{}, rarest}), Auto{}, in_g()).settings().note;
  };
  EXPECT_EQ(note(0.1), "");
  EXPECT_NE(note(0.09).find("bisector choose MODEL"), std::string::npos);
  const Model checked = Explainer(model, Auto{}, in_g()).model();
  EXPECT_FALSE(checked.auto_check()->correlation);
  EXPECT_GT(*checked.auto_check()->rarest_class, 0.2);
}

TEST(ShapleyReferences, AddUpInEveryUnitFromOneBase) {
  const Model model = regressor(10.0, 5);
  const Matrix rows = normal_rows(4, 40, 5);
  for (const Unit unit : {Unit::g, Unit::decision, Unit::share}) {
    for (const bool has_background : {false, true}) {
      ExplainOptions options = in_g();
      options.unit = unit;
      if (has_background) options.background = normal_rows(5, 200, 5);
      const Explanation e = explain(model, rows, Auto{}, options);
      for (std::size_t r = 0; r < rows.rows(); ++r) {
        const double output = e.output[r];
        if (unit == Unit::g) {
          EXPECT_EQ(output, e.decision[r]);
        }
        if (unit == Unit::decision) {
          EXPECT_EQ(output, e.value[r]);
        }
        EXPECT_NEAR(e.base[r] + sum(e.relevance.row(r)), output,
                    1e-9 * (1.0 + std::abs(output)) + 1e-9 * std::abs(e.base[r]));
        EXPECT_NEAR(e.remainder[r], 0.0, 1e-9 * (1.0 + std::abs(output) + std::abs(e.base[r])));
        if (unit != Unit::share) {
          EXPECT_EQ(e.base[r], e.base[0]);
        }
      }
    }
  }
}

// As many references as rows, or more, are all of them, each once.
TEST(ShapleyReferences, OfAllRowsAreTheBackgrounds) {
  const Model model = regressor(3.0, 4);
  const Matrix rows = normal_rows(6, 10, 4);
  ExplainOptions options = in_g();
  options.background = normal_rows(7, 30, 4);
  const Explanation all = explain(model, rows, ExactShapley{}, options);
  for (const std::size_t references : {30u, 100u}) {
    const Explanation e = explain(model, rows, ExactShapley{.references = references}, options);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_NEAR(e.base[r], all.base[r], 1e-12);
      for (std::size_t d = 0; d < 4; ++d)
        EXPECT_NEAR(e.relevance(r, d), all.relevance(r, d), 1e-12);
    }
  }
  // A few references that represent all rows give close values.
  const Explanation few = explain(model, rows, ExactShapley{.references = 15}, options);
  EXPECT_NEAR(few.base[0], all.base[0], 0.5);
  EXPECT_NE(few.base[0], all.base[0]);
  EXPECT_THROW(Explainer(model, ExactShapley{.references = 0}, in_g()), InvalidInput);
}

TEST(ShapleyReferences, AreTheModelsPointsWhereThereIsNoBackground) {
  const Model model = regressor(10.0, 3);
  const Matrix rows = normal_rows(8, 5, 3);
  const auto& machine = std::get<KernelRegressor>(model.predictor()).machine;
  const Matrix expected = ExactShapleyValues(machine, model.points())(rows);
  const Explanation e = explain(model, rows, ExactShapley{.references = 60}, in_g());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(e.relevance(r, d), expected(r, d), 1e-12);
  }
}

TEST(ShapleyReferences, HaveEvidenceAndBlendTheNeighborhood) {
  const Model model = regressor(10.0, 4);
  const Matrix rows = normal_rows(9, 6, 4);
  const Explainer explainer(model, Auto{}, in_g());
  EXPECT_TRUE(explainer.settings().has_evidence);
  EXPECT_EQ(explainer.evidence(rows.row(0), 3).size(), 3u);
  const Explanation plain = explainer(rows);
  const Explanation neighbors = explain(model, rows, NeighborhoodRule{}, in_g());
  const Explanation blended =
      explain(model, rows, ExactShapley{.references = 60, .neighborhood = 0.5}, in_g());
  const auto size = [](std::span<const double> values) {
    double total = 0.0;
    for (const double value : values) total += std::abs(value);
    return total;
  };
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double scale = size(plain.relevance.row(r)) / size(neighbors.relevance.row(r));
    for (std::size_t d = 0; d < 4; ++d)
      EXPECT_NEAR(blended.relevance(r, d),
                  0.5 * plain.relevance(r, d) + 0.5 * scale * neighbors.relevance(r, d), 1e-9);
    EXPECT_NEAR(blended.base[r] + sum(blended.relevance.row(r)) + blended.remainder[r],
                blended.decision[r], 1e-9);
  }
}

}  // namespace
}  // namespace bisector
