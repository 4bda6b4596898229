// `bisector explain` writes what bisector::explain returns, in every format and for every option.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <sstream>

#include "bisector/explain.h"
#include "bisector/train/neighbors_from_data.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

double number(const std::string& text) {
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(result.ec == std::errc() && result.ptr == text.data() + text.size()) << text;
  return value;
}

/// What the command explains by default: the model's own output.
Explanation in_decision_unit(const Model& model, const Matrix& rows, const Method& method = Auto{},
                             ExplainOptions options = {}) {
  options.unit = Unit::decision;
  return explain(model, rows.view(), method, options);
}

/// Compares CSV with the library, bit for bit. `after` is the number of columns after `tie`.
void expect_same(const std::string& csv, const Model& model, const Explanation& expected,
                 std::size_t after = 0) {
  const auto lines = lines_of(csv);
  const std::size_t ahead = model.is_regressor() ? 4 : 6;
  const std::size_t features = expected.relevance.cols();
  ASSERT_EQ(lines.size(), expected.g.size() + 1);
  for (std::size_t r = 0; r < expected.g.size(); ++r) {
    const auto cells = cells_of(lines[r + 1]);
    ASSERT_EQ(cells.size(), ahead + features + 3 + after);
    EXPECT_EQ(cells[0], std::to_string(r + 1));
    if (model.is_regressor()) {
      EXPECT_EQ(number(cells[1]), expected.value[r]);
    } else {
      EXPECT_EQ(cells[1], model.labels()[expected.prediction[r]]);
      EXPECT_EQ(cells[2], model.labels()[expected.positive[r]]);
      EXPECT_EQ(cells[3], model.labels()[expected.negative[r]]);
    }
    EXPECT_EQ(number(cells[ahead - 2]), expected.output[r]);
    EXPECT_EQ(number(cells[ahead - 1]), expected.base[r]);
    for (std::size_t d = 0; d < features; ++d)
      EXPECT_EQ(number(cells[ahead + d]), expected.relevance(r, d)) << "row " << r;
    EXPECT_EQ(number(cells[ahead + features]), expected.remainder[r]);
    EXPECT_EQ(cells[ahead + features + 1], expected.outside[r] ? "true" : "false");
    EXPECT_EQ(cells[ahead + features + 2], expected.tie[r] ? "true" : "false");
  }
}

TEST(ExplainCommand, CsvReadsBackAsTheLibrarysNumbers) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "-1"}, 1));
  const Matrix rows = random_rows(20, 3, 2);
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", rows);
  const std::string csv = output_of({"explain", model_file, data});
  EXPECT_EQ(lines_of(csv)[0],
            "row,prediction,class,versus,output,base,x1,x2,x3,remainder,outside,tie");
  expect_same(csv, model, in_decision_unit(model, rows));
  EXPECT_EQ(output_of({"explain", model_file, data, "-o", folder.file("out.csv")}), "");
  EXPECT_EQ(folder.read("out.csv"), csv);
}

TEST(ExplainCommand, ManyClassesAndRegressorsReadBackToo) {
  const Folder folder;
  const Matrix rows = random_rows(30, 2, 3);
  const auto data = write_csv(folder, "d.csv", rows);
  const Model many(random_classifier(2, {"a", "b", "c"}, 4));
  write_bundle(folder.file("many.npz"), many);
  expect_same(output_of({"explain", folder.file("many.npz"), data}), many,
              in_decision_unit(many, rows));

  const Model regressor(KernelRegressor{
      KernelMachine(random_rows(5, 2, 5), {1.0, -2.0, 0.5, 0.25, -1.0}, Kernel(0.7), 0.1), 0.3});
  write_bundle(folder.file("r.npz"), regressor);
  expect_same(output_of({"explain", folder.file("r.npz"), data}), regressor,
              in_decision_unit(regressor, rows));
  ExplainOptions options;
  options.level = -0.5;
  expect_same(output_of({"explain", folder.file("r.npz"), data, "--versus", "-0.5"}), regressor,
              in_decision_unit(regressor, rows, Auto{}, options));
}

