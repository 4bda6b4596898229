// bisector score, and the score of rows that train held out.
#include "bisector/score.h"

#include <gtest/gtest.h>

#include <regex>

#include "bisector/predict.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

using Json = nlohmann::json;

/// Rows of two numbers, their noisy sum, and a class that follows it.
std::string sums_csv(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::string text = "a,b,sum,class\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = random.normal(), b = random.normal(), sum = a + b + 0.5 * random.normal();
    for (const double value : {a, b, sum}) {
      append_number(text, value);
      text += ',';
    }
    text += sum > 0.0 ? "high\n" : "low\n";
  }
  return text;
}

class ScoreCommand : public testing::Test {
  Folder folder_;

 protected:
  std::string train_ = folder_.write("train.csv", sums_csv(80, 3));
  std::string test_ = folder_.write("test.csv", sums_csv(60, 4));
  std::string model_ = folder_.file("m.npz");

  const Folder& folder() const { return folder_; }
  std::string train(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"train", train_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(arguments);
  }
  Json score(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"score", model_, test_, "--json", "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(output_of(arguments));
  }
  /// The column of the test's table.
  std::vector<std::string> column(std::size_t index) const {
    std::vector<std::string> cells;
    const auto lines = lines_of(folder_.read("test.csv"));
    for (std::size_t r = 1; r < lines.size(); ++r) cells.push_back(cells_of(lines[r])[index]);
    return cells;
  }
  /// What the library makes of the model's predictions.
  Score expected(std::size_t target) const {
    const Model model = read_model(model_);
    Matrix rows(60, 2);
    for (std::size_t r = 0; r < 60; ++r) {
      rows(r, 0) = std::stod(column(0)[r]);
      rows(r, 1) = std::stod(column(1)[r]);
    }
    return bisector::score(model, predict(model, rows), column(target));
  }
};

TEST_F(ScoreCommand, HasTheNumbersOfTheLibrary) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  const Json found = score({"--target", "class"});
  const ClassScore library = expected(3).classes.value();
  EXPECT_EQ(found["rows"], 60);
  EXPECT_EQ(found["target"], "class");
  EXPECT_EQ(found["accuracy"], library.accuracy);
  EXPECT_EQ(found["balanced_accuracy"], library.balanced_accuracy);
  EXPECT_EQ(found["auc"], library.auc.value());
  EXPECT_EQ(found["positive"], "low");
  EXPECT_TRUE(found["log_loss"].is_null());
  EXPECT_EQ(found["confusion"], Json(library.confusion));
  EXPECT_EQ(found["classes"][0]["label"], library.classes[0].label);
  EXPECT_EQ(found["classes"][0]["recall"], library.classes[0].recall.value());
}

TEST_F(ScoreCommand, KnowsTheTargetThatTheModelLearned) {
  train({"--target", "class", "--drop", "sum", "--model", "knn", "--k", "5"});
  EXPECT_EQ(score(), score({"--target", "class"}));
  EXPECT_TRUE(score()["log_loss"].is_number());
}

TEST_F(ScoreCommand, PutsNumbersThroughTheRuleOfAThresholdedModel) {
  train({"--target", "sum", "--drop", "class", "--above", "0", "--model", "svm"});
  const Json by_number = score(), by_name = score({"--target", "class"});
  EXPECT_EQ(by_number["target"], "sum");
  EXPECT_EQ(by_number["rows"], 60);
  EXPECT_EQ(by_number["classes"].size(), 2u);
  EXPECT_GT(by_number["accuracy"], 0.7);
  EXPECT_EQ(by_name["classes"].size(), 4u) << "high and low are no classes of this model";
  EXPECT_EQ(by_name["accuracy"], 0.0);
}

TEST_F(ScoreCommand, PutsAllOthersAgainstThePositiveClass) {
  train({"--target", "class", "--positive", "high", "--drop", "sum", "--model", "svm"});
  EXPECT_GT(score()["accuracy"], 0.7);
}

TEST_F(ScoreCommand, OfRegressorsAreErrors) {
  train({"--target", "sum", "--drop", "class", "--model", "krr"});
  const Json found = score();
  const NumberScore library = expected(2).numbers.value();
  EXPECT_EQ(found["mean_absolute_error"], library.mean_absolute_error);
  EXPECT_EQ(found["root_mean_squared_error"], library.root_mean_squared_error);
  EXPECT_EQ(found["r_squared"], library.r_squared.value());
  EXPECT_FALSE(found.contains("accuracy"));
}

TEST_F(ScoreCommand, OfOneClassModelsIsTheShareInside) {
  train({"--model", "oneclass", "--drop", "class", "--drop", "sum"});
  const Json found = score();
  EXPECT_GT(found["inside"], 0.5);
  EXPECT_TRUE(found["target"].is_null());
}

