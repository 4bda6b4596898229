// ONNX models: those that skl2onnx made against what onnxruntime answers, and our own there and
// back. tests/io/make_onnx.py makes the files.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "io/model_test_support.h"
#include "io/onnx/onnx_reader.h"

namespace bisector {

using namespace io;

namespace {

const std::filesystem::path kData = BISECTOR_TEST_DATA;
constexpr std::size_t kColumns = 4;  // of every file in the folder

/// What onnxruntime said: the columns, the label, the scores.
struct Answers {
  Matrix rows;
  std::vector<std::string> labels;
  std::vector<std::vector<double>> scores;
};

Answers read_answers(const std::string& name) {
  std::ifstream file(kData / (name + ".csv"));
  std::vector<double> values;
  Answers answers;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string cell;
    for (std::size_t n = 0; n < kColumns && std::getline(cells, cell, ','); ++n)
      values.push_back(std::stod(cell));
    std::getline(cells, cell, ',');
    answers.labels.push_back(cell);
    auto& scores = answers.scores.emplace_back();
    while (std::getline(cells, cell, ',')) scores.push_back(std::stod(cell));
  }
  answers.rows = Matrix(answers.labels.size(), kColumns, values);
  return answers;
}

class RealOnnx : public testing::TestWithParam<const char*> {};

TEST_P(RealOnnx, DecidesAsOnnxruntimeDoes) {
  const Model model = read_model(kData / (std::string(GetParam()) + ".onnx"));
  const Answers answers = read_answers(GetParam());
  const Predictions predictions = predict(model, answers.rows);
  ASSERT_GT(answers.rows.rows(), 5u);
  // Elsewhere they are votes.
  const bool has_pair_scores = std::string(GetParam()) != "three_names" &&
                               !std::holds_alternative<NeighborModel>(model.predictor());
  for (std::size_t n = 0; n < answers.rows.rows(); ++n) {
    SCOPED_TRACE(n);
    if (model.is_regressor()) {
      EXPECT_NEAR(predictions.decisions(n, 0), std::stod(answers.labels[n]), 1e-5);
      continue;
    }
    EXPECT_EQ(model.labels()[predictions.classes[n]], answers.labels[n]);
    if (!has_pair_scores) continue;
    // Of two classes the first score is that of the second class: f.
    for (std::size_t m = 0; m < predictions.decisions.cols(); ++m)
      EXPECT_NEAR(predictions.decisions(n, m), answers.scores[n][m], 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Skl2onnx, RealOnnx,
                         testing::Values("two_classes", "two_names", "three_names", "regressor",
                                         "one_class", "whitened", "columns", "neighbors",
                                         "neighbors_cosine", "neighbors_mean", "neighbors_cdist",
                                         "process"),
                         [](const auto& each) { return std::string(each.param); });

TEST(OnnxModel, HasTheSecondOfTwoClassesAsThePositiveOne) {
  const Model model = read_model(kData / "two_classes.onnx");
  EXPECT_EQ(model.labels(), (std::vector<std::string>{"2", "1"}));
  EXPECT_EQ(model.fixed_pair()->positive, 0u);
}

TEST(OnnxModel, TakesNamesFromInputsOfOneColumn) {
  EXPECT_EQ(read_model(kData / "two_names.onnx").feature_names(),
            (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(read_model(kData / "two_classes.onnx").feature_names().empty());
}

TEST(OnnxModel, KeepsTheNumbersOfAScaler) {
  const AffineMap map = read_model(kData / "two_classes.onnx").input();
  EXPECT_FALSE(map.has_matrix());
  EXPECT_NEAR(map.shift()[0], 6.2, 0.3);
  EXPECT_TRUE(read_model(kData / "columns.onnx").input().has_matrix());
}

std::string written(const Model& model) {
  std::ostringstream out;
  write_onnx_model(out, model);
  return out.str();
}

Model there_and_back(const Model& model) { return read_onnx_bytes(written(model), "m.onnx"); }

TEST(OnnxModel, ThereAndBackIsTheSameWithin32Bits) {
  for (std::size_t n = 0; n < 96; ++n) {
    if (n % 6 > 3) continue;  // neighbors and centroids
    SCOPED_TRACE(n);
    test::RandomModels random(n);
    const Model model = random.model(n);
    const Model back = there_and_back(model);
    EXPECT_EQ(back.labels(), model.labels());
    EXPECT_EQ(back.feature_names(), model.feature_names());
    EXPECT_EQ(back.median_distance(), model.median_distance());
    EXPECT_EQ(back.predictor().index(), model.predictor().index());
    EXPECT_EQ(back.points().rows(), model.points().rows());
    // What 32 bits hold is kept to the last of them.
    if (!model.input().has_matrix()) {
      EXPECT_EQ(there_and_back(back), back);
      EXPECT_EQ(written(there_and_back(back)), written(back));
    }
  }
}

TEST(OnnxModel, ThereAndBackDecidesAlike) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  const auto numbers = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = normal(engine);
    return values;
  };
  const KernelMachine machine(Matrix(6, 3, numbers(18)), numbers(6), Kernel(0.4), 0.3);
  const AffineMap map(numbers(4), {0.5, 2, 1.5, 1}, Matrix(3, 4, numbers(12)), numbers(3));
  const Matrix rows(20, 4, numbers(80));
  for (const Predictor& predictor :
       {Predictor(KernelClassifier::two_class(machine, "yes", "no")),
        Predictor(KernelRegressor{machine, 1.5}), Predictor(OneClassMachine{machine})}) {
    const Model model(predictor, map);
    const Matrix expected = predict(model, rows).decisions;
    const Matrix actual = predict(there_and_back(model), rows).decisions;
    for (std::size_t n = 0; n < rows.rows(); ++n) EXPECT_NEAR(actual(n, 0), expected(n, 0), 1e-5);
  }
}

TEST(OnnxModel, WhatTheFormatCannotHoldIsAnError) {
  test::RandomModels random(1);
  const auto error = [](const Predictor& predictor) {
    return test::error_of([&] { written(Model(predictor)); });
  };
  EXPECT_EQ(
      error(random.neighbors()),
      "the ONNX format cannot hold a model of kind neighbors, expected a kernel machine: write "
      "an .npz bundle instead");
  const auto machine = [](double point, double gamma) {
    return KernelRegressor{KernelMachine(Matrix(1, 1, point), {1.0}, Kernel(gamma), 0.0),
                           std::nullopt};
  };
  EXPECT_EQ(error(machine(1e60, 1.0)),
            "the ONNX format cannot hold 1e+60 in the support vectors, expected numbers that 32 "
            "bits can hold");
  EXPECT_EQ(error(machine(1.0, 1e-60)),
            "the ONNX format cannot hold 1e-60 in gamma, expected numbers that 32 bits can hold");
  EXPECT_EQ(test::error_of([&] { written(Model(machine(1.0, 1.0), {}, {"caf\xe9"})); }),
            "the ONNX format cannot hold \"caf?\" in the feature names, expected UTF-8 text");
}

}  // namespace
}  // namespace bisector
