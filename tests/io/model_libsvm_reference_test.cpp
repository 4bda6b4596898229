// Models that Debian's svm-train made, read by us and by LIBSVM itself: the decisions must agree.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <libsvm/svm.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>

#include "bisector/error.h"
#include "bisector/io/bundle_extras.h"
#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "io/model_test_support.h"
#include "reference/libsvm_nodes.h"

namespace bisector {
namespace {

constexpr std::size_t kFeatures = 5, kRows = 80;
// Both sides sum at most 80 terms in another order.
constexpr double kTolerance = 1e-9;

struct Trained {
  const char* name;
  const char* options;  // of svm-train
  int classes;          // of the data; 0: a real target
};

void PrintTo(const Trained& trained, std::ostream* out) { *out << trained.name; }

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using LibsvmModel = std::unique_ptr<svm_model, FreeModel>;

/// Rows around one center per class. Feature 3 is often zero, so that the files are sparse.
struct Data {
  Matrix rows{kRows, kFeatures};
  std::vector<double> targets;
};

Data make_data(int classes) {
  std::mt19937_64 engine(20 + static_cast<std::uint64_t>(classes));
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0; };
  Data data;
  for (std::size_t n = 0; n < kRows; ++n) {
    const int c = classes == 0 ? 0 : static_cast<int>(n) % classes;
    for (std::size_t d = 0; d < kFeatures; ++d)
      data.rows(n, d) = uniform() + 0.5 * std::sin(static_cast<double>(d + 1) * c);
    if (n % 3 != 0) data.rows(n, 2) = 0.0;
    data.targets.push_back(classes == 0 ? std::sin(3.0 * data.rows(n, 0)) : c * 5 - 3);
  }
  return data;
}

void write_data(const Data& data, const std::filesystem::path& path) {
  std::ofstream out(path);
  for (std::size_t n = 0; n < kRows; ++n) {
    out << fmt::format("{}", data.targets[n]);
    for (std::size_t d = 0; d < kFeatures; ++d) {
      if (data.rows(n, d) != 0.0) out << fmt::format(" {}:{}", d + 1, data.rows(n, d));
    }
    out << '\n';
  }
}

double kernel_sum(const Matrix& points, std::span<const double> coefficients, double gamma,
                  double intercept, std::span<const double> x) {
  double sum = intercept;
  for (std::size_t n = 0; n < points.rows(); ++n) {
    double distance = 0.0;
    for (std::size_t d = 0; d < points.cols(); ++d)
      distance += (x[d] - points(n, d)) * (x[d] - points(n, d));
    sum += coefficients[n] * std::exp(-gamma * distance);
  }
  return sum;
}

struct Decision {
  std::vector<double> values;
  double prediction;
};

Decision decide(const KernelMachine& machine, std::span<const double> x, bool is_one_class) {
  const double f =
      kernel_sum(machine.points(), machine.coefficients(), machine.gamma(), machine.intercept(), x);
  return {{f}, is_one_class ? (f > 0.0 ? 1.0 : -1.0) : f};
}

Decision decide(const KernelClassifier& model, std::span<const double> x) {
  Decision decision{};
  std::vector<int> votes(model.classes(), 0);
  for (std::size_t a = 0; a < model.classes(); ++a) {
    for (std::size_t b = a + 1; b < model.classes(); ++b) {
      const double f = kernel_sum(model.points(), model.pair_coefficients(a, b), model.gamma(),
                                  model.intercepts()[model.pair_index(a, b)], x);
      decision.values.push_back(f);
      ++votes[f > 0.0 ? a : b];
    }
  }
  const auto winner = std::max_element(votes.begin(), votes.end()) - votes.begin();
  decision.prediction = std::stod(model.labels()[static_cast<std::size_t>(winner)]);
  return decision;
}

Decision decide(const Model& model, std::span<const double> x) {
  if (const auto* classifier = std::get_if<KernelClassifier>(&model.predictor()))
    return decide(*classifier, x);
  if (const auto* regressor = std::get_if<KernelRegressor>(&model.predictor()))
    return decide(regressor->machine, x, false);
  return decide(std::get<OneClassMachine>(model.predictor()).machine, x, true);
}

void expect_same_decisions(const Model& ours, const svm_model& theirs, const Data& data,
                           bool is_regressor) {
  for (std::size_t n = 0; n < kRows; ++n) {
    SCOPED_TRACE(testing::Message() << "row " << n);
    const auto nodes = reference::nodes_of(data.rows.row(n));
    const Decision decision = decide(ours, data.rows.row(n));
    std::vector<double> values(decision.values.size());
    svm_predict_values(&theirs, nodes.data(), values.data());
    for (std::size_t m = 0; m < values.size(); ++m)
      EXPECT_NEAR(decision.values[m], values[m], kTolerance) << "machine " << m;
    EXPECT_NEAR(decision.prediction, svm_predict(&theirs, nodes.data()),
                is_regressor ? kTolerance : 0.0);
  }
}

class TrainedByLibsvm : public testing::TestWithParam<Trained> {
 protected:
  void SetUp() override {
    if (std::system("command -v svm-train >/dev/null && command -v svm-predict >/dev/null") != 0)
      GTEST_SKIP() << "svm-train is not installed";
    data_ = make_data(GetParam().classes);
    write_data(data_, data_path_);
    ASSERT_EQ(std::system(fmt::format("svm-train -q {} '{}' '{}'", GetParam().options,
                                      data_path_.string(), model_path_.string())
                              .c_str()),
              0);
  }
  void TearDown() override {
    std::filesystem::remove(data_path_);
    std::filesystem::remove(model_path_);
  }
  bool is_regressor() const { return std::string(GetParam().name).ends_with("svr"); }

