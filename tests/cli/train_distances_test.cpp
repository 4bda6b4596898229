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
 protected:
  Folder folder_;
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
                               "distance", "--metric", "minkowski:power=3", "--k", "5"});
  const auto& neighbors = std::get<NeighborModel>(model.predictor());
  EXPECT_EQ(neighbors.k(), 5u);
  EXPECT_EQ(neighbors.vote().weights, NeighborVote::Weights::distance);
  EXPECT_EQ(neighbors.distance().power(), 3.0);
  EXPECT_GT(explained_rows(), 60u);
}

TEST_F(TrainDistances, NeighborsHaveWeightsThatDecay) {
  const auto vote = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"--model", "knn", "--target", "class", "--drop", "sum", "--weights"});
    return std::get<NeighborModel>(trained(more).predictor()).vote();
  };
  using Weights = NeighborVote::Weights;
  const NeighborVote square = vote({"inverse-square", "--tune", "--k", "4,6"});
  EXPECT_EQ(square.weights, Weights::inverse);
  EXPECT_EQ(square.decay, (NeighborVote::Decay{0.0, 2.0, 1.0}));
  EXPECT_EQ(vote({"exponential:width=4"}).decay, (NeighborVote::Decay{0.0, 1.0, 0.25}));
  const NeighborVote gaussian = vote({"gaussian:width=0.5"});
  EXPECT_EQ(gaussian.weights, Weights::exponential);
  EXPECT_EQ(gaussian.decay, (NeighborVote::Decay{0.0, 2.0, 2.0}));
  EXPECT_NE(output_of({"inspect", model_}).find("weighted by exp(-2 distance^2)"),
            std::string::npos);
  EXPECT_GT(explained_rows(), 60u);
}

TEST_F(TrainDistances, NeighborsAreTunedWithTheirWeightsAndMetric) {
  const Model classes =
      trained({"--model", "knn", "--target", "class", "--drop", "sum", "--weights", "distance",
               "--metric", "manhattan", "--tune", "--k", "4,6"});
  const auto& voting = std::get<NeighborModel>(classes.predictor());
  EXPECT_TRUE(voting.k() == 4 || voting.k() == 6);
  EXPECT_EQ(
      voting.vote(),
      (NeighborVote{NeighborVote::Weights::distance, std::nullopt, {}, Distance::manhattan()}));
  const Model numbers = trained({"--model", "knnr", "--target", "sum", "--drop", "class",
                                 "--weights", "distance", "--tune", "--k", "4,6", "--folds", "3"});
  const auto& mean = std::get<NeighborRegressor>(numbers.predictor());
  EXPECT_TRUE(mean.k() == 4 || mean.k() == 6);
  EXPECT_EQ(mean.vote().weights, NeighborVote::Weights::distance);
}

