#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "bisector/train/train.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

/// Rows of two numbers and a class that follows their sum.
std::string sums_csv(std::size_t rows) {
  Random random(3);
  std::string text = "a,b,sum,class\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = random.normal(), b = 10.0 * random.normal() + 100.0;
    append_number(text, a);
    text += ',';
    append_number(text, b);
    text += ',';
    append_number(text, a + b / 10.0);
    text += a + b / 10.0 > 10.0 ? ",high\n" : ",low\n";
  }
  return text;
}

class TrainCommand : public testing::Test {
  Folder folder_;  // first, since the others are made in it

 protected:
  std::string data_ = folder_.write("d.csv", sums_csv(80));
  std::string model_ = folder_.file("m.npz");

  std::string train(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"train", data_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(arguments);
  }
  const Folder& folder() const { return folder_; }
};

std::string last_word(const std::string& text, const std::string& name) {
  for (const auto& line : lines_of(text)) {
    if (line.find("  " + name) == 0) return line;
  }
  return "no line " + name + " in " + text;
}

TEST_F(TrainCommand, TrainsTheSameModelAsTheLibrary) {
  const std::string summary = train(
      {"--target", "class", "--drop", "sum", "--model", "svm", "--gamma", "0.5", "--cost", "10"});
  Matrix rows(80, 2);
  std::vector<std::string> classes;
  for (std::size_t r = 0; r < 80; ++r) {
    const auto cells = cells_of(lines_of(folder().read("d.csv"))[r + 1]);
    rows(r, 0) = std::stod(cells[0]);
    rows(r, 1) = std::stod(cells[1]);
    classes.push_back(cells[3]);
  }
  TrainOptions options;
  options.feature_names = {"a", "b"};
  const TrainResult expected =
      bisector::train(SvmLearner{0.5, 10.0}, rows.view(), sorted_classes(classes), options);
  // The bundle also has what explanations need: the unit of the output, and the training rows.
  const Model read = read_model(model_);
  ASSERT_TRUE(read.target());
  EXPECT_EQ(read.target()->column, "class");
  ASSERT_FALSE(expected.model.unit_scales().empty());
  EXPECT_EQ(read, with_training_data(expected.model.with_target(*read.target()), rows.view()));
  train({"--target", "class", "--drop", "sum", "--model", "svm", "--gamma", "0.5", "--cost", "10",
         "--without-background", "-q"});
  EXPECT_EQ(read_model(model_), read.with_background(std::nullopt));
  EXPECT_NE(last_word(summary, "positive").find("class low"), std::string::npos);
  EXPECT_NE(last_word(summary, "parameters").find("gamma 0.5, cost 10, balanced"),
            std::string::npos);
}

// Every point of a model is the row of the file that its number says, also if rows without a target
// are left out, and others are held out or not drawn.
TEST_F(TrainCommand, KnowsTheRowOfTheFileOfEveryPoint) {
  std::string text = "a,b,class,sum\n";
  Random random(5);
  for (std::size_t r = 0; r < 90; ++r) {
    const double a = r == 40 ? 0.25 : random.normal(), b = random.normal();
    const std::string target = r % 7 == 3 ? "," : a > b ? "high," : "low,";
    text += fmt::format("{},{},{}{}\n", a, b, target, r % 7 == 3 ? "" : fmt::format("{}", a + b));
  }
  const std::string data = folder().write("rows.csv", text);
  const std::vector<std::string> lines = lines_of(text);
  for (const std::string kind :
       {"svm", "knn", "svr", "krr", "knnr", "oneclass", "density", "lof"}) {
    SCOPED_TRACE(kind);
    const bool is_class = kind == "svm" || kind == "knn";
    const bool is_detector = kind == "oneclass" || kind == "density" || kind == "lof";
    std::vector<std::string> words = {"train",    data, "-o",        model_,
                                      "--model",  kind, "--missing", "median",
                                      "--sample", "50", "--holdout", "0.2"};
    for (const std::string& word :
         is_detector ? std::vector<std::string>{"--drop", "class", "--drop", "sum"}
                     : std::vector<std::string>{"--target", is_class ? "class" : "sum", "--drop",
                                                is_class ? "sum" : "class"})
      words.push_back(word);
    output_of(words);
    const Model model = read_model(model_);
    const std::vector<std::size_t>& rows = model.training_rows();
    ASSERT_EQ(rows.size(), model.points().rows());
    EXPECT_GT(*std::ranges::max_element(rows), 50u);
    for (std::size_t p = 0; p < rows.size(); ++p) {
      const auto cells = cells_of(lines[rows[p] + 1]);
      if (!is_detector) {
        EXPECT_NE(rows[p] % 7, 3u);
      }
      for (std::size_t d = 0; d < 2; ++d) {
        const double value =
            (std::stod(cells[d]) - model.input().shift()[d]) * model.input().scale()[d];
        EXPECT_EQ(model.points()(p, d), value) << p;
      }
    }
  }
}

