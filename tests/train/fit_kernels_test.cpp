// Learners with other kernels than the Gaussian, compared with kernel values from their
// definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "bisector/predict.h"
#include "bisector/train/train.h"
#include "core/linalg/pairwise.h"
#include "reference/error_of.h"
#include "train/gram.h"
#include "train/svm_training.h"
#include "train/toy_data.h"

namespace bisector {

using namespace detail;

namespace {

using Row = std::span<const double>;

double euclidean(Row x, Row u) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += (x[d] - u[d]) * (x[d] - u[d]);
  return std::sqrt(sum);
}
double manhattan(Row x, Row u) {
  double sum = 0.0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += std::abs(x[d] - u[d]);
  return sum;
}
double dot(Row x, Row u) { return std::inner_product(x.begin(), x.end(), u.begin(), 0.0); }

struct NamedKernel {
  const char* name;
  KernelChoice choice;
  std::function<double(Row, Row)> value;  // with gamma 0.4
};

constexpr double kGamma = 0.4;

std::vector<NamedKernel> kernels() {
  const auto of_root = [](double (*phi)(double)) {
    return [phi](Row x, Row u) { return phi(kGamma * euclidean(x, u)); };
  };
  const auto of_square = [](double shape) {
    return [shape](Row x, Row u) {
      return std::pow(1.0 + kGamma * std::pow(euclidean(x, u), 2.0), -shape);
    };
  };
  return {
      {"gaussian",
       {},
       [](Row x, Row u) { return std::exp(-kGamma * std::pow(euclidean(x, u), 2)); }},
      {"laplacian",
       {KernelForm::exponential, 1.0, 0.0, Distance::manhattan()},
       [](Row x, Row u) { return std::exp(-kGamma * manhattan(x, u)); }},
      {"matern12", {KernelForm::matern12}, of_root([](double t) { return std::exp(-t); })},
      {"matern32", {KernelForm::matern32}, of_root([](double t) {
         return (1.0 + t) * std::exp(-t);
       })},
      {"matern52", {KernelForm::matern52}, of_root([](double t) {
         return (1.0 + t + t * t / 3.0) * std::exp(-t);
       })},
      {"rational quadratic", {KernelForm::power, 0.7}, of_square(0.7)},
      {"cauchy", {KernelForm::power, 1.0}, of_square(1.0)},
      {"linear", {KernelForm::polynomial}, [](Row x, Row u) { return kGamma * dot(x, u); }},
      {"cubic",
       {KernelForm::polynomial, 3.0, 1.0},
       [](Row x, Row u) { return std::pow(kGamma * dot(x, u) + 1.0, 3.0); }},
  };
}

Matrix naive_gram(const Matrix& rows, const NamedKernel& kernel) {
  Matrix gram(rows.rows(), rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.rows(); ++j)
      gram(i, j) = kernel.value(rows.row(i), rows.row(j));
  }
  return gram;
}