TEST_F(ScoreCommand, IsTextToReadOtherwise) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  const std::string text = output_of({"score", model_, test_});
  EXPECT_NE(text.find(model_ + " on " + test_ + ", compared with \"class\"\n"), std::string::npos);
  for (const char* line : {"\n  accuracy                 0.", "\n  balanced accuracy        0.",
                           "\n  AUC                      0.", "the model has no probabilities",
                           "\n  class      rows predicted precision    recall\n", "\n  confusion"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST_F(ScoreCommand, GoesIntoAFile) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  EXPECT_EQ(output_of({"score", model_, test_, "--json", "-o", folder().file("s.json")}), "");
  EXPECT_EQ(Json::parse(folder().read("s.json")), score());
}

TEST_F(ScoreCommand, AJsonFileHasJson) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  EXPECT_EQ(output_of({"score", model_, test_, "-o", folder().file("s.json")}), "");
  EXPECT_EQ(Json::parse(folder().read("s.json")), score());
}

TEST_F(ScoreCommand, NotesATargetColumnWithoutClassesOfTheModel) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  const Outcome outcome = run_command({"score", model_, test_, "--target", "sum"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("60 of 60 targets in column \"sum\" are no classes of the model"),
            std::string::npos)
      << outcome.err;
}

TEST_F(ScoreCommand, FindsTheTargetByNumberWhereNothingHasNames) {
  const auto data = folder().write("plain.csv", "1,2,5\n2,1,5\n-1,-2,7\n-2,-1,7\n1,1,5\n-1,-1,7\n");
  output_of({"train", data, "--header", "no", "--target", "3", "--model", "knn", "--k", "1", "-o",
             model_});
  const auto found =
      Json::parse(output_of({"score", model_, data, "--header", "no", "--target", "3", "--json"}));
  EXPECT_EQ(found["accuracy"], 1.0);
  EXPECT_EQ(found["target"], "target");
}

TEST_F(ScoreCommand, RemembersTheTargetOfAFileWithoutNames) {
  const auto data = folder().write("plain.csv", "1,2,5\n2,1,5\n-1,-2,7\n-2,-1,7\n1,1,5\n-1,-1,7\n");
  output_of({"train", data, "--target", "3", "--model", "knn", "--k", "1", "-o", model_});
  EXPECT_EQ(Json::parse(output_of({"score", model_, data, "--json"}))["accuracy"], 1.0);
  const auto other = folder().write("other.csv", "1,2,3,5\n2,1,3,5\n");
  const Outcome refused = run_command({"score", model_, other});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("has 4 columns, but the model has 2 features"), std::string::npos)
      << refused.err;
}

TEST_F(ScoreCommand, NamesTheRowOfTheFileAfterSkippedRows) {
  train({"--target", "sum", "--drop", "class", "--model", "krr"});
  const auto data = folder().write("gaps.csv", "a,b,sum\n1,2,3\n,2,3\n2,2,4\n1,1,much\n");
  const Outcome outcome = run_command({"score", model_, data, "--missing", "skip"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("gaps.csv:5: the target"), std::string::npos) << outcome.err;
}

TEST_F(ScoreCommand, TakesLabelsThatAFormatSetsApart) {
  const auto data = folder().write("d.libsvm", "+1 1:1\n+1 1:2\n-1 1:-1\n-1 1:-2\n");
  output_of({"train", data, "--model", "knn", "--k", "1", "-o", model_});
  EXPECT_EQ(Json::parse(output_of({"score", model_, data, "--json"}))["accuracy"], 1.0);
}

TEST_F(ScoreCommand, NamesAMissingTarget) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  const auto bare = folder().write("bare.csv", "a,b\n1,2\n");
  const Outcome no_target = run_command({"score", model_, bare});
  EXPECT_EQ(no_target.status, 2);
  EXPECT_EQ(no_target.err, "error: --target is missing: name the column of " + bare +
                               " with the actual values (see bisector score --help)\n");
  const auto empty = folder().write("empty.csv", "a,b,class\n1,2,\n3,4,?\n");
  const Outcome no_rows = run_command({"score", model_, empty});
  EXPECT_EQ(no_rows.status, 1);
  EXPECT_EQ(no_rows.err, "error: " + empty + ": no row with a target, expected some to score\n");
}