  Data data_;
  std::filesystem::path data_path_ = test::temporary_path("data");
  std::filesystem::path model_path_ = test::temporary_path("model");
};

TEST_P(TrainedByLibsvm, DecidesAsLibsvmDoes) {
  const Model ours = read_model(model_path_);
  const LibsvmModel theirs(svm_load_model(model_path_.c_str()));
  ASSERT_NE(theirs, nullptr);
  EXPECT_EQ(ours.points().rows(), static_cast<std::size_t>(svm_get_nr_sv(theirs.get())));
  expect_same_decisions(ours, *theirs, data_, is_regressor());
}

TEST_P(TrainedByLibsvm, PredictsTheSameThroughSvmPredict) {
  const Model ours = read_model(model_path_);
  const auto output = test::temporary_path("predictions");
  ASSERT_EQ(std::system(fmt::format("svm-predict -q '{}' '{}' '{}'", data_path_.string(),
                                    model_path_.string(), output.string())
                            .c_str()),
            0);
  std::ifstream predictions(output);
  for (std::size_t n = 0; n < kRows; ++n) {
    double prediction = 0.0;
    ASSERT_TRUE(predictions >> prediction);
    // svm-predict prints six digits.
    EXPECT_NEAR(decide(ours, data_.rows.row(n)).prediction, prediction, 1e-5);
  }
  std::filesystem::remove(output);
}

TEST_P(TrainedByLibsvm, HasTheProbabilitiesOfSvmPredict) {
  const auto probabilities = read_bundle_extras(model_path_).probabilities;
  const bool is_expected = std::string(GetParam().options).ends_with("-b 1");
  ASSERT_EQ(probabilities.has_value(), is_expected);
  if (!is_expected) return;
  const Model ours = read_model(model_path_);
  const Matrix shares = (*probabilities)(predict(ours, data_.rows).decisions);
  const auto output = test::temporary_path("probabilities");
  ASSERT_EQ(std::system(fmt::format("svm-predict -q -b 1 '{}' '{}' '{}'", data_path_.string(),
                                    model_path_.string(), output.string())
                            .c_str()),
            0);
  std::ifstream lines(output);
  std::string word;
  ASSERT_TRUE(lines >> word);
  EXPECT_EQ(word, "labels");
  for (const auto& label : ours.labels()) {
    ASSERT_TRUE(lines >> word);
    EXPECT_EQ(word, label);
  }
  // svm-predict prints six digits. Before LIBSVM 3.25, two classes are solved by an iteration that
  // stops at an error of 0.0025.
  const double tolerance = ours.labels().size() == 2 ? 5e-3 : 1e-5;
  for (std::size_t n = 0; n < kRows; ++n) {
    double expected = 0.0;
    ASSERT_TRUE(lines >> expected);  // the most probable class
    for (std::size_t c = 0; c < shares.cols(); ++c) {
      ASSERT_TRUE(lines >> expected);
      EXPECT_NEAR(shares(n, c), expected, tolerance) << "row " << n << ", class " << c;
    }
  }
  std::filesystem::remove(output);
}

TEST(SvmProbabilities, FollowTheSigmoidOfTwoClasses) {
  const SvmProbabilities probabilities(2, {-2.0}, {0.5});
  const Matrix shares = probabilities(Matrix(3, 1, {0.7, 1e6, -1e6}));
  EXPECT_NEAR(shares(0, 0), 1.0 / (1.0 + std::exp(-2.0 * 0.7 + 0.5)), 1e-15);
  for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(shares(r, 0) + shares(r, 1), 1.0);
  EXPECT_EQ(shares(1, 0), 1.0 - 1e-7);
  EXPECT_EQ(shares(2, 0), 1e-7);
}

TEST(SvmProbabilities, NeedASigmoidForEveryPair) {
  EXPECT_THROW(SvmProbabilities(3, {1.0, 2.0}, {1.0, 2.0, 3.0}), InvalidModel);
  EXPECT_THROW(SvmProbabilities(1, {}, {}), InvalidModel);
  const SvmProbabilities two(2, {-1.0}, {0.0});
  EXPECT_THROW(two(Matrix(1, 3)), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TrainedByLibsvm,
    testing::Values(
        Trained{"c_svc_2", "-s 0 -g 0.7 -c 10", 2}, Trained{"c_svc_4", "-s 0 -g 0.7 -c 10", 4},
        Trained{"c_svc_2_with_probabilities", "-s 0 -g 0.7 -c 10 -b 1", 2},
        Trained{"c_svc_4_with_probabilities", "-s 0 -g 0.7 -c 10 -b 1", 4},
        Trained{"nu_svc_2", "-s 1 -g 0.7 -n 0.3", 2}, Trained{"nu_svc_4", "-s 1 -g 0.7 -n 0.3", 4},
        Trained{"one_class", "-s 2 -g 0.7 -n 0.3", 2},
        Trained{"epsilon_svr", "-s 3 -g 0.7 -c 10", 0}, Trained{"nu_svr", "-s 4 -g 0.7 -c 10", 0}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace bisector