std::vector<std::size_t> all_of(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// LIBSVM on the kernel values themselves, in its "precomputed" form.
class Precomputed {
 public:
  explicit Precomputed(const Matrix& gram) : nodes_(gram.rows()) {
    for (std::size_t i = 0; i < gram.rows(); ++i) {
      nodes_[i].push_back({0, static_cast<double>(i + 1)});
      for (std::size_t j = 0; j < gram.cols(); ++j)
        nodes_[i].push_back({static_cast<int>(j + 1), gram(i, j)});
    }
  }

  SvmModel train(std::vector<double> targets, svm_parameter parameter) {
    parameter.kernel_type = PRECOMPUTED;
    parameter.cache_size = 100;
    parameter.eps = 1e-3;
    parameter.shrinking = 1;
    for (auto& row : nodes_) starts_.push_back(row.data());
    targets_ = std::move(targets);
    const svm_problem problem{static_cast<int>(targets_.size()), targets_.data(), starts_.data()};
    svm_set_print_string_function([](const char*) {});
    SvmModel model(svm_train(&problem, &parameter));
    svm_set_print_string_function(nullptr);
    return model;
  }
  double decision(const SvmModel& model, std::size_t row) const {
    double value = 0.0;
    svm_predict_values(model.get(), nodes_[row].data(), &value);
    return value;
  }

 private:
  std::vector<std::vector<svm_node>> nodes_;
  std::vector<svm_node*> starts_;
  std::vector<double> targets_;
};

TEST(FitKernels, RegressorsAndDetectorsAreLibsvmsOnTheKernelsValues) {
  const auto toy = test::waves(3, 90);
  for (const NamedKernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    Precomputed reference(naive_gram(toy.rows, kernel));
    svm_parameter parameter{};
    parameter.svm_type = EPSILON_SVR;
    parameter.C = 2.0;
    parameter.p = 0.05;
    const SvmModel expected = reference.train(toy.target, parameter);
    const Model model(
        fit(SvrLearner{kGamma, 2.0, 0.05, kernel.choice}, toy.rows.view(), toy.target));
    const Predictions found = predict(model, toy.rows.view());
    EXPECT_EQ(*model.kernel(), kernel.choice.with_gamma(kGamma));
    for (std::size_t r = 0; r < toy.rows.rows(); ++r)
      EXPECT_NEAR(found.decisions(r, 0), reference.decision(expected, r), 1e-6);

    Precomputed one_class(naive_gram(toy.rows, kernel));
    parameter.svm_type = ONE_CLASS;
    parameter.nu = 0.2;
    const SvmModel inside = one_class.train(std::vector<double>(90, 1.0), parameter);
    const Model detector(fit(OneClassLearner{kGamma, 0.2, kernel.choice}, toy.rows.view(), {}));
    const Predictions at_rows = predict(detector, toy.rows.view());
    for (std::size_t r = 0; r < toy.rows.rows(); ++r)
      EXPECT_NEAR(at_rows.decisions(r, 0), one_class.decision(inside, r), 1e-6);
  }
}

TEST(FitKernels, ClassifiersAreLibsvmsOnTheKernelsValues) {
  const auto toy = test::clouds(4, 100, 2);
  const SvmProblem order = class_problem(toy.target, all_of(100));
  const Matrix rows = test::picked(toy.rows, order.samples);
  for (const NamedKernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    Precomputed reference(naive_gram(rows, kernel));
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.C = 2.0;
    const SvmModel expected = reference.train(order.targets, parameter);
    const Model model(fit(SvmLearner{kGamma, 2.0, ClassWeight::none, {}, kernel.choice},
                          toy.rows.view(), toy.target));
    const Predictions found = predict(model, rows.view());
    for (std::size_t r = 0; r < rows.rows(); ++r)
      EXPECT_NEAR(found.decisions(r, 0), reference.decision(expected, r), 1e-6);
  }
}

TEST(FitKernels, RidgeSolvesItsEquations) {
  const auto toy = test::waves(5, 60);
  for (const NamedKernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    const Model model(fit(RidgeLearner{kGamma, 0.3, kernel.choice}, toy.rows.view(), toy.target));
    const KernelMachine& machine = std::get<KernelRegressor>(model.predictor()).machine;
    const Matrix gram = naive_gram(toy.rows, kernel);
    const double mean = std::accumulate(toy.target.begin(), toy.target.end(), 0.0) / 60.0;
    for (std::size_t i = 0; i < 60; ++i) {
      double sum = 0.3 * machine.coefficients()[i];
      for (std::size_t j = 0; j < 60; ++j) sum += gram(i, j) * machine.coefficients()[j];
      EXPECT_NEAR(sum, toy.target[i] - mean, 1e-8);
    }
  }
}

TEST(FitKernels, DotProductsFromFeaturesAreThoseFromAGramMatrix) {
  const auto toy = test::clouds(9, 150, 2);
  const SvmProblem problem = class_problem(toy.target, all_of(150));
  for (const KernelChoice& choice :
       {KernelChoice{KernelForm::polynomial}, KernelChoice{KernelForm::polynomial, 2.0, 0.5},
        KernelChoice{KernelForm::sigmoid, 1.0, -0.1}}) {
    const Kernel kernel = choice.with_gamma(0.05);
    const SvmLearner learner{0.05, 3.0, ClassWeight::balanced, {}, choice};
    const auto gram = svm_samples(toy.rows.view(), kernel, true, 1);
    const auto features = svm_samples(toy.rows.view(), kernel, false, 1);
    const SvmModel a = train_svm(gram, problem, learner);
    const SvmModel b = train_svm(features, problem, learner);
    ASSERT_EQ(a->l, b->l);
    EXPECT_NEAR(a->rho[0], b->rho[0], 1e-6);
  }
}

TEST(FitKernels, ADensityLeavesItsShareOutside) {
  const auto toy = test::waves(6, 80);
  const KernelChoice matern{KernelForm::matern32};
  const Model model(fit(DensityLearner{2.0, 0.25, matern}, toy.rows.view(), {}));
  const Predictions found = predict(model, toy.rows.view());
  const auto outside =
      std::ranges::count_if(found.decisions.values(), [](double f) { return f < 0; });
  EXPECT_EQ(outside, 20);
  EXPECT_EQ(error_of([&] {
              fit(DensityLearner{1.0, 0.1, {KernelForm::polynomial}}, toy.rows.view(), {});
            }),
            "a density with a kernel of the dot product, expected a kernel of a distance");
}

TEST(FitKernels, AreTunedWithTheirGammaWhereTheyHaveOne) {
  const auto toy = test::waves(7, 60);
  TuneOptions options;
  options.grid = {{0.1, 1.0}, {1.0}, {0.1, 1.0}, {3}};
  options.folds = 3;
  RidgeLearner learner;
  learner.kernel = {KernelForm::matern52};
  EXPECT_EQ(tune(learner, toy.rows.view(), toy.target, options).trials.size(), 4u);
  learner.kernel = {KernelForm::polynomial};
  const TuneResult linear = tune(learner, toy.rows.view(), toy.target, options);
  ASSERT_EQ(linear.trials.size(), 2u);
  EXPECT_EQ(std::get<RidgeLearner>(linear.trials[0].learner).gamma, 1.0);
  EXPECT_EQ(std::get<RidgeLearner>(linear.trials[0].learner).kernel, learner.kernel);
}

TEST(SvmMemory, LimitsTheGramMatrixOfKernelsThatLibsvmHas) {
  const KernelChoice gaussian = SvmLearner().kernel;
  EXPECT_TRUE(takes_gram(gaussian, 4276));
  EXPECT_FALSE(takes_gram(gaussian, 4277));
  EXPECT_LE(gram_bytes(4276), kKernelBytes);
  EXPECT_FALSE(takes_gram({KernelForm::polynomial}, 7828));
  EXPECT_TRUE(takes_gram({KernelForm::matern32}, 7828));
}

TEST(FitKernels, KeepTheMedianOfTheirOwnDistance) {
  const auto toy = test::waves(8, 50);
  RidgeLearner learner;
  learner.kernel = {KernelForm::exponential, 1.0, 0.0, Distance::manhattan()};
  const Model model = train(learner, toy.rows.view(), toy.target).model;
  EXPECT_DOUBLE_EQ(model.median_distance().value(),
                   linalg::median_distance(model.points().view(), Distance::manhattan()));
  EXPECT_GT(model.median_distance().value(), 1.0);  // the Euclidean one is the unit
}

}  // namespace
}  // namespace bisector