TEST_F(ScoreCommand, NamesTheRowWhoseTargetIsNoNumber) {
  train({"--target", "sum", "--drop", "class", "--model", "krr"});
  const auto data = folder().write("bad.csv", "a,b,sum\n1,2,3\n1,2,much\n");
  const Outcome outcome = run_command({"score", model_, data, "--limit", "chunk=1"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "error: " + data + ":3: the target is \"much\", expected a number\n");
}

TEST_F(ScoreCommand, EqualsTheScoreOfTrainOnHeldOutRows) {
  const std::string text = train(
      {"--target", "class", "--drop", "sum", "--model", "svm", "--holdout", "0.25", "--seed", "7"});
  // The line wraps where the temporary folder has a long name.
  EXPECT_TRUE(std::regex_search(text, std::regex("train\\.csv:\\s+60\\s+rows"))) << text;
  EXPECT_NE(text.find("\non the held-out rows\n  rows                     20\n"), std::string::npos)
      << text;
  const Json json = Json::parse(train({"--target", "class", "--drop", "sum", "--model", "svm",
                                       "--holdout", "0.25", "--seed", "7", "--json"}));
  EXPECT_EQ(json["rows"], 60);
  EXPECT_EQ(json["held_out"]["rows"], 20);
  EXPECT_EQ(json["parameters"]["gamma"], 1.0);
  EXPECT_EQ(json["target"]["column"], "class");
  EXPECT_TRUE(json["tuning"].is_null());
  EXPECT_EQ(json["fit"]["rows"], 60);
}

TEST_F(ScoreCommand, HoldsOutRowsOfOneClassModelsToo) {
  const Json json = Json::parse(train(
      {"--model", "oneclass", "--drop", "class", "--drop", "sum", "--holdout", "0.5", "--json"}));
  EXPECT_EQ(json["held_out"]["rows"], 40);
  EXPECT_TRUE(json["held_out"].contains("inside"));
  EXPECT_TRUE(json["target"].is_null());
}

TEST_F(ScoreCommand, LearnsFromASampleOfTheRowsThatAreNotHeldOut) {
  const auto held_out = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"--target",  "class", "--drop", "sum",
                                          "--model",   "knn",   "--k",    "3",
                                          "--holdout", "0.25",  "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(train(arguments));
  };
  EXPECT_EQ(held_out({"--sample", "30"})["rows"], 30);
  EXPECT_EQ(held_out({"--sample", "30"})["held_out"]["rows"], 20);
  EXPECT_EQ(held_out({"--sample", "1000"})["rows"], 60);
  const Outcome few = run_command({"train", train_, "-o", model_, "--target", "class", "--model",
                                   "knn", "--drop", "sum", "--sample", "1"});
  EXPECT_EQ(few.status, 1);
  EXPECT_NE(few.err.find("1 of 80 rows are left to train on, expected at least 2: one of each"),
            std::string::npos)
      << few.err;
}

TEST_F(ScoreCommand, PredictWritesTheTargetBehindThePrediction) {
  train({"--target", "class", "--drop", "sum", "--model", "svm"});
  const auto lines = lines_of(output_of({"predict", model_, test_}));
  EXPECT_EQ(lines[0], "row,prediction,class,decision");
  for (std::size_t r = 0; r < 60; ++r) EXPECT_EQ(cells_of(lines[r + 1])[2], column(3)[r]);
  const auto named = lines_of(output_of({"predict", model_, test_, "--target", "sum"}));
  EXPECT_EQ(named[0], "row,prediction,sum,decision");
  const auto json = Json::parse(output_of({"predict", model_, test_, "--format", "json"}));
  EXPECT_EQ(json["target"], "class");
  EXPECT_EQ(json["rows"][0]["target"], column(3)[0]);
  const auto without =
      lines_of(output_of({"predict", model_, folder().write("x.csv", "a,b\n1,2\n")}));
  EXPECT_EQ(without[0], "row,prediction,decision");
}

TEST_F(ScoreCommand, PredictWritesTheLabelOfAFormatThatSetsItApart) {
  const auto data = folder().write("d.libsvm", "+1 1:1\n-1 1:-1\n");
  output_of({"train", data, "--model", "knn", "--k", "1", "-o", model_});
  const auto lines = lines_of(output_of({"predict", model_, data}));
  EXPECT_EQ(cells_of(lines[0])[2], "target");
  EXPECT_EQ(cells_of(lines[2])[2], "-1");
}

TEST(Targets, AreNumbersAsPeopleWriteThem) {
  const Folder folder;
  for (const auto& [file, target] : {std::pair{"money_target.csv", "price"},
                                     {"percent_target.csv", "share"},
                                     {"date_target.csv", "due"}}) {
    SCOPED_TRACE(file);
    const std::string data = std::string(BISECTOR_TABLES) + "/" + file,
                      model = folder.file("m.npz");
    ASSERT_EQ(run_command({"train", data, "--target", target, "-o", model}).status, 0);
    const auto json = nlohmann::json::parse(output_of({"score", model, data, "--json"}));
    EXPECT_EQ(json["rows"], 30);
    EXPECT_GT(json["r_squared"].get<double>(), 0.0);
    EXPECT_EQ(
        run_command({"train", data, "--target", target, "--above", "median", "-o", model}).status,
        0);
    const std::string score = output_of({"score", model, data});
    EXPECT_NE(score.find(std::string(target) + " above "), std::string::npos) << score;
    EXPECT_NE(score.find(std::string(target) + " at most "), std::string::npos) << score;
  }
}

}  // namespace
}  // namespace bisector::cli::test