TEST(ExplainCommand, EveryOptionOfTheRuleReachesTheLibrary) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 6));
  const Matrix rows = random_rows(12, 3, 7), background = random_rows(9, 3, 8);
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", rows);
  const auto others = write_csv(folder, "b.csv", background);
  const auto point = write_csv(folder, "r.csv", Matrix(1, 3, {0.5, -1.0, 2.0}));
  EtaRule rule;
  ExplainOptions options;
  rule.eta = 0.25;
  rule.responsibilities.beta = 2.0;
  options.positive_class = "3";
  options.versus = "1";
  rule.responsibilities.ignore_intercept = true;
  options.precision = Precision::float32;
  options.reference = {Reference::Kind::given, {0.5, -1.0, 2.0}};
  expect_same(output_of({"explain", model_file, data, "--method",
                         "lrp:eta=0.25,beta=2,ignore_intercept=true", "--class", "3", "--versus",
                         "1", "--precision", "float", "--reference", point, "--threads", "2"}),
              model, in_decision_unit(model, rows, rule, options));

  ExplainOptions with_background;
  with_background.background = background;
  with_background.reference.kind = Reference::Kind::mean;
  expect_same(
      output_of({"explain", model_file, data, "--background", others, "--reference", "mean"}),
      model, in_decision_unit(model, rows, Auto{}, with_background));
}

TEST(ExplainCommand, ExactShapleyIsAveragedOverTheBackground) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "-1"}, 5));
  const Matrix rows = random_rows(6, 3, 7), background = random_rows(9, 3, 8);
  ExplainOptions options;
  options.background = background;
  expect_same(output_of({"explain", write_model(folder, "m.model", model),
                         write_csv(folder, "d.csv", rows), "--method", "shapley-exact",
                         "--background", write_csv(folder, "b.csv", background)}),
              model, in_decision_unit(model, rows, ExactShapley{}, options));
}

TEST(ExplainCommand, KappaReachesTheLibrary) {
  const Folder folder;
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < 20; ++n) classes.push_back(n % 2);
  const Model model(NeighborModel(random_rows(20, 2, 9), classes, {"no", "yes"}, 5));
  write_bundle(folder.file("knn.npz"), model);
  const Matrix rows = random_rows(6, 2, 10);
  EtaRule rule;
  rule.responsibilities.kappa = 0;
  expect_same(output_of({"explain", folder.file("knn.npz"), write_csv(folder, "d.csv", rows),
                         "--method", "lrp:kappa=0"}),
              model, in_decision_unit(model, rows, rule));
}

TEST(ExplainCommand, SeedAndReferencesReachTheDefaultMethod) {
  const Folder folder;
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < 60; ++n) classes.push_back(n % 2);
  const Model model(NeighborModel(random_rows(60, 2, 9), classes, {"no", "yes"}, 5));
  write_bundle(folder.file("knn.npz"), model);
  const Matrix rows = random_rows(6, 2, 10), background = random_rows(50, 2, 11);
  ExplainOptions options;
  options.background = background;
  expect_same(output_of({"explain", folder.file("knn.npz"), write_csv(folder, "d.csv", rows),
                         "--background", write_csv(folder, "b.csv", background), "--method",
                         "auto:references=7,seed=3"}),
              model,
              in_decision_unit(model, rows, ExpectedPathRule{.references = 7, .seed = 3}, options));
}

TEST(ExplainCommand, ChunksChangeNothing) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 11));
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", random_rows(50, 3, 12));
  for (const std::string name : {"whole.csv", "whole.json", "whole.npy"}) {
    const std::string extension = name.substr(5);
    output_of({"explain", model_file, data, "-o", folder.file(name)});
    output_of({"explain", model_file, data, "--limit", "chunk=7", "-o",
               folder.file("parts" + extension)});
    EXPECT_EQ(folder.read(name), folder.read("parts" + extension)) << name;
  }
}

