#include "bisector/predict.h"

#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <iterator>

#include "bisector/io/bundle_extras.h"
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
      {"predict", write_model(folder, "m.model", model), write_csv(folder, "d.csv", rows)});
  EXPECT_EQ(lines_of(csv)[0], "row,prediction,decision");
  expect_same(csv, model, rows);
}

TEST(PredictCommand, ManyClassesHaveAColumnForEachPair) {
  const Folder folder;
  const Model model(random_classifier(2, {"a", "b", "c"}, 33));
  write_bundle(folder.file("m.npz"), model);
  const Matrix rows = random_rows(9, 2, 34);
  const auto csv = output_of({"predict", folder.file("m.npz"), write_csv(folder, "d.csv", rows),
                              "--limit", "chunk=4", "--details"});
  const DecisionFunction decide(model);
  EXPECT_EQ(cells_of(lines_of(csv)[0])[2], decide.names()[0]);
  expect_same(csv, model, rows);
}

/// A LIBSVM model of three classes with a sigmoid for every pair.
std::string write_with_probabilities(const Folder& folder) {
  return folder.write("p.model",
                      "svm_type c_svc\nkernel_type rbf\ngamma 0.25\nnr_class 3\ntotal_sv 4\n"
                      "rho 0.5 -0.25 0\nlabel 1 2 3\nprobA -1 -2 -0.5\nprobB 0 0.1 0.2\n"
                      "nr_sv 2 1 1\nSV\n1 0.5 1:0.5 2:-2\n0.25 0 2:0.001\n-1 0.75 1:1\n"
                      "-0.5 -0.75 1:4 2:5\n");
}

TEST(PredictCommand, WritesTheProbabilitiesOfALibsvmModel) {
  const Folder folder;
  const std::string model = write_with_probabilities(folder);
  const Matrix rows = random_rows(5, 2, 72);
  const std::string data = write_csv(folder, "d.csv", rows);
  const auto lines = lines_of(output_of({"predict", model, data, "--details"}));
  EXPECT_EQ(lines[0],
            "row,prediction,decision 1|2,decision 1|3,decision 2|3,probability 1,probability 2,"
            "probability 3");
  const Matrix expected =
      read_bundle_extras(model).probabilities.value()(predict(read_model(model), rows).decisions);
  const auto json =
      nlohmann::json::parse(output_of({"predict", model, data, "--details", "--format", "json"}));
  const auto objects =
      lines_of(output_of({"predict", model, data, "--details", "--format", "jsonl"}));
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto cells = cells_of(lines[r + 1]);
    ASSERT_EQ(cells.size(), 8u);
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(number(cells[5 + c]), expected(r, c));
      EXPECT_EQ(json["rows"][r]["probabilities"][c], expected(r, c));
      sum += expected(r, c);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_NE(objects[objects.size() - rows.rows() + r].find("\"probabilities\":{\"1\":"),
              std::string::npos);
  }
}

TEST(PredictCommand, ConvertedModelsKeepTheirProbabilities) {
  const Folder folder;
  const std::string model = write_with_probabilities(folder);
  const std::string bundle = folder.file("p.npz");
  EXPECT_EQ(output_of({"convert", model, bundle}), "");
  const std::string data = write_csv(folder, "d.csv", random_rows(5, 2, 72));
  const std::string expected = output_of({"predict", model, data});
  EXPECT_EQ(output_of({"predict", bundle, data}), expected);
  const std::string background = write_csv(folder, "b.csv", random_rows(150, 2, 73));
  const std::string chosen = folder.file("chosen.npz");
  const Outcome outcome = run_command({"choose", bundle, "--background", background, "-o", chosen});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(output_of({"predict", chosen, data}), expected);
}

TEST(PredictCommand, ProbabilitiesAreReportedByInspectAndScore) {
  const Folder folder;
  const std::string model = write_with_probabilities(folder);
  EXPECT_NE(output_of({"inspect", model}).find("as svm-predict -b 1 prints them"),
            std::string::npos);
  EXPECT_TRUE(
      nlohmann::json::parse(output_of({"inspect", model, "--json"}))["model"]["probabilities"]
          .get<bool>());
  const auto without =
      write_model(folder, "w.model", Model(random_classifier(2, {"1", "2", "3"}, 71)));
  EXPECT_EQ(output_of({"inspect", without}).find("svm-predict"), std::string::npos);
  const auto data = folder.write("d.csv", "a,b,y\n0.1,0.2,1\n0.3,-0.2,2\n");
  const std::string score = unwrapped(output_of({"score", model, data, "--target", "y"}));
  EXPECT_NE(score.find("predict writes the probabilities of this model"), std::string::npos)
      << score;
}