TEST_F(TrainCommand, TakesAThresholdOrAValueForTheClasses) {
  train({"--target", "sum", "--drop", "class", "--model", "svm", "--above", "median"});
  EXPECT_EQ(read_model(model_).labels(), (std::vector<std::string>{"above", "not above"}));
  train({"--target", "class", "--drop", "sum", "--model", "svm", "--positive", "high"});
  EXPECT_EQ(read_model(model_).labels(), (std::vector<std::string>{"high", "low"}));
  train({"--target", "class", "--drop", "sum", "--model", "knn", "--positive", "high"});
  EXPECT_EQ(read_model(model_).labels(), (std::vector<std::string>{"low", "high"}));
}

TEST_F(TrainCommand, TrainsRegressorsAndDetectors) {
  for (const std::string kind : {"svr", "krr"}) {
    train({"--target", "sum", "--drop", "class", "--model", kind});
    EXPECT_TRUE(read_model(model_).is_regressor()) << kind;
  }
  train({"--drop", "class", "--model", "oneclass", "--outliers", "0.2"});
  EXPECT_EQ(read_model(model_).labels(), (std::vector<std::string>{"1", "-1"}));
  EXPECT_EQ(read_model(model_).features(), 3u);
}

TEST_F(TrainCommand, TunesAndShowsTheTable) {
  const std::string svm = train({"--target", "class", "--drop", "sum", "--model", "svm", "--tune",
                                 "--gamma", "0.01,1", "--cost", "1,100", "--folds", "3"});
  EXPECT_NE(svm.find("3-fold cross-validation, the 4 best of 4 settings: balanced accuracy"),
            std::string::npos)
      << svm;
  EXPECT_EQ(std::ranges::count(svm, '*'), 2) << svm;
  const std::string neighbors = train({"--target", "class", "--drop", "sum", "--model", "knn",
                                       "--tune", "--k", "3,5", "--threads", "1"});
  EXPECT_NE(neighbors.find("accuracy"), std::string::npos) << neighbors;
  const std::string ridge = train({"--target", "sum", "--drop", "class", "--model", "krr", "--tune",
                                   "--gamma", "0.1,1", "--lambda", "0.001,1"});
  EXPECT_NE(ridge.find("mean absolute error"), std::string::npos) << ridge;
  EXPECT_NE(ridge.find(" (unit of sum) on the training"), std::string::npos) << ridge;
}

TEST_F(TrainCommand, ShowsTheBalancedAccuracyOfClassesOfDifferentSizes) {
  std::string table = "a,b,kind\n";
  for (int n = 0; n < 100; ++n)
    table += std::to_string(n * 37 % 100) + ',' + std::to_string(n * 11 % 17) +
             (n % 25 == 0 ? ",rare\n" : ",common\n");
  const auto data = folder().write("unequal.csv", table);
  const std::string text = output_of({"train", data, "--target", "kind", "-o", model_});
  EXPECT_NE(text.find(" (balanced accuracy "), std::string::npos) << text;
}

