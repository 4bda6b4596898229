#include <gtest/gtest.h>
#include <svm.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/train/learner.h"
#include "core/linalg/pairwise.h"
#include "reference/error_of.h"
#include "train/svm_training.h"
#include "train/toy_data.h"

namespace bisector {

using namespace detail;

namespace {

/// LIBSVM with its own RBF kernel, called as its README says.
class LibsvmReference {
 public:
  LibsvmReference(const Matrix& rows, const std::vector<double>& targets, svm_parameter parameter)
      : nodes_(nodes_of(rows)), targets_(targets) {
    svm_set_print_string_function([](const char*) {});
    parameter.kernel_type = RBF;
    parameter.cache_size = 100;
    parameter.eps = 1e-3;
    parameter.shrinking = 1;
    for (auto& row : nodes_) pointers_.push_back(row.data());
    problem_ = {static_cast<int>(targets_.size()), targets_.data(), pointers_.data()};
    EXPECT_EQ(svm_check_parameter(&problem_, &parameter), nullptr);
    model_.reset(svm_train(&problem_, &parameter));
  }

  int points() const { return model_->l; }
  double label(std::size_t row) const { return svm_predict(model_.get(), nodes_[row].data()); }
  std::vector<double> decisions(std::size_t row, std::size_t count) const {
    std::vector<double> values(count);
    svm_predict_values(model_.get(), nodes_[row].data(), values.data());
    return values;
  }

 private:
  static std::vector<std::vector<svm_node>> nodes_of(const Matrix& rows) {
    std::vector<std::vector<svm_node>> nodes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      auto& row = nodes.emplace_back();
      for (std::size_t d = 0; d < rows.cols(); ++d)
        row.push_back({static_cast<int>(d + 1), rows(r, d)});
      row.push_back({-1, 0.0});
    }
    return nodes;
  }

