// Kernels of the dot product, which are no distances: explained on f, by an exact path.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/predict.h"
#include "reference/baselines.h"
#include "reference/error_of.h"
#include "reference/in_g.h"
#include "reference/plain_machines.h"

namespace bisector {
namespace {

using reference::Vector;

double plain_f(const KernelMachine& machine, std::span<const double> x) {
  const KernelTerm& term = machine.kernel().terms()[0];
  double f = machine.intercept();
  for (std::size_t n = 0; n < machine.points().rows(); ++n) {
    double p = term.offset;
    for (std::size_t d = 0; d < x.size(); ++d) p += term.gamma * x[d] * machine.points()(n, d);
    f += machine.coefficients()[n] *
         (term.form == KernelForm::sigmoid ? std::tanh(p) : std::pow(p, term.shape));
  }
  return f;
}

std::vector<KernelTerm> dot_terms() {
  return {{KernelForm::polynomial, 1.0},
          {KernelForm::polynomial, 0.5, 2.0, 1.0, 1.0},
          {KernelForm::polynomial, 0.4, 5.0, 1.0, 0.3},
          {KernelForm::sigmoid, 0.2, 1.0, 1.0, -0.1}};
}

KernelMachine dot_machine(const KernelTerm& term) {
  const KernelMachine plain = reference::plain_machine(4, 24, 4, -0.2);
  return KernelMachine(plain.points(), plain.coefficients(), Kernel(term), -0.2);
}

TEST(DotProduct, AgreesWithTheSumsOfTheDefinition) {
  const Matrix rows = reference::normal_rows(1, 150, 4);
  for (const KernelTerm& term : dot_terms()) {
    const KernelMachine machine = dot_machine(term);
    const Model model(KernelClassifier::two_class(machine, "for", "against"));
    const Explanation e = explain(model, rows, Auto{}, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const double f = plain_f(machine, rows.row(r));
      EXPECT_NEAR(e.decision[r], f, 1e-10 * (1.0 + std::abs(f)));
      EXPECT_EQ(e.g[r], e.decision[r]);
      EXPECT_EQ(e.prediction[r], f > 0.0 ? 0u : 1u);
    }
  }
}

TEST(DotProduct, AutoIsAPathThatAddsUpExactly) {
  const Matrix rows = reference::normal_rows(1, 40, 4);
  for (const KernelTerm& term : dot_terms()) {
    for (const Model& model :
         {Model(KernelClassifier::two_class(dot_machine(term), "for", "against")),
          Model(KernelRegressor{dot_machine(term), 0.1}),
          Model(OneClassMachine{dot_machine(term)})}) {
      const Explainer explainer(model, Auto{}, in_g());
      EXPECT_EQ(explainer.settings().method, "ig");
      EXPECT_NE(explainer.settings().reason.find("exact path on f"), std::string::npos);
      const Explanation e = explainer(rows);
      for (std::size_t r = 0; r < rows.rows(); ++r)
        EXPECT_NEAR(e.remainder[r], 0.0, 1e-8 * (1.0 + std::abs(e.decision[r])));
    }
  }
}

TEST(DotProduct, ALinearMachineIsItsWeightsTimesTheInput) {
  const KernelMachine machine = dot_machine({KernelForm::polynomial, 0.7});
  const Matrix rows = reference::normal_rows(1, 10, 4);
  const Explanation e = explain(Model(KernelRegressor{machine, 0.0}), rows, Auto{}, in_g());
  for (std::size_t d = 0; d < 4; ++d) {
    double weight = 0.0;
    for (std::size_t n = 0; n < machine.points().rows(); ++n)
      weight += 0.7 * machine.coefficients()[n] * machine.points()(n, d);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      EXPECT_NEAR(e.relevance(r, d), weight * rows(r, d), 1e-12);
  }
}

TEST(DotProduct, GradientsAreThoseOfF) {
  const Matrix rows = reference::normal_rows(2, 5, 4);
  const AffineMap mixing({0.3, -0.1, 0.2, 0.0}, {0.5, 2.0, 1.0, 1.5},
                         reference::normal_rows(7, 4, 4));
  for (const KernelTerm& term : dot_terms()) {
    const Model model(KernelRegressor{dot_machine(term), 0.0}, mixing);
    const auto f = [&](const Vector& x) {
      return predict(model, {x.data(), 1, x.size()}).decisions(0, 0);
    };
    const Explainer explainer(model, GradientTimesInput{}, in_g());
    const Explanation e = explainer(rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const Vector x = reference::to_vector(rows.row(r));
      const Vector slope = reference::numerical_gradient(f, x, 1e-5);
      for (std::size_t d = 0; d < 4; ++d) {
        const double expected = (x[d] - explainer.settings().reference[d]) * slope[d];
        EXPECT_NEAR(e.relevance(r, d), expected, 1e-5 * (1.0 + std::abs(expected)));
      }
    }
  }
}

TEST(DotProduct, RulesOfDistancesAreRefusedWithWhatToUse) {
  const Model model(KernelRegressor{dot_machine({KernelForm::polynomial, 1.0}), 0.0});
  for (const Method& rule : std::vector<Method>{EtaRule{}, PathRule{}, ExpectedPathRule{}})
    EXPECT_NE(error_of([&] { Explainer(model, rule, in_g()); }).find("use method ig"),
              std::string::npos);
  const Explainer explainer(model, Auto{}, in_g());
  const Matrix row = reference::normal_rows(2, 1, 4);
  EXPECT_THROW(explainer.network(row.row(0)), InvalidInput);
  EXPECT_THROW(explainer.evidence(row.row(0), 3), InvalidInput);
  for (const Method& method : std::vector<Method>{Occlusion{}, SampledShapley{}, Sensitivity{}})
    EXPECT_EQ(error_of([&] { explain(model, row, method, in_g()); }), "(no error)");
  EXPECT_THROW(Kernel(KernelTerm{KernelForm::polynomial, 1.0, 1.5}), InvalidModel);
}

TEST(OneVsRest, TheLargestMachineWinsAndDifferencesAreThePairs) {
  const Matrix points = reference::normal_rows(3, 30, 4), rows = reference::normal_rows(4, 60, 4);
  const Matrix coefficients = reference::normal_rows(5, 3, 30);
  const std::vector<double> intercepts{0.1, -0.2, 0.05};
  for (const KernelTerm& term :
       {KernelTerm{KernelForm::exponential, 0.3}, KernelTerm{KernelForm::matern52, 0.8},
        KernelTerm{KernelForm::polynomial, 0.5, 2.0, 1.0, 1.0}}) {
    const Model model(KernelClassifier::one_vs_rest(points, coefficients, intercepts, Kernel(term),
                                                    {"a", "b", "c"}));
    const Predictions predicted = predict(model, rows);
    const Explanation e = explain(model, rows, Auto{}, in_g());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const auto f = predicted.decisions.row(r);
      const auto best = static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
      EXPECT_EQ(predicted.classes[r], best);
      EXPECT_EQ(e.prediction[r], best);
      EXPECT_EQ(e.positive[r], best);
      EXPECT_NEAR(e.decision[r], f[best] - f[e.negative[r]], 1e-10);
      EXPECT_GT(e.g[r], 0.0);
      for (std::size_t c = 0; c < 3; ++c) {
        if (c != best) {
          EXPECT_GE(f[e.negative[r]], f[c]);
        }
      }
    }
  }
  EXPECT_THROW(
      KernelClassifier::one_vs_rest(points, Matrix(2, 30), {0.0, 0.0}, Kernel(0.3), {"a", "b"}),
      InvalidModel);
}

}  // namespace
}  // namespace bisector