TEST_F(TrainCommand, RefusesOptionsWithoutAnEffect) {
  const auto refuses = [&](std::vector<std::string> more, const std::string& part) {
    std::vector<std::string> arguments = {"train", data_, "-o", model_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refuses({"--model", "tree", "--target", "class"}, "svm or svr");
  refuses({"--model", "svm", "--target", "class", "--k", "3"}, "--k applies to --model knn");
  refuses({"--model", "knn", "--target", "class", "--gamma", "3"},
          "--gamma applies to --model svm");
  refuses({"--model", "oneclass", "--target", "class"},
          "--model oneclass has no target; use --drop class");
  refuses({"--model", "oneclass", "--tune"}, "--tune applies to");
  refuses({"--model", "krr", "--target", "sum", "--positive", "1"},
          "--positive applies to --model svm or knn");
  refuses({"--model", "svm", "--target", "class", "--cost", "3,4"}, "add --tune");
  refuses({"--model", "svm", "--target", "class", "--folds", "3"}, "--tune");
  refuses({"--model", "svm", "--target", "class", "--tune", "--cost", "3,x"}, "\"x\"");
  refuses({"--model", "svm", "--target", "sum", "--above", "1", "--positive", "1"}, "--above");
  refuses({"--model", "svm", "--target", "class", "--type", "a=level"}, "COL=numeric");
}

TEST_F(TrainCommand, ChoosesTheModelByTheTarget) {
  const Outcome classes = run_command({"train", data_, "--target", "class", "-o", model_});
  EXPECT_EQ(classes.status, 0) << classes.err;
  EXPECT_NE(classes.err.find("read: the target has 2 classes, so the model is a support vector "
                             "machine (--model svm)\n"),
            std::string::npos)
      << classes.err;
  const Outcome numbers = run_command({"train", data_, "--target", "sum", "-o", model_});
  EXPECT_EQ(numbers.status, 0) << numbers.err;
  EXPECT_NE(
      numbers.err.find(
          "read: the target has numbers, so the model is kernel ridge regression (--model krr)\n"),
      std::string::npos)
      << numbers.err;
  EXPECT_TRUE(read_model(model_).is_regressor());
}

TEST_F(TrainCommand, NamesTheModelFileAfterTheData) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(data_).parent_path());
  const Outcome outcome = run_command({"train", data_, "--target", "class"});
  std::filesystem::current_path(before);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(folder().names(), (std::vector<std::string>{"d.csv", "d.model.npz"}));
}