  std::vector<std::vector<svm_node>> nodes_;
  std::vector<double> targets_;
  std::vector<svm_node*> pointers_;
  svm_problem problem_{};
  SvmModel model_;
};

/// The toy's rows sorted so that LIBSVM meets the classes in the order of the model's labels.
test::ToyClasses in_label_order(const test::ToyClasses& toy,
                                const std::vector<std::string>& labels) {
  const auto place = [&](std::size_t row) {
    return std::ranges::find(labels, toy.target.labels[toy.target.classes[row]]);
  };
  std::vector<std::size_t> order(toy.rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, place);
  test::ToyClasses sorted{test::picked(toy.rows, order), {{}, labels}};
  for (const std::size_t row : order)
    sorted.target.classes.push_back(static_cast<std::size_t>(place(row) - labels.begin()));
  return sorted;
}

class FitSvm : public testing::TestWithParam<std::size_t> {};

TEST_P(FitSvm, DecidesAsLibsvmsOwnRbfKernelDoes) {
  const std::size_t classes = GetParam();
  for (const ClassWeight weight : {ClassWeight::none, ClassWeight::balanced}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const auto toy = test::clouds(seed, 120, classes);
      const SvmLearner learner{0.3, 2.0, weight};
      const Model model(fit(learner, toy.rows.view(), toy.target));
      const auto sorted = in_label_order(toy, model.labels());

      std::vector<int> labels(classes);
      std::iota(labels.begin(), labels.end(), 0);
      std::vector<double> weights;
      for (std::size_t c = 0; c < classes; ++c)
        weights.push_back(120.0 /
                          (static_cast<double>(classes) *
                           static_cast<double>(std::ranges::count(sorted.target.classes, c))));
      svm_parameter parameter{};
      parameter.svm_type = C_SVC;
      parameter.gamma = 0.3;
      parameter.C = 2.0;
      if (weight == ClassWeight::balanced) {
        parameter.nr_weight = static_cast<int>(classes);
        parameter.weight_label = labels.data();
        parameter.weight = weights.data();
      }
      const LibsvmReference reference(
          sorted.rows, {sorted.target.classes.begin(), sorted.target.classes.end()}, parameter);

      const Predictions found = predict(model, sorted.rows.view());
      EXPECT_EQ(model.points().rows(), static_cast<std::size_t>(reference.points()));
      for (std::size_t r = 0; r < sorted.rows.rows(); ++r) {
        EXPECT_EQ(static_cast<double>(found.classes[r]), reference.label(r));
        const auto expected = reference.decisions(r, found.decisions.cols());
        for (std::size_t m = 0; m < expected.size(); ++m)
          EXPECT_NEAR(found.decisions(r, m), expected[m], 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, FitSvm, testing::Values(2, 3, 5));

TEST(Fit, TakesTheWeightOfEachClass) {
  const auto toy = test::clouds(1, 120, 3);
  SvmLearner learner{0.3, 2.0};
  const Model balanced(fit(learner, toy.rows.view(), toy.target));
  for (std::size_t c = 0; c < 3; ++c)
    learner.class_weights.push_back(
        120.0 / (3.0 * static_cast<double>(std::ranges::count(toy.target.classes, c))));
  const Model same(fit(learner, toy.rows.view(), toy.target));
  EXPECT_EQ(predict(same, toy.rows.view()).decisions, predict(balanced, toy.rows.view()).decisions);
  std::ranges::reverse(learner.class_weights);
  const Model other(fit(learner, toy.rows.view(), toy.target));
  EXPECT_NE(predict(other, toy.rows.view()).decisions,
            predict(balanced, toy.rows.view()).decisions);
  learner.class_weights.pop_back();
  EXPECT_EQ(error_of([&] { fit(learner, toy.rows.view(), toy.target); }),
            "2 class weights for 3 classes, expected one each");
  learner.class_weights = {1.0, 0.0, 1.0};
  EXPECT_EQ(error_of([&] { fit(learner, toy.rows.view(), toy.target); }),
            "a class's weight is 0, expected a number above 0");
}

TEST(Fit, LeavesLibsvmsPrinterAsItWas) {
  const Matrix rows(4, 1, {0.0, 0.1, 1.0, 1.1});
  const ClassTarget target{{0, 0, 1, 1}, {"low", "high"}};
  testing::internal::CaptureStdout();
  fit(SvmLearner{.gamma = 1.0, .cost = 1.0}, rows.view(), target);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  // A direct call of LIBSVM prints its progress again.
  std::vector<svm_node> nodes;
  std::vector<svm_node*> starts;
  for (std::size_t r = 0; r < rows.rows(); ++r)
    nodes.insert(nodes.end(), {{1, rows(r, 0)}, {-1, 0.0}});
  for (std::size_t r = 0; r < rows.rows(); ++r) starts.push_back(nodes.data() + 2 * r);
  std::vector<double> labels{0, 0, 1, 1};
  const svm_problem problem{4, labels.data(), starts.data()};
  svm_parameter parameter{};
  parameter.kernel_type = RBF;
  parameter.gamma = parameter.C = parameter.cache_size = 1.0;
  parameter.eps = 1e-3;
  testing::internal::CaptureStdout();
  svm_model* model = svm_train(&problem, &parameter);
  EXPECT_NE(testing::internal::GetCapturedStdout(), "");
  svm_free_and_destroy_model(&model);
}

TEST(FitSvm, PutsTheSecondOfTwoLabelsIntoPoolP) {
  // Two clouds far apart, the negative one first in the file.
  Matrix rows(20, 1);
  ClassTarget target{{}, {"no", "yes"}};
  for (std::size_t r = 0; r < 20; ++r) {
    rows(r, 0) = (r % 2 == 0 ? -2.0 : 2.0) + 0.01 * static_cast<double>(r);
    target.classes.push_back(r % 2);
  }
  for (const Learner& learner : {Learner(SvmLearner{}), Learner(NeighborLearner{3})}) {
    const Model model(fit(learner, rows.view(), target));
    ASSERT_TRUE(model.fixed_pair());
    EXPECT_EQ(model.labels()[model.fixed_pair()->positive], "yes");
    const Predictions found = predict(model, Matrix(2, 1, {-2.0, 2.0}).view());
    EXPECT_LT(found.decisions(0, 0), 0.0);
    EXPECT_GT(found.decisions(1, 0), 0.0);
    EXPECT_EQ(model.labels()[found.classes[1]], "yes");
  }
}

TEST(FitSvm, GivesTheSameMachineFromFeaturesAsFromAGramMatrix) {
  const auto toy = test::clouds(9, 150, 2);
  std::vector<std::size_t> all(150);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const SvmProblem problem = class_problem(toy.target, all);
  const auto gram = SvmSamples::gram(linalg::squared_distances(toy.rows.view()), Kernel(0.5), 1);
  const auto features = SvmSamples::features(toy.rows.view(), Kernel(0.5));
  const SvmModel a = train_svm(gram, problem, SvmLearner{0.5, 3.0, ClassWeight::balanced});
  const SvmModel b = train_svm(features, problem, SvmLearner{0.5, 3.0, ClassWeight::balanced});
  ASSERT_EQ(a->l, b->l);
  EXPECT_NEAR(a->rho[0], b->rho[0], 1e-6);
  for (int n = 0; n < a->l; ++n) {
    EXPECT_EQ(a->sv_indices[n], b->sv_indices[n]);
    EXPECT_NEAR(a->sv_coef[0][n], b->sv_coef[0][n], 1e-6);
  }
}

TEST(FitSvr, PredictsAsLibsvmDoes) {
  const auto toy = test::waves(1, 100);
  const Model model(fit(SvrLearner{0.7, 5.0, 0.05}, toy.rows.view(), toy.target));
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.gamma = 0.7;
  parameter.C = 5.0;
  parameter.p = 0.05;
  const LibsvmReference reference(toy.rows, toy.target, parameter);
  const Predictions found = predict(model, toy.rows.view());
  for (std::size_t r = 0; r < 100; ++r)
    EXPECT_NEAR(found.decisions(r, 0), reference.label(r), 1e-6);
  EXPECT_NEAR(*std::get<KernelRegressor>(model.predictor()).target_mean,
              std::accumulate(toy.target.begin(), toy.target.end(), 0.0) / 100.0, 1e-12);
}

TEST(FitSvr, SaysSoWhereNothingIsLearned) {
  const auto toy = test::waves(1, 30);
  EXPECT_THROW(fit(SvrLearner{1.0, 1.0, 100.0}, toy.rows.view(), toy.target), InvalidInput);
}

TEST(FitOneClass, DecidesAsLibsvmDoesAndLeavesTheShareNuOutside) {
  const auto toy = test::waves(2, 200);
  const Model model(fit(OneClassLearner{0.5, 0.2}, toy.rows.view(), {}));
  svm_parameter parameter{};
  parameter.svm_type = ONE_CLASS;
  parameter.gamma = 0.5;
  parameter.nu = 0.2;
  const LibsvmReference reference(toy.rows, std::vector<double>(200, 1.0), parameter);
  const Predictions found = predict(model, toy.rows.view());
  std::size_t outside = 0;
  for (std::size_t r = 0; r < 200; ++r) {
    EXPECT_NEAR(found.decisions(r, 0), reference.decisions(r, 1)[0], 1e-6);
    outside += found.classes[r];
  }
  EXPECT_NEAR(static_cast<double>(outside), 40.0, 6.0);
}

TEST(FitNeighbors, KeepsRowsAndClasses) {
  const auto toy = test::clouds(4, 30, 3);
  const auto model = std::get<NeighborModel>(fit(NeighborLearner{5}, toy.rows.view(), toy.target));
  EXPECT_EQ(model.points(), toy.rows);
  EXPECT_EQ(model.classes(), toy.target.classes);
  EXPECT_EQ(model.labels(), toy.target.labels);
  EXPECT_EQ(model.k(), 5u);
}

/// The residual of (K + lambda I) a = y - mean, from the definition.
TEST(FitRidge, SolvesItsOwnEquation) {
  const auto toy = test::waves(3, 60);
  const RidgeLearner learner{0.8, 0.01};
  const auto model = std::get<KernelRegressor>(fit(learner, toy.rows.view(), toy.target));
  const double mean = std::accumulate(toy.target.begin(), toy.target.end(), 0.0) / 60.0;
  EXPECT_NEAR(model.machine.intercept(), mean, 1e-12);
  EXPECT_NEAR(*model.target_mean, mean, 1e-12);
  const auto& a = model.machine.coefficients();
  for (std::size_t i = 0; i < 60; ++i) {
    double left = learner.lambda * a[i];
    for (std::size_t j = 0; j < 60; ++j) {
      double squared = 0.0;
      for (std::size_t d = 0; d < 2; ++d) squared += std::pow(toy.rows(i, d) - toy.rows(j, d), 2);
      left += std::exp(-learner.gamma * squared) * a[j];
    }
    EXPECT_NEAR(left, toy.target[i] - mean, 1e-9);
  }
}

TEST(FitRidge, InterpolatesForATinyLambda) {
  const auto toy = test::waves(5, 40);
  const Model model(fit(RidgeLearner{20.0, 1e-10}, toy.rows.view(), toy.target));
  const Predictions found = predict(model, toy.rows.view());
  for (std::size_t r = 0; r < 40; ++r) EXPECT_NEAR(found.decisions(r, 0), toy.target[r], 1e-6);
}

TEST(FitRidge, SaysWhichLambdaIsTooSmall) {
  Matrix twice(2, 1, 1.0);  // equal rows: K is singular
  try {
    fit(RidgeLearner{1.0, 1e-30}, twice.view(), std::vector<double>{1.0, 2.0});
    FAIL() << "expected an error";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("lambda 1e-30"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("not positive definite"), std::string::npos);
  }
}

TEST(Fit, RefusesParametersAndTargetsThatDoNotFit) {
  const auto toy = test::clouds(1, 20, 2);
  const auto view = toy.rows.view();
  const std::vector<double> numbers(20, 1.0);
  const auto refuses = [&](const Learner& learner, const Target& target) {
    EXPECT_THROW(fit(learner, view, target), InvalidInput);
  };
  refuses(SvmLearner{0.0, 1.0}, toy.target);
  refuses(SvmLearner{1.0, -1.0}, toy.target);
  refuses(SvmLearner{std::nan(""), 1.0}, toy.target);
  refuses(SvmLearner{}, numbers);
  refuses(SvmLearner{}, {});
  refuses(SvmLearner{}, ClassTarget{std::vector<std::size_t>(20, 0), {"a", "b"}});
  refuses(SvmLearner{}, ClassTarget{std::vector<std::size_t>(20, 2), {"a", "b"}});
  refuses(SvmLearner{}, ClassTarget{{0, 1}, {"a", "b"}});
  refuses(SvrLearner{1.0, 1.0, -0.1}, numbers);
  refuses(SvrLearner{}, toy.target);
  refuses(SvrLearner{}, std::vector<double>(20, std::nan("")));
  refuses(OneClassLearner{1.0, 0.0}, {});
  refuses(OneClassLearner{1.0, 1.5}, {});
  refuses(OneClassLearner{}, numbers);
  refuses(NeighborLearner{0}, toy.target);
  refuses(NeighborLearner{21}, toy.target);
  refuses(RidgeLearner{1.0, 0.0}, numbers);
}

}  // namespace
}  // namespace bisector
