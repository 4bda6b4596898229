// In the unit of the output, the output of an explanation is what predict prints, to the last bit:
// for machines that take it from the pass of the means and for those that need another pass.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

struct OutputCase {
  std::string name;
  std::size_t features = 4;
  double gamma = 0.3, size = 1.0;  // of the coefficients
  std::optional<double> beta = {};
  Distance distance = {};
  Precision precision = Precision::float64;
};

std::vector<OutputCase> output_cases() {
  return {
      {.name = "plain"},
      {.name = "wide, where the tiles are longer", .features = 300},
      {.name = "large coefficients, whose rounding matters to f alone", .gamma = 30.0, .size = 1e6},
      {.name = "beta is not gamma", .beta = 0.7},
      {.name = "Manhattan distance", .distance = Distance::manhattan()},
      {.name = "float", .precision = Precision::float32},
      {.name = "float, large coefficients",
       .gamma = 3.0,
       .size = 1e6,
       .precision = Precision::float32}};
}

KernelMachine machine_of(const OutputCase& of, Random& random) {
  constexpr std::size_t kPoints = 700;
  std::vector<double> coefficients(kPoints);
  for (double& value : coefficients) value = of.size * random.normal();
  return KernelMachine(
      reference::random_matrix(random, kPoints, of.features), coefficients,
      Kernel({KernelTerm{.gamma = of.gamma / static_cast<double>(of.features)}}, of.distance),
      0.25 * of.size);
}

/// sign * the first decision value of every row.
void expect_predicted(const Model& model, const Matrix& rows, const OutputCase& of, double sign,
                      const ExplainOptions& base) {
  ExplainOptions options = base;
  options.precision = of.precision;
  const std::vector<Method> methods{EtaRule{.responsibilities = {.beta = of.beta}},
                                    EtaRule{.eta = 0.0, .responsibilities = {.beta = of.beta}},
                                    PathRule{.responsibilities = {.beta = of.beta}}, Occlusion{}};
  for (const Method& method : methods) {
    SCOPED_TRACE(testing::Message() << of.name << ", " << name(method));
    const Explanation e = Explainer(model, method, options)(rows);
    const Predictions predicted = DecisionFunction(model, of.precision)(rows);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      EXPECT_EQ(e.output[r], sign * predicted.decisions(r, 0));
      if (!model.is_regressor()) {
        EXPECT_EQ(e.prediction[r], predicted.classes[r]);
      }
    }
  }
}

TEST(PredictedOutput, OfOneMachineHasTheBitsOfPredict) {
  for (const OutputCase& of : output_cases()) {
    Random random(7);
    const KernelMachine machine = machine_of(of, random);
    Matrix rows = reference::random_matrix(random, of.features > 100 ? 12 : 150, of.features);
    for (std::size_t d = 0; d < of.features; ++d) rows(1, d) *= 100.0;  // far from the points
    const Model classifier(KernelClassifier::two_class(machine, "a", "b"));
    expect_predicted(classifier, rows, of, 1.0, {});
    ExplainOptions reversed;
    reversed.positive_class = "b";
    expect_predicted(classifier, rows, of, -1.0, reversed);
    expect_predicted(Model(OneClassMachine{machine}), rows, of, 1.0, {});
    const Model regressor(KernelRegressor{machine, 0.1});
    expect_predicted(regressor, rows, of, 1.0, {});
    ExplainOptions above;
    above.level = 123.0;
    expect_predicted(regressor, rows, of, 1.0, above);
  }
}

TEST(PredictedOutput, GOfARowIsTheSameInEveryUnit) {
  for (const OutputCase& of : output_cases()) {
    Random random(8);
    const Model model(KernelClassifier::two_class(machine_of(of, random), "a", "b"));
    const Matrix rows = reference::random_matrix(random, 40, of.features);
    const Method method = EtaRule{.responsibilities = {.beta = of.beta}};
    ExplainOptions options;
    options.unit = Unit::g;
    options.precision = of.precision;
    const std::vector<double> in_g = Explainer(model, method, options)(rows).g;
    options.unit = Unit::decision;
    EXPECT_EQ(Explainer(model, method, options)(rows).g, in_g) << of.name;
  }
}

}  // namespace
}  // namespace bisector
