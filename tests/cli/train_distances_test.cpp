// Models of other distances, weights and detectors from train to explain.
#include <gtest/gtest.h>

#include "bisector/io/model_file.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

std::string table(std::size_t rows) {
  Random random(5);
  std::string text = "a,b,sum,class\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = random.normal(), b = random.normal();
    for (const double value : {a, b, a + b}) {
      append_number(text, value);
      text += ',';
    }
    text += a + b > 0.0 ? "high\n" : "low\n";
  }
  return text;
}

class TrainDistances : public testing::Test {
  Folder folder_;

 protected:
  std::string data_ = folder_.write("d.csv", table(60));
  std::string model_ = folder_.file("m.npz");

  Model trained(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"train", data_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    output_of(arguments);
    return read_model(model_);
  }
  std::size_t explained_rows() const {
    return lines_of(output_of({"explain", model_, data_, "--drop", "sum", "--drop", "class"}))
        .size();
  }
};

TEST_F(TrainDistances, NeighborsHaveWeightsAndMetrics) {
  const Model model = trained({"--model", "knn", "--target", "class", "--drop", "sum", "--weights",
                               "distance", "--metric", "minkowski", "--power", "3", "--k", "5"});
  const auto& neighbors = std::get<NeighborModel>(model.predictor());
  EXPECT_EQ(neighbors.k(), 5u);
  EXPECT_EQ(neighbors.vote().weights, NeighborVote::Weights::distance);
  EXPECT_EQ(neighbors.distance().power(), 3.0);
  EXPECT_GT(explained_rows(), 60u);
}

TEST_F(TrainDistances, NeighborsLearnNumbers) {
  const Model model =
      trained({"--model", "knnr", "--target", "sum", "--drop", "class", "--metric", "manhattan"});
  EXPECT_EQ(std::get<NeighborRegressor>(model.predictor()).distance(), Distance::manhattan());
  EXPECT_GT(explained_rows(), 60u);
}

TEST_F(TrainDistances, DetectorsLeaveTheirShareOutside) {
  for (const std::string kind : {"lof", "knn-distance", "density"}) {
    SCOPED_TRACE(kind);
    const Model model =
        trained({"--model", kind, "--drop", "sum", "--drop", "class", "--outliers", "0.2"});
    EXPECT_TRUE(model.is_detector());
    EXPECT_GT(explained_rows(), 60u);
  }
}

TEST_F(TrainDistances, OptionsThatHaveNoEffectAreRefused) {
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"train", data_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments).status;
  };
  EXPECT_EQ(refused({"--model", "svm", "--target", "class", "--weights", "distance"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--power", "3"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--metric", "minkowski"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--tune", "--weights", "distance"}), 2);
  EXPECT_EQ(refused({"--model", "lof", "--target", "class"}), 2);
  EXPECT_EQ(refused({"--model", "lof", "--outliers", "1"}), 2);
}

}  // namespace
}  // namespace bisector::cli::test