TEST_F(TrainDistances, NeighborsLearnNumbers) {
  const Model model =
      trained({"--model", "knnr", "--target", "sum", "--drop", "class", "--metric", "manhattan"});
  EXPECT_EQ(std::get<NeighborRegressor>(model.predictor()).distance(), Distance::manhattan());
  EXPECT_NE(output_of({"inspect", model_}).find("the mean of the training target"),
            std::string::npos);
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

TEST_F(TrainDistances, GowerKeepsCategoriesAsColumns) {
  Random random(6);
  std::string text = "area,town,floor,price\n";
  for (std::size_t r = 0; r < 80; ++r) {
    const std::size_t town = random.below(3), floor = random.below(4);
    const double area = 50.0 + 20.0 * random.normal();
    append_number(text, area);
    text += std::string(",") + std::vector<std::string>{"Bonn", "Kiel", "Ulm"}[town] + "," +
            std::to_string(floor) + ",";
    append_number(text, area + (town == 0 ? 60.0 : 0.0));
    text += '\n';
  }
  data_ = folder_.write("flats.csv", text);
  const Model model = trained({"--model", "knnr", "--target", "price", "--metric", "gower",
                               "--weights", "distance", "--type", "floor=category"});
  const auto& neighbors = std::get<NeighborRegressor>(model.predictor());
  EXPECT_EQ(neighbors.distance(), Distance(1.0, {0.0, 1.0, 1.0}));
  ASSERT_TRUE(model.encoding());
  EXPECT_EQ(model.encoding()->columns()[1].kind, ColumnEncoding::Kind::category);
  double low = 1e9, high = -1e9;  // numbers are divided by their range
  for (std::size_t r = 0; r < 80; ++r) {
    low = std::min(low, model.points()(r, 0));
    high = std::max(high, model.points()(r, 0));
  }
  EXPECT_EQ(low, 0.0);
  EXPECT_NEAR(high, 1.0, 1e-15);
  const auto lines = lines_of(output_of({"explain", model_, data_}));
  EXPECT_NE(lines[0].find(",area,town,floor"), std::string::npos);
  EXPECT_EQ(lines.size(), 81u);
  EXPECT_NE(unwrapped(output_of({"inspect", model_})).find("Gower (2 categories)"),
            std::string::npos);
  EXPECT_NE(
      output_of({"evaluate", model_, data_, "--background", data_, "--sample", "9"}).find("lrp"),
      std::string::npos);
  output_of({"report", model_, data_, "--evaluate", "-o", folder_.file("r.html")});

  const std::string strange = folder_.write("s.csv", "area,town,floor\n50,Paris,1\n");
  EXPECT_EQ(run_command({"explain", model_, strange}).status, 1);
}

TEST_F(TrainDistances, HammingKeepsCategoriesAsColumns) {
  data_ = folder_.write("h.csv",
                        "color,size,class\nred,1,a\nred,2,a\nblue,1,b\nblue,2,b\ngreen,1,a\n"
                        "green,3,b\n");
  const Model model =
      trained({"--model", "knn", "--target", "class", "--metric", "hamming", "--k", "3"});
  EXPECT_EQ(model.features(), 2u);
  EXPECT_EQ(model.distance(), Distance::hamming(2));
}

TEST_F(TrainDistances, OptionsThatHaveNoEffectAreRefused) {
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"train", data_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments).status;
  };
  EXPECT_EQ(refused({"--model", "svm", "--target", "class", "--weights", "distance"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--metric", "cosine:power=3"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--weights", "distance:width=3"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--weights", "gaussian"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--metric", "minkowski"}), 2);
  EXPECT_EQ(refused({"--model", "lof", "--target", "class"}), 2);
  EXPECT_EQ(refused({"--model", "lof", "--outliers", "1"}), 2);
  const std::vector<std::string> svm = {"--model", "svm", "--target", "class"};
  const auto svm_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), svm.begin(), svm.end());
    return refused(more);
  };
  EXPECT_EQ(svm_with({"--kernel", "gaussian:shape=2"}), 2);
  EXPECT_EQ(svm_with({"--kernel", "poly:degree=2.5"}), 2);
  EXPECT_EQ(svm_with({"--kernel", "linear:offset=2"}), 2);
  EXPECT_EQ(svm_with({"--kernel", "linear", "--gamma", "2"}), 2);
  EXPECT_EQ(svm_with({"--kernel", "matern42"}), 2);
  EXPECT_EQ(svm_with({"--type", "a=category"}), 2);
  EXPECT_EQ(refused({"--model", "density", "--kernel", "poly"}), 2);
  EXPECT_EQ(refused({"--model", "knn", "--target", "class", "--kernel", "laplacian"}), 2);
  EXPECT_EQ(
      refused({"--model", "knn", "--target", "class", "--metric", "gower", "--scale", "none"}), 2);
}

TEST_F(TrainDistances, MachinesHaveKernels) {
  const std::vector<std::pair<std::string, std::string>> words = {
      {"laplacian", "Laplacian"},
      {"matern12", "Laplacian"},
      {"matern32", "Matérn 3/2"},
      {"matern52", "Matérn 5/2"},
      {"cauchy", "Cauchy"},
      {"inverse-multiquadric", "inverse multiquadric"},
      {"rational-quadratic", "Cauchy"},
      {"linear", "linear"},
      {"poly", "polynomial (degree 3)"},
      {"sigmoid", "sigmoid"}};
  for (const auto& [name, word] : words) {
    for (const std::string kind : {"svm", "svr", "krr", "oneclass"}) {
      SCOPED_TRACE(name + " " + kind);
      if (name == "sigmoid" && kind == "krr") continue;  // no positive definite matrix
      std::vector<std::string> arguments = {"--model", kind, "--kernel", name};
      const std::string target = kind == "svm" ? "class" : "sum";
      for (const std::string column : {"sum", "class"}) {
        const bool learned = kind != "oneclass" && column == target;
        arguments.insert(arguments.end(), {learned ? "--target" : "--drop", column});
      }
      trained(arguments);
      EXPECT_GT(explained_rows(), 60u);
      EXPECT_NE(output_of({"inspect", model_}).find(word), std::string::npos);
      EXPECT_GT(lines_of(output_of({"predict", model_, data_})).size(), 60u);
      if (name != "poly" && name != "laplacian") continue;
      const std::string table =
          output_of({"evaluate", model_, data_, "--background", data_, "--sample", "5"});
      EXPECT_NE(table.find("auto"), std::string::npos);
      output_of({"report", model_, data_, "-o", folder_.file("k.html")});
    }
  }
}

}  // namespace
}  // namespace bisector::cli::test