TEST_F(TrainCommand, NeedsATarget) {
  const Outcome outcome = run_command({"train", data_, "-o", model_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("--target is missing: name the column to predict"), std::string::npos)
      << outcome.err;
}

TEST_F(TrainCommand, RefusesAClassifierForAMeasurement) {
  const Outcome outcome =
      run_command({"train", data_, "--target", "sum", "--model", "svm", "-o", model_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("80 different numbers, too many for classes: use --model krr to "
                             "predict the number, or --above median"),
            std::string::npos)
      << outcome.err;
  for (const std::vector<std::string>& advice :
       {std::vector<std::string>{"--model", "krr"}, {"--model", "svm", "--above", "median"}}) {
    std::vector<std::string> arguments = {"train", data_, "--target", "sum", "-o", model_};
    arguments.insert(arguments.end(), advice.begin(), advice.end());
    EXPECT_EQ(run_command(arguments).status, 0);
  }
}

/// The default cost and epsilon follow the spread of the target, so its unit does not matter.
TEST_F(TrainCommand, SupportVectorRegressionDoesNotDependOnTheUnitOfTheTarget) {
  std::string text = "a,b,small,large\n";
  Random random(5);
  for (int r = 0; r < 60; ++r) {
    const double a = random.normal(), b = random.normal(), y = a + 0.5 * b;
    for (const double value : {a, b, y, 1e6 * y}) {
      append_number(text, value);
      text += ',';
    }
    text.back() = '\n';
  }
  const auto data = folder().write("scales.csv", text);
  std::vector<double> scores;
  for (const auto& [target, other] : {std::pair{"small", "large"}, std::pair{"large", "small"}}) {
    const auto json =
        nlohmann::json::parse(output_of({"train", data, "--target", target, "--drop", other,
                                         "--model", "svr", "--json", "-o", model_}));
    scores.push_back(json["fit"]["r_squared"]);
  }
  EXPECT_GT(scores[0], 0.8);
  EXPECT_NEAR(scores[0], scores[1], 1e-3);
}

TEST_F(TrainCommand, TunesForTheChosenScore) {
  for (const auto& [choice, name] :
       {std::pair{"accuracy", "accuracy"}, std::pair{"balanced", "balanced accuracy"},
        std::pair{"auc", "AUC"}}) {
    const auto json =
        nlohmann::json::parse(train({"--target", "class", "--drop", "sum", "--tune", "--tune-for",
                                     choice, "--gamma", "0.1,1", "--cost", "1", "--json"}));
    EXPECT_EQ(json["tuning"]["score"], name);
    EXPECT_EQ(json["tuning"]["trials"].size(), 2u);
  }
}

TEST_F(TrainCommand, TuningKeepsTheDefaultUnlessOthersAreSignificantlyBetter) {
  const auto tuned = [&](const std::string& gammas, bool is_json) {
    std::vector<std::string> words = {"--target", "class",   "--drop", "sum",
                                      "--tune",   "--model", "svm",    "--gamma",
                                      gammas,     "--cost",  "1"};
    if (is_json) words.emplace_back("--json");
    return train(words);
  };
  // Nearly the same model: chance decides which one is better.
  EXPECT_NE(tuned("1,1.0001", false).find("the default, because no other setting is significantly"),
            std::string::npos);
  const auto json = nlohmann::json::parse(tuned("1,1.0001", true));
  EXPECT_EQ(json["tuning"]["default"], 0);
  EXPECT_EQ(json["tuning"]["best"], 0);
  EXPECT_EQ(json["tuning"]["trials"][0]["standard_error"], 0.0);
  EXPECT_EQ(json["parameters"]["gamma"], 1.0);
  // A grid without the default.
  EXPECT_TRUE(nlohmann::json::parse(tuned("0.5,2", true))["tuning"]["default"].is_null());
}

TEST_F(TrainCommand, NamesTheClassesOfAThreshold) {
  const std::string summary =
      unwrapped(train({"--target", "sum", "--drop", "class", "--model", "svm", "--above", "10"}));
  EXPECT_NE(summary.find("sum at most 10 ("), std::string::npos) << summary;
  EXPECT_NE(summary.find("class sum above 10"), std::string::npos) << summary;
}

TEST_F(TrainCommand, NeedsAnNpz) {
  const Outcome outcome = run_command(
      {"train", data_, "--model", "knn", "--target", "class", "-o", folder().file("m.model")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find(".npz"), std::string::npos) << outcome.err;
}

TEST_F(TrainCommand, SaysWhatToDoWithText) {
  const Outcome outcome = run_command({"train", data_, "--model", "svr", "--target", "sum",
                                       "--type", "class=numeric", "-o", model_});
  EXPECT_EQ(outcome.status, 1);
  for (const std::string part :
       {"column 4 \"class\" is \"", "use --type class=one-hot or --drop class"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_EQ(folder().names(), std::vector<std::string>{"d.csv"});
}

TEST_F(TrainCommand, RefusesAColumnForTwoThings) {
  const Outcome outcome = run_command({"train", data_, "--model", "svr", "--target", "sum",
                                       "--type", "sum=one-hot", "--drop", "class", "-o", model_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("is the target and one-hot"), std::string::npos) << outcome.err;
}

TEST_F(TrainCommand, NamesTheRowOfATargetThatIsNotANumber) {
  const Outcome outcome = run_command(
      {"train", data_, "--model", "krr", "--target", "class", "--drop", "sum", "-o", model_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("row 1: the target is \""), std::string::npos) << outcome.err;
}

/// A table with levels and a missing value; old and tired people answer yes.
std::string people_csv() {
  std::string text = "age,mood,town,answer\n";
  for (int n = 0; n < 60; ++n) {
    const char* mood = n % 3 == 0 ? "tired" : n % 3 == 1 ? "fine" : "fresh";
    text += n == 7 ? "?" : std::to_string(20 + n);
    text += std::string(",") + mood + (n % 2 == 0 ? ",Ulm" : ",Bonn");
    text += n > 30 && n % 3 == 0 ? ",yes\n" : ",no\n";
  }
  return text;
}

TEST_F(TrainCommand, EncodesTablesAndExplainsThemByColumn) {
  const auto people = folder().write("people.csv", people_csv());
  const std::string summary =
      output_of({"train", people, "--target", "answer", "--model", "svm", "--gamma", "2", "--cost",
                 "100", "--type", "mood=fresh<fine<tired", "--type", "town=one-hot", "--missing",
                 "median", "-q", "-o", model_});
  EXPECT_NE(unwrapped(summary).find("60 rows, 4 features from 3 columns"), std::string::npos)
      << summary;
  const Model model = read_model(model_);
  EXPECT_EQ(model.feature_names(),
            (std::vector<std::string>{"age", "mood", "town=Bonn", "town=Ulm"}));

  const auto lines = lines_of(output_of({"explain", model_, people}));
  EXPECT_EQ(lines[0],
            "row,prediction,class,versus,output,base,age,mood,town,remainder,outside,tie,imputed");
  const auto levels = lines_of(output_of({"explain", model_, people, "--per-level"}));
  EXPECT_EQ(
      levels[0],
      "row,prediction,class,versus,output,base,age,mood,town=Bonn,town=Ulm,remainder,outside,tie,"
      "imputed");
  for (std::size_t r = 1; r < lines.size(); ++r) {
    const auto summed = cells_of(lines[r]), apart = cells_of(levels[r]);
    EXPECT_EQ(summed[7], apart[7]);
    EXPECT_NEAR(std::stod(summed[8]), std::stod(apart[8]) + std::stod(apart[9]), 1e-12);
  }
  EXPECT_EQ(lines_of(output_of({"predict", model_, people})).size(), 61u);
  EXPECT_NE(output_of({"inspect", model_}).find("3 columns"), std::string::npos);
}

TEST_F(TrainCommand, RefusesALevelThatTrainingDidNotHave) {
  const auto people = folder().write("people.csv", people_csv());
  output_of({"train", people, "--target", "answer", "--model", "knn", "--type", "mood=one-hot",
             "--type", "town=one-hot", "--missing", "skip", "-o", model_});
  const auto strange = folder().write("strange.csv", "age,mood,town\n30,fine,Ulm\n40,fine,Köln\n");
  const Outcome outcome = run_command({"predict", model_, strange});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(
      outcome.err.find("strange.csv:3: column \"town\" is \"Köln\", expected one of the levels "
                       "\"Bonn\", \"Ulm\""),
      std::string::npos)
      << outcome.err;
}

TEST_F(TrainCommand, LearnsFromALibsvmFileWithoutATarget) {
  const auto sparse = folder().write("d.svm", "1 1:1 2:2\n-1 1:-1\n1 1:2 2:1\n-1 2:-2\n1 1:3\n");
  output_of({"train", sparse, "--model", "knn", "--k", "1", "-o", model_});
  const auto lines = lines_of(output_of({"predict", model_, sparse}));
  EXPECT_EQ(cells_of(lines[1])[1], "1");
  EXPECT_EQ(cells_of(lines[2])[1], "-1");
}

/// Public datasets, if they are available (see tests/io/real_files_test.cpp).
class TrainOnRealFiles : public TrainCommand {
 protected:
  static std::filesystem::path data_folder() {
    if (const char* folder = std::getenv("BISECTOR_DATA")) return folder;
    const auto tests = std::filesystem::path(__FILE__).parent_path().parent_path();
    return tests.parent_path().parent_path() / "shared" / "data";
  }
  static std::string file(const std::string& name) { return (data_folder() / name).string(); }
  void SetUp() override {
    if (!std::filesystem::exists(data_folder() / "wine_quality"))
      GTEST_SKIP() << "no datasets in " << data_folder();
  }
  /// The number in "accuracy 0.9123 on the training rows".
  static double accuracy(const std::string& summary) {
    const std::size_t place = summary.find("accuracy ");
    return place == std::string::npos ? -1.0 : std::stod(summary.substr(place + 9));
  }
};

TEST_F(TrainOnRealFiles, Wine) {
  const auto wine = file("wine_quality/winequality-red.csv");
  const std::string summary = output_of(
      {"train", wine, "--target", "quality", "--above", "5", "--model", "svm", "-o", model_});
  EXPECT_NE(unwrapped(summary).find("quality at most 5 (744 rows), quality above 5 (855 rows)"),
            std::string::npos)
      << summary;
  EXPECT_GT(accuracy(summary), 0.75);
  EXPECT_EQ(lines_of(output_of({"explain", model_, wine, "-q"})).size(), 1600u);
}

TEST_F(TrainOnRealFiles, CarsAreOrdinalAndHaveNoNames) {
  const auto cars = file("car_evaluation/car.data");
  const std::vector<std::string> ordinal = {"1=low<med<high<vhigh", "2=low<med<high<vhigh",
                                            "3=2<3<4<5more",        "4=2<4<more",
                                            "5=small<med<big",      "6=low<med<high"};
  std::vector<std::string> arguments = {"train", cars,      "--target",   "7",      "--model",
                                        "svm",   "--gamma", "1",          "--cost", "100",
                                        "-o",    model_,    "--positive", "unacc"};
  for (const auto& text : ordinal) arguments.insert(arguments.end(), {"--type", text});
  const std::string summary = output_of(arguments);
  EXPECT_NE(unwrapped(summary).find("not unacc (518 rows), unacc (1210 rows)"), std::string::npos)
      << summary;
  EXPECT_GT(accuracy(summary), 0.97);
  const auto lines =
      lines_of(output_of({"explain", model_, cars, "--drop", "7", "--header", "no"}));
  EXPECT_EQ(lines[0],
            "row,prediction,class,versus,output,base,x1,x2,x3,x4,x5,x6,remainder,outside,tie");
  EXPECT_EQ(lines.size(), 1729u);
}

TEST_F(TrainOnRealFiles, DiabetesHasManyColumnsOfYesAndNo) {
  const auto diabetes = file("diabetes_risk/diabetes_data_upload.csv");
  std::vector<std::string> arguments = {"train",   diabetes, "--target", "class",
                                        "--model", "knn",    "--k",      "5",
                                        "-o",      model_,   "--type",   "Gender=one-hot"};
  for (const std::string name :
       {"Polyuria", "Polydipsia", "sudden weight loss", "weakness", "Polyphagia", "Genital thrush",
        "visual blurring", "Itching", "Irritability", "delayed healing", "partial paresis",
        "muscle stiffness", "Alopecia", "Obesity"})
    arguments.insert(arguments.end(), {"--type", name + "=No<Yes"});
  const std::string summary = output_of(arguments);
  EXPECT_NE(unwrapped(summary).find("520 rows, 17 features from 16 columns"), std::string::npos)
      << summary;
  EXPECT_GT(accuracy(summary), 0.9);
  // Patients with the same answers are equally far: some rows are ties, and a note says so.
  const Outcome explained = run_command({"explain", model_, diabetes});
  // 16 columns, and nine of ours.
  EXPECT_EQ(cells_of(lines_of(explained.out)[0]).size(), 25u);
  EXPECT_TRUE(explained.err.starts_with("note: ")) << explained.err;
}

TEST_F(TrainOnRealFiles, BreastCancerMissesValues) {
  const auto cancer = file("breast_cancer/breast-cancer.data");
  std::vector<std::string> arguments = {
      "train", cancer, "--target", "1",          "--model",
      "svm",   "-o",   model_,     "--positive", "recurrence-events"};
  for (int column = 2; column <= 10; ++column) {
    if (column != 7)
      arguments.insert(arguments.end(), {"--type", std::to_string(column) + "=one-hot"});
  }
  const Outcome imputed = run_command(arguments);
  EXPECT_EQ(imputed.status, 0);
  EXPECT_NE(unwrapped(imputed.err).find("9 missing values are imputed"), std::string::npos)
      << imputed.err;
  arguments.insert(arguments.end(), {"--missing", "error"});
  const Outcome refused = run_command(arguments);
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(unwrapped(refused.err).find("missing: column 6"), std::string::npos) << refused.err;
  arguments.back() = "skip";
  const std::string dropped = unwrapped(output_of(arguments));
  EXPECT_NE(dropped.find("277 rows"), std::string::npos) << dropped;
  EXPECT_NE(dropped.find("9 rows with missing values left out"), std::string::npos) << dropped;
  arguments.back() = "median";
  EXPECT_NE(unwrapped(run_command(arguments).out).find("286 rows"), std::string::npos);
  EXPECT_EQ(
      lines_of(output_of({"predict", model_, cancer, "--drop", "1", "--header", "no"})).size(),
      287u);
}

}  // namespace
}  // namespace bisector::cli::test
