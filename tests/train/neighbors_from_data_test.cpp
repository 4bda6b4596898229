#include "bisector/train/neighbors_from_data.h"

#include <gtest/gtest.h>

#include "bisector/error.h"
#include "io/data_testing.h"

namespace bisector {
namespace {

Model neighbors(const std::string& name, std::string_view content, const std::string& target,
                std::size_t k = 1, const std::vector<std::string>& dropped = {}) {
  const TempFile file(name, content);
  const auto reader = open_data(file.path());
  return neighbors_from_data(*reader, name, target, k, dropped);
}

const NeighborModel& predictor(const Model& model) {
  return std::get<NeighborModel>(model.predictor());
}

TEST(NeighborsFromData, TakesEveryOtherColumnAsAFeature) {
  const Model model =
      neighbors("t.csv", "id,x,kind,y\n1,0.5,b,2\n2,1.5,a,3\n3,2.5,b,4\n", "kind", 3, {"id"});
  EXPECT_EQ(model.feature_names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(predictor(model).points(), Matrix(3, 2, {0.5, 2, 1.5, 3, 2.5, 4}));
  EXPECT_EQ(predictor(model).labels(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(predictor(model).classes(), (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_EQ(predictor(model).k(), 3u);
}

TEST(NeighborsFromData, OrdersNumbersAsNumbersAndTextByBytes) {
  const Model numbers = neighbors("t.csv", "x,y\n1,10\n2,9\n3,-1\n4,10.0\n", "y");
  EXPECT_EQ(predictor(numbers).labels(), (std::vector<std::string>{"-1", "9", "10"}));
  EXPECT_EQ(predictor(numbers).classes(), (std::vector<std::size_t>{2, 1, 0, 2}));
  const Model text = neighbors("t.csv", "x,y\n1,10\n2,9\n3,b\n", "y");
  EXPECT_EQ(predictor(text).labels(), (std::vector<std::string>{"10", "9", "b"}));
}

TEST(NeighborsFromData, KnowsTheLabelOfALibsvmFile) {
  const Model model = neighbors("t.svm", "+1 1:2\n-1 3:1\n1 2:1\n", "");
  EXPECT_TRUE(model.feature_names().empty());
  EXPECT_EQ(predictor(model).points(), Matrix(3, 3, {2, 0, 0, 0, 0, 1, 0, 1, 0}));
  EXPECT_EQ(predictor(model).labels(), (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(predictor(model).classes(), (std::vector<std::size_t>{1, 0, 1}));
}

TEST(NeighborsFromData, ErrorsNameTheFile) {
  const auto message = [](std::string_view content, const std::string& target, std::size_t k) {
    return message_of<InvalidInput>([&] { neighbors("t.csv", content, target, k); });
  };
  EXPECT_EQ(message("x,y\n1,a\n2,b\n", "", 1), "t.csv: --target is missing: name the label column");
  EXPECT_EQ(message("x,y\n1,a\n2,b\n", "y", 3),
            "t.csv: k is 3, expected a number from 1 to 2, the number of points");
  EXPECT_EQ(message("x,y\n1,a\n2,a\n", "y", 1), "t.csv: 1 classes, expected at least two");
  EXPECT_EQ(message("x,y\n1,a\n2,b\n", "z", 1), "t.csv has no column \"z\"; it has \"x\", \"y\"");
}

}  // namespace
}  // namespace bisector