TEST(ExplainCommand, NamesComeFromTheModelThenFromTheData) {
  const Folder folder;
  const Matrix rows = random_rows(3, 2, 13);
  const Model named(random_classifier(2, {"1", "2"}, 14), {}, {"width, cm", "say \"hi\""});
  write_bundle(folder.file("named.npz"), named);
  const auto swapped = folder.write("d.csv", "\"say \"\"hi\"\"\",target,\"width, cm\"\n1,x,2\n");
  const auto lines = lines_of(output_of({"explain", folder.file("named.npz"), swapped}));
  EXPECT_EQ(
      lines[0],
      R"(row,prediction,class,versus,output,base,"width, cm","say ""hi""",remainder,outside,tie)");
  expect_same("head\n" + lines[1] + "\n", named, in_decision_unit(named, Matrix(1, 2, {2.0, 1.0})));

  const Model unnamed(random_classifier(2, {"1", "2"}, 14));
  const auto model_file = write_model(folder, "m.model", unnamed);
  const auto data = write_csv(folder, "h.csv", rows, "a,b");
  EXPECT_EQ(lines_of(output_of({"explain", model_file, data}))[0],
            "row,prediction,class,versus,output,base,a,b,remainder,outside,tie");
  const auto wide = folder.write("w.csv", "a;id;b\n1;7;2\n");
  EXPECT_EQ(lines_of(output_of({"explain", model_file, wide, "--drop", "id"}))[0],
            "row,prediction,class,versus,output,base,a,b,remainder,outside,tie");
}

TEST(ExplainCommand, DetailsAreColumnsAfterTheLast) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2", "3"}, 15));
  const Matrix rows = random_rows(8, 2, 16);
  const auto csv = output_of({"explain", write_model(folder, "m.model", model),
                              write_csv(folder, "d.csv", rows), "--details"});
  const Explanation expected = in_decision_unit(model, rows);
  EXPECT_EQ(lines_of(csv)[0],
            "row,prediction,class,versus,output,base,x1,x2,remainder,outside,tie,g,decision,"
            "correction,stretch");
  expect_same(csv, model, expected, 4);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto cells = cells_of(lines_of(csv)[r + 1]);
    EXPECT_EQ(number(cells[11]), expected.g[r]);
    EXPECT_EQ(number(cells[12]), expected.decision[r]);
    EXPECT_EQ(number(cells[13]), expected.correction[r]);
    EXPECT_EQ(number(cells[14]), expected.stretch[r]);
  }
}

TEST(ExplainCommand, DetailsOfARegressorHaveItsLevel) {
  const Folder folder;
  const Model regressor(KernelRegressor{
      KernelMachine(random_rows(5, 2, 5), {1.0, -2.0, 0.5, 0.25, -1.0}, Kernel(0.7), 0.1), 0.3});
  write_bundle(folder.file("r.npz"), regressor);
  const auto data = write_csv(folder, "d.csv", random_rows(2, 2, 3));
  const auto lines = lines_of(output_of({"explain", folder.file("r.npz"), data, "--details"}));
  EXPECT_EQ(lines[0],
            "row,prediction,output,base,x1,x2,remainder,outside,tie,g,decision,correction,stretch,"
            "level,standard error of x1,standard error of x2");
  EXPECT_EQ(number(cells_of(lines[1])[13]), 0.3);
}

TEST(ExplainCommand, AllClassesAreThoseOfTheLibrary) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2", "3"}, 15));
  const Matrix rows = random_rows(5, 2, 16);
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", rows);
  ExplainOptions options;
  options.unit = Unit::decision;
  const ClassExplanations all = Explainer(model, Auto{}, options).all_classes(rows.view());
  output_of({"explain", model_file, data, "--all-classes", "-o", folder.file("a.json")});
  const auto json = nlohmann::json::parse(folder.read("a.json"));
  output_of({"explain", model_file, data, "--all-classes", "-o", folder.file("a.npy")});
  const std::string npy = folder.read("a.npy");
  EXPECT_NE(npy.find("'shape': (5, 2, 3)"), std::string::npos);
  for (std::size_t r = 0; r < 5; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& entry = json["rows"][r]["classes"][c];
      EXPECT_EQ(entry["class"], model.labels()[c]);
      EXPECT_EQ(entry["output"], all.output(r, c));
      EXPECT_EQ(entry["base"], all.base[c]);
      for (std::size_t d = 0; d < 2; ++d) {
        EXPECT_EQ(entry["relevance"][d], all.relevance[c](r, d));
        double stored = 0.0;
        std::memcpy(&stored, npy.data() + 128 + 8 * ((r * 2 + d) * 3 + c), 8);
        EXPECT_EQ(stored, all.relevance[c](r, d));
      }
    }
  }
  const auto lines = lines_of(output_of({"explain", model_file, data, "--all-classes"}));
  EXPECT_EQ(lines[0], "row,class,output,base,x1,x2,remainder,outside,tie");
  ASSERT_EQ(lines.size(), 16u);
  EXPECT_EQ(number(cells_of(lines[5])[4]), all.relevance[1](1, 0));
}

TEST(ExplainCommand, AFeatureWithANameOfOursGetsUnderscores) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2"}, 14), {}, {"class", "class_", "output"});
  write_bundle(folder.file("m.npz"), model);
  const auto data = folder.write("d.csv", "class,class_,output\n1,2,3\n");
  EXPECT_EQ(lines_of(output_of({"explain", folder.file("m.npz"), data}))[0],
            "row,prediction,class,versus,output,base,class_,class__,output_,remainder,outside,tie");
}

TEST(ExplainCommand, AFeatureYieldsOnlyToColumnsThatAreWritten) {
  const Folder folder;
  write_bundle(folder.file("m.npz"), Model(random_classifier(2, {"1", "2"}, 14), {}, {"g", "b"}));
  const auto data = folder.write("d.csv", "g,b\n1,2\n");
  const auto header = [&](const std::string& more) {
    return lines_of(output_of({"explain", folder.file("m.npz"), data, more}))[0];
  };
  EXPECT_EQ(header("--format=csv"),
            "row,prediction,class,versus,output,base,g,b,remainder,outside,tie");
  EXPECT_EQ(header("--details"),
            "row,prediction,class,versus,output,base,g_,b,remainder,outside,tie,g,decision,"
            "correction,stretch");
}

TEST(ExplainCommand, AKeptColumnWithATakenNameGetsUnderscores) {
  const Folder folder;
  write_bundle(folder.file("m.npz"), Model(random_classifier(2, {"1", "2"}, 14), {}, {"a", "b"}));
  const auto data = folder.write("d.csv", "a,b,class,row\n1,2,3,4\n");
  const std::vector<std::string> keeping = {"explain", folder.file("m.npz"),
                                            data,      "--keep",
                                            "b",       "--keep",
                                            "row",     "--keep",
                                            "class",   "--keep",
                                            "b"};
  const auto lines = lines_of(output_of(keeping));
  EXPECT_EQ(lines[0],
            "row,b_,row_,class_,b__,prediction,class,versus,output,base,a,b,remainder,outside,tie");
  EXPECT_TRUE(lines[1].starts_with("1,2,4,3,2,")) << lines[1];
  auto json = keeping;
  json.push_back("--format=json");
  EXPECT_EQ(nlohmann::json::parse(output_of(json))["rows"][0]["kept"],
            nlohmann::json({{"b_", "2"}, {"row_", "4"}, {"class_", "3"}, {"b__", "2"}}));
}

TEST(ExplainCommand, TopRanksByMagnitudeAndHasValues) {
  const Folder folder;
  const Model model(random_classifier(4, {"1", "2"}, 17));
  const Matrix rows = random_rows(5, 4, 18);
  const auto lines = lines_of(output_of({"explain", write_model(folder, "m.model", model),
                                         write_csv(folder, "d.csv", rows), "--top", "2"}));
  EXPECT_EQ(lines[0],
            "row,prediction,class,versus,output,base,rank,feature,value,relevance,remainder,"
            "outside,tie");
  ASSERT_EQ(lines.size(), 11u);
  const Explanation expected = in_decision_unit(model, rows);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto first = cells_of(lines[1 + 2 * r]), second = cells_of(lines[2 + 2 * r]);
    EXPECT_EQ(first[0], std::to_string(r + 1));
    EXPECT_EQ(first[6], "1");
    EXPECT_EQ(second[6], "2");
    const std::size_t feature = std::stoul(first[7].substr(1)) - 1;
    EXPECT_EQ(number(first[8]), rows(r, feature));
    EXPECT_EQ(number(first[9]), expected.relevance(r, feature));
    EXPECT_GE(std::abs(number(first[9])), std::abs(number(second[9])));
    std::size_t larger = 0;
    for (const double value : expected.relevance.row(r))
      larger += std::abs(value) > std::abs(number(second[9])) ? 1 : 0;
    EXPECT_EQ(larger, 1u);
  }
}

TEST(ExplainCommand, ARowAloneEqualsTheRowInTheFile) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 31));
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", random_rows(20, 3, 32));
  for (const char* method : {"auto", "lrp", "lrp-expected", "occlusion", "shapley"}) {
    const auto all = lines_of(output_of({"explain", model_file, data, "--method", method}));
    for (const std::size_t row : {1u, 7u, 20u}) {
      const auto alone =
          lines_of(output_of({"explain", model_file, data, "--method", method, "--row",
                              std::to_string(row), "--format", "csv", "--limit", "chunk=6"}));
      ASSERT_EQ(alone.size(), 2u);
      EXPECT_EQ(alone[1], all[row]) << method;
    }
  }
  const Outcome beyond = run_command({"explain", model_file, data, "--row", "21"});
  EXPECT_EQ(beyond.status, 1);
  EXPECT_TRUE(beyond.err.ends_with(" has no row 21, expected --row with a number up to 20\n"));
}

TEST(ExplainCommand, OutputIsWhatPredictPrints) {
  const Folder folder;
  const Matrix rows = random_rows(15, 2, 33);
  const auto data = write_csv(folder, "d.csv", rows);
  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < 20; ++n) classes.push_back(n % 2);
  const std::vector<Model> models = {
      Model(random_classifier(2, {"a", "b"}, 34)),
      Model(NeighborModel(random_rows(20, 2, 35), classes, {"no", "yes"}, 5)),
      Model(OneClassMachine{
          KernelMachine(random_rows(3, 2, 37), {1.0, 1.0, 0.5}, Kernel(0.7), -0.9)})};
  for (const Model& model : models) {
    write_bundle(folder.file("m.npz"), model);
    const auto explained = lines_of(output_of({"explain", folder.file("m.npz"), data}));
    const auto predicted = lines_of(output_of({"predict", folder.file("m.npz"), data}));
    for (std::size_t r = 1; r <= rows.rows(); ++r) {
      EXPECT_EQ(cells_of(explained[r])[1], cells_of(predicted[r])[1]);
      EXPECT_NEAR(number(cells_of(explained[r])[4]), number(cells_of(predicted[r])[2]), 1e-12);
    }
  }
}

TEST(ExplainCommand, ClassesMadeFromANumberAreNamedAfterIt) {
  const Folder folder;
  std::string table = "a,quality\n";
  for (int n = 0; n < 30; ++n)
    table += std::to_string(n % 7) + "," + std::to_string(3 + n % 7) + "\n";
  const auto data = folder.write("d.csv", table);
  const auto model = folder.file("m.npz");
  EXPECT_EQ(run_command({"train", data, "--target", "quality", "--above", "5", "--model", "knn",
                         "--k", "3", "-o", model})
                .status,
            0);
  const auto cells = cells_of(lines_of(output_of({"explain", model, data}))[1]);
  EXPECT_EQ(cells[1], "quality at most 5");
  EXPECT_EQ(cells[2], "quality above 5");
  EXPECT_EQ(cells[3], "quality at most 5");
  EXPECT_EQ(cells_of(lines_of(output_of({"predict", model, data}))[1])[1], "quality at most 5");
  const auto reversed =
      cells_of(lines_of(output_of({"explain", model, data, "--class", "quality at most 5"}))[1]);
  EXPECT_EQ(reversed[2], "quality at most 5");
}

TEST(ExplainCommand, ForPredictedReversesTheRowsOfTheOtherClass) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 19));
  const Matrix rows = random_rows(30, 2, 20);
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = write_csv(folder, "d.csv", rows);
  Explanation expected = in_decision_unit(model, rows);
  std::size_t turned = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    turned += expected.prediction[r] == 1 ? 1 : 0;
  }
  ASSERT_GT(turned, 0u);
  ASSERT_LT(turned, rows.rows());
  orient_to_prediction(expected);
  const auto csv = output_of({"explain", model_file, data, "--class", "predicted"});
  expect_same(csv, model, expected);
  for (std::size_t r = 0; r < rows.rows(); ++r)
    EXPECT_GT(number(cells_of(lines_of(csv)[r + 1])[4]), 0.0);
}

TEST(ExplainCommand, NpyHoldsTheMatrix) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2"}, 21));
  const Matrix rows = random_rows(11, 3, 22);
  output_of({"explain", write_model(folder, "m.model", model), write_csv(folder, "d.csv", rows),
             "-o", folder.file("out.npy"), "--limit", "chunk=4"});
  const std::string content = folder.read("out.npy");
  EXPECT_EQ(content.substr(1, 5), "NUMPY");
  EXPECT_NE(content.find("'shape': (11, 3)"), std::string::npos);
  const Explanation expected = in_decision_unit(model, rows);
  ASSERT_EQ(content.size(), 128 + 8 * 33u);
  EXPECT_EQ(std::memcmp(content.data() + 128, expected.relevance.values().data(), 8 * 33), 0);
  // And our own reader of NPY files agrees.
  const auto reader = open_data(folder.file("out.npy"));
  EXPECT_EQ(read_all(*reader).numbers, expected.relevance);
}

TEST(ExplainCommand, JsonHasEverything) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2", "3"}, 23));
  const Matrix rows = random_rows(6, 3, 24);
  output_of({"explain", write_model(folder, "m.model", model), write_csv(folder, "d.csv", rows),
             "-o", folder.file("out.json"), "--evidence", "2"});
  const auto json = nlohmann::json::parse(folder.read("out.json"));
  ExplainOptions options;
  options.unit = Unit::decision;
  const Explainer explainer(model, Auto{}, options);
  const Explanation expected = explainer(rows);
  EXPECT_EQ(json["model"]["kind"], "kernel_classifier");
  EXPECT_EQ(json["model"]["gamma"], 0.4);
  EXPECT_EQ(json["model"]["classes"], (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(json["settings"]["eta"], *explainer.settings().eta);
  EXPECT_FALSE(json["settings"].contains("kappa"));
  EXPECT_EQ(json["settings"]["positive"], nullptr);
  EXPECT_EQ(json["features"], (std::vector<std::string>{"x1", "x2", "x3"}));
  ASSERT_EQ(json["rows"].size(), 6u);
  for (std::size_t r = 0; r < 6; ++r) {
    const auto& row = json["rows"][r];
    EXPECT_EQ(row["row"], r + 1);
    EXPECT_EQ(row["prediction"], model.labels()[expected.prediction[r]]);
    EXPECT_EQ(row["g"], expected.g[r]);
    EXPECT_EQ(row["decision"], expected.decision[r]);
    EXPECT_EQ(row["class"], model.labels()[expected.positive[r]]);
    EXPECT_EQ(row["versus"], model.labels()[expected.negative[r]]);
    EXPECT_EQ(row["output"], expected.output[r]);
    EXPECT_EQ(row["base"], expected.base[r]);
    EXPECT_EQ(row["tie"], false);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(row["relevance"][d], expected.relevance(r, d));
    const auto evidence = explainer.evidence(rows.row(r), 2);
    ASSERT_EQ(row["evidence"].size(), evidence.size());
    EXPECT_EQ(row["evidence"][0]["weight"], evidence[0].weight);
    EXPECT_EQ(row["evidence"][0]["relevance"], evidence[0].relevance);
  }
}

TEST(ExplainCommand, JsonTopNamesTheFeatures) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2"}, 25));
  output_of({"explain", write_model(folder, "m.model", model),
             folder.write("d.csv", "a,b,c\n1,2,3\n"), "-o", folder.file("out.json"), "--top", "1"});
  const auto json = nlohmann::json::parse(folder.read("out.json"));
  ASSERT_EQ(json["rows"][0]["relevance"].size(), 1u);
  EXPECT_TRUE(json["rows"][0]["relevance"][0]["feature"].is_string());
  EXPECT_TRUE(json["rows"][0]["relevance"][0]["value"].is_number());
  EXPECT_TRUE(json["rows"][0]["relevance"][0]["relevance"].is_number());
}

TEST(ExplainCommand, AnInfiniteGLeavesTheOutputFinite) {
  const Folder folder;
  // Two points of one class and five of the other at rank 3: the small pool ends before it.
  const auto train = folder.write("t.csv", "x,y\n0,a\n0.1,a\n1,b\n2,b\n3,b\n4,b\n5,b\n");
  const auto data = folder.write("d.csv", "x\n3\n");
  const std::vector<std::string> command = {"explain", "--knn", "5", "--target", "y", train, data};
  for (const std::string& cell : cells_of(lines_of(output_of(command))[1]))
    EXPECT_EQ(cell.find("inf"), std::string::npos) << cell;
  auto to_json = command;
  to_json.insert(to_json.end(), {"-o", folder.file("o.json")});
  output_of(to_json);
  const auto json = nlohmann::json::parse(folder.read("o.json"));
  EXPECT_EQ(json["rows"][0]["g"], nullptr);
  EXPECT_TRUE(json["rows"][0]["output"].is_number());
  EXPECT_EQ(json["model"]["k"], 5);
}

TEST(ExplainCommand, NoRowsIsNoError) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 26));
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = folder.write("d.csv", "a,b\n");
  EXPECT_EQ(output_of({"explain", model_file, data}),
            "row,prediction,class,versus,output,base,a,b,remainder,outside,tie\n");
  output_of({"explain", model_file, data, "-o", folder.file("o.json")});
  EXPECT_EQ(nlohmann::json::parse(folder.read("o.json"))["rows"], nlohmann::json::array());
  output_of({"explain", model_file, data, "-o", folder.file("o.npy")});
  EXPECT_NE(folder.read("o.npy").find("'shape': (0, 2)"), std::string::npos);
}

TEST(ExplainCommand, SparseRowsMayHaveMoreFeaturesThanTheModel) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 27));
  const auto model_file = write_model(folder, "m.model", model);
  const auto data = folder.write("d.svm", "1 1:0.5 4:0.25\n2 2:-1\n");
  const Model wide = pad_features(model, 4);
  const Matrix rows(2, 4, {0.5, 0, 0, 0.25, 0, -1, 0, 0});
  const auto csv = output_of({"explain", model_file, data});
  EXPECT_EQ(lines_of(csv)[0],
            "row,prediction,class,versus,output,base,x1,x2,x3,x4,remainder,outside,tie");
  expect_same(csv, wide, in_decision_unit(wide, rows));
  // Dense data has no such excuse.
  const auto dense = folder.write("d.csv", "1,2,3,4.5\n");
  EXPECT_EQ(run_command({"explain", model_file, dense}).status, 1);
}

TEST(ExplainCommand, NeighborsFromTrainingRows) {
  const Folder folder;
  const auto train = folder.write(
      "t.csv", "x,kind,id,y\n0,a,1,0\n1,b,2,1\n0.5,a,3,2\n2,b,4,0.25\n-1,a,5,1\n1.5,b,6,1\n");
  const auto reader = open_data(train);
  const Model model = neighbors_from_data(*reader, train, "kind", 3, {"id"});
  const Matrix rows(2, 2, {0.3, 1.0, 1.8, 0.2});
  const auto only_features = folder.write("d.csv", "y,x\n1,0.3\n0.2,1.8\n");
  const std::vector<std::string> start = {"explain", "--knn",  "3",  "--target",
                                          "kind",    "--drop", "id", train};
  auto with_features = start;
  with_features.push_back(only_features);
  expect_same(output_of(with_features), model, in_decision_unit(model, rows));
  // The training file itself: its target and what was dropped are left out by name.
  auto with_itself = start;
  with_itself.push_back(train);
  EXPECT_EQ(lines_of(output_of(with_itself)).size(), 7u);
  EXPECT_EQ(lines_of(output_of(with_itself))[0],
            "row,prediction,class,versus,output,base,x,y,remainder,outside,tie");
}

TEST(ExplainCommand, NeighborsWithoutNamesGoByPosition) {
  const Folder folder;
  const auto train = folder.write("t.csv", "0,5,1\n1,6,2\n0.5,5,2\n3,6,1\n");
  const auto features = folder.write("d.csv", "0,1.0\n1,2\n0.5,2\n3,1\n");
  const std::vector<std::string> start = {"explain", "--knn", "1", "--target", "2", train};
  auto with_target = start, without_target = start;
  with_target.push_back(train);
  without_target.push_back(features);
  EXPECT_EQ(output_of(with_target), output_of(without_target));
  EXPECT_EQ(cells_of(lines_of(output_of(with_target))[2])[1], "6");
}

// Halfway between two neighbors of different classes g is 0, whichever class is predicted.
TEST(Explain, CountsTiesInANoteAndMarksThem) {
  const Folder folder;
  std::ofstream(folder.file("train.csv")) << "x,y\n0,a\n2,b\n";
  std::ofstream(folder.file("data.csv")) << "x\n1\n0.5\n1\n";
  std::vector<std::string> arguments = {
      "explain", "--knn", "1", "--target", "y", folder.file("train.csv"), folder.file("data.csv")};
  const Outcome plain = run_command(arguments);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(
      without_reading(plain.err),
      "note: 2 of 3 rows are ties: votes or distances are equal there up to rounding, so that "
      "the order of rows or classes decides (column tie)\n");
  const auto rows = lines_of(plain.out);
  EXPECT_TRUE(rows[1].ends_with(",false,true")) << rows[1];
  EXPECT_TRUE(rows[2].ends_with(",false,false")) << rows[2];
}

}  // namespace
}  // namespace bisector::cli::test