TEST(PredictCommand, RegressorsGiveTheirValue) {
  const Folder folder;
  const Model model(KernelRegressor{
      KernelMachine(random_rows(3, 2, 35), {1.0, -2.0, 0.5}, Kernel(0.7), 0.1), {}});
  const Matrix rows = random_rows(5, 2, 36);
  expect_same(output_of({"predict", write_model(folder, "m.model", model),
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

std::vector<std::string> predictions_in(const std::string& csv) {
  std::vector<std::string> result;
  for (const auto& line : lines_of(csv)) result.push_back(cells_of(line)[1]);
  return result;
}

/// To the last digit, whatever the level that is explained is, and for other kernels too.
TEST(PredictCommand, ExplainWritesTheSamePredictions) {
  const Folder folder;
  const std::string rows = write_csv(folder, "d.csv", random_rows(60, 3, 41));
  const Matrix points = random_rows(40, 3, 42);
  const std::vector<double> weights = [&] {
    const Matrix drawn = random_rows(1, 40, 43);
    return std::vector<double>(drawn.values().begin(), drawn.values().end());
  }();
  std::vector<Model> models;
  for (const double gamma : {0.01, 0.5, 8.0})
    models.emplace_back(KernelRegressor{KernelMachine(points, weights, Kernel(gamma), 3.7), 1.25});
  const Kernel matern({KernelTerm{KernelForm::matern32, 0.6, 1.0, 1.0, 0.0}});
  models.emplace_back(KernelRegressor{KernelMachine(points, weights, matern, -0.3), {}});
  models.emplace_back(NeighborRegressor(points, weights, 4));
  models.emplace_back(random_classifier(3, {"1", "-1"}, 44));
  models.emplace_back(random_classifier(3, {"a", "b", "c"}, 45));
  for (const Model& model : models) {
    write_bundle(folder.file("m.npz"), model);
    const auto predicted = predictions_in(run_command({"predict", folder.file("m.npz"), rows}).out);
    for (const std::vector<std::string>& options :
         std::vector<std::vector<std::string>>{{}, {"--method", "lrp"}, {"--unit", "decision"}}) {
      std::vector<std::string> words = {"explain", folder.file("m.npz"), rows};
      words.insert(words.end(), options.begin(), options.end());
      if (model.is_regressor()) words.insert(words.end(), {"--versus", "0.37"});
      EXPECT_EQ(predictions_in(run_command(words).out), predicted);
    }
  }
}

TEST(PredictCommand, NotesWhatHappensToRowsWithMissingValues) {
  const Folder folder;
  write_bundle(folder.file("m.npz"), Model(random_classifier(2, {"1", "2"}, 7)));
  const auto data = folder.write("d.csv", "1,\n2,3\n");
  const auto notes = [&](const char* policy) {
    return run_command({"predict", folder.file("m.npz"), data, "--missing", policy}).err;
  };
  EXPECT_NE(notes("skip").find("1 row has a missing value and is left out (the first is row 1)"),
            std::string::npos)
      << notes("skip");
  EXPECT_NE(notes("mark").find("1 row has a missing value and has no result"), std::string::npos)
      << notes("mark");
}

TEST(PredictCommand, CountsRowsFarFromTheData) {
  const Folder folder;
  write_bundle(folder.file("m.npz"),
               Model(NeighborRegressor(random_rows(50, 2, 46), std::vector<double>(50, 1.0), 3)));
  const std::string far = folder.write("far.csv", "x1,x2,y\n0,0,1\n50,50,1\n-40,3,1\n");
  const std::string note = "note: " + far + ": 2 of 3 rows are far from the training data";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"predict", "--drop", "y"}, {"score", "--target", "y"}}) {
    std::vector<std::string> all = words;
    all.insert(all.begin() + 1, {folder.file("m.npz"), far});
    const Outcome outcome = run_command(all);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err.substr(0, note.size()), note);
  }
}

}  // namespace
}  // namespace bisector::cli::test
