#include "bisector/predict.h"

#include <gtest/gtest.h>

#include <charconv>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

double number(const std::string& text) {
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void expect_same(const std::string& csv, const Model& model, const Matrix& rows) {
  const Predictions expected = predict(model, rows);
  const auto lines = lines_of(csv);
  ASSERT_EQ(lines.size(), rows.rows() + 1);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto cells = cells_of(lines[r + 1]);
    ASSERT_EQ(cells.size(), 2 + expected.decisions.cols());
    if (model.is_regressor())
      EXPECT_EQ(number(cells[1]), expected.decisions(r, 0));
    else
      EXPECT_EQ(cells[1], model.labels()[expected.classes[r]]);
    for (std::size_t m = 0; m < expected.decisions.cols(); ++m)
      EXPECT_EQ(number(cells[2 + m]), expected.decisions(r, m));
  }
}

TEST(PredictCommand, WritesDecisionAndClass) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "-1"}, 31));
  const Matrix rows = random_rows(9, 2, 32);
  const auto csv = output_of(
      {"predict", write_libsvm(folder, "m.model", model), write_csv(folder, "d.csv", rows)});
  EXPECT_EQ(lines_of(csv)[0], "row,prediction,decision");
  expect_same(csv, model, rows);
}

TEST(PredictCommand, ManyClassesHaveAColumnForEachPair) {
  const Folder folder;
  const Model model(random_classifier(2, {"a", "b", "c"}, 33));
  write_bundle(folder.file("m.npz"), model);
  const Matrix rows = random_rows(9, 2, 34);
  const auto csv = output_of(
      {"predict", folder.file("m.npz"), write_csv(folder, "d.csv", rows), "--chunk", "4"});
  const DecisionFunction decide(model);
  EXPECT_EQ(cells_of(lines_of(csv)[0])[2], decide.names()[0]);
  expect_same(csv, model, rows);
}

TEST(PredictCommand, RegressorsGiveTheirValue) {
  const Folder folder;
  const Model model(
      KernelRegressor{KernelMachine(random_rows(3, 2, 35), {1.0, -2.0, 0.5}, 0.7, 0.1), {}});
  const Matrix rows = random_rows(5, 2, 36);
  expect_same(output_of({"predict", write_libsvm(folder, "m.model", model),
                         write_csv(folder, "d.csv", rows)}),
              model, rows);
}

TEST(PredictCommand, JsonSaysTheSame) {
  const Folder folder;
  const Model model(random_classifier(2, {"say \"a\"", "b"}, 37));
  write_bundle(folder.file("m.npz"), model);
  const Matrix rows = random_rows(4, 2, 38);
  EXPECT_EQ(output_of({"predict", folder.file("m.npz"), write_csv(folder, "d.csv", rows), "-o",
                       folder.file("o.json")}),
            "");
  const auto json = nlohmann::json::parse(folder.read("o.json"));
  const Predictions expected = predict(model, rows);
  ASSERT_EQ(json["rows"].size(), 4u);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(json["rows"][r]["prediction"], model.labels()[expected.classes[r]]);
    EXPECT_EQ(json["rows"][r]["decisions"][0], expected.decisions(r, 0));
  }
}

TEST(PredictCommand, NeighborsOfALibsvmFileNeedNoTarget) {
  const Folder folder;
  const auto train = folder.write("t.svm", "+1 1:1 2:1\n-1 1:-1\n1 1:2\n-1 2:-2\n");
  const auto lines = lines_of(output_of({"predict", "--knn", "1", train, train}));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[1], "1,1,+1,1");
  EXPECT_EQ(lines[2], "2,-1,-1,-1");
  EXPECT_EQ(lines[3], "3,1,1,1");
}

}  // namespace
}  // namespace bisector::cli::test
