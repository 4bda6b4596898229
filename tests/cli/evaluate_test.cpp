// `bisector evaluate` writes what bisector::evaluate returns.
#include "bisector/evaluate.h"

#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

using Json = nlohmann::json;

/// A model, rows and a background in files, and the same in memory.
struct Scene {
  Folder folder;
  Model model{random_classifier(4, {"1", "-1"}, 1)};
  Matrix rows = random_rows(25, 4, 2), background = random_rows(60, 4, 3);
  std::string model_file = write_model(folder, "m.model", model);
  std::string data = write_csv(folder, "d.csv", rows);
  std::string others = write_csv(folder, "b.csv", background);

  Json run(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"evaluate", model_file, data, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(output_of(arguments));
  }
};

TEST(EvaluateCommand, WritesWhatTheLibraryMeasures) {
  const Scene scene;
  const std::vector<std::string> names{"lrp", "gi", "occlusion", "shapley", "random"};
  const auto methods = candidates_from_names(names, {}, 7);
  EvaluateOptions options;
  options.flipping.samples = 20;
  options.flipping.seed = 7;
  const Evaluation expected = evaluate(scene.model, scene.rows, scene.background, methods, options);
  const Json json = scene.run({"--method", "lrp", "--method", "gi", "--method", "occlusion",
                               "--method", "shapley", "--method", "random", "--background",
                               scene.others, "--samples", "20", "--seed", "7", "--threads", "2"});
  EXPECT_EQ(json["background"]["bandwidth"], expected.bandwidth);
  EXPECT_EQ(json["background"]["rows"], 60);
  EXPECT_EQ(json["background"]["is_data"], false);
  EXPECT_EQ(json["donors"], "same");  // 60 rows are too few to split
  EXPECT_EQ(json["imputer"], "conditional");
  EXPECT_EQ(json["removed"], Json(expected.results[0].curve_x));
  ASSERT_EQ(json["methods"].size(), 5u);
  double before = -2.0;
  for (const Json& method : json["methods"]) {
    const auto found = std::ranges::find(expected.names, std::string(method["method"]));
    const auto& result = expected.results[static_cast<std::size_t>(found - expected.names.begin())];
    EXPECT_EQ(method["aufc"], result.mean);
    EXPECT_EQ(method["standard_error"], result.standard_error);
    EXPECT_EQ(method["aufc_of_rows"], Json(result.aufc));
    EXPECT_EQ(method["mean_curve"], Json(result.mean_curve));
    const auto& to_best =
        expected.comparison.to_best[static_cast<std::size_t>(found - expected.names.begin())];
    EXPECT_EQ(method["to_best"]["mean"], to_best.mean);
    EXPECT_EQ(method["to_best"]["standard_error"], to_best.standard_error);
    EXPECT_EQ(method["best"], before == -2.0);
    EXPECT_LE(before, double(method["aufc"]));
    before = method["aufc"];
  }
}

TEST(EvaluateCommand, DefaultsToTheDataAndToEveryMethodThatFits) {
  const Scene scene;
  const Json json = scene.run({"--samples", "5"});
  EXPECT_EQ(json["background"]["is_data"], true);
  EXPECT_EQ(json["background"]["rows"], 25);
  EXPECT_EQ(json["methods"].size(), 11u);

  std::vector<std::size_t> classes;
  for (std::size_t n = 0; n < 60; ++n) classes.push_back(n % 2);
  write_bundle(scene.folder.file("knn.npz"),
               Model(NeighborModel(scene.background, classes, {"no", "yes"}, 3)));
  const Json neighbors = Json::parse(output_of(
      {"evaluate", scene.folder.file("knn.npz"), scene.data, "--json", "--samples", "5"}));
  EXPECT_EQ(neighbors["methods"].size(), 8u);
}

// Relevance that explain wrote is evaluated as the method itself is, with either orientation of
// its signs.
TEST(EvaluateCommand, TakesRelevanceThatExplainWrote) {
  const Scene scene;
  const std::string fixed = scene.folder.file("fixed.csv"),
                    turned = scene.folder.file("turned.npy");
  output_of({"explain", scene.model_file, scene.data, "-o", fixed});
  output_of({"explain", scene.model_file, scene.data, "--class", "predicted", "-o", turned});
  const Json by_method = scene.run({"--method", "auto"})["methods"][0];
  const Json by_fixed = scene.run({"--relevance", fixed})["methods"];
  ASSERT_EQ(by_fixed.size(), 1u);
  EXPECT_EQ(by_fixed[0]["method"], fixed);
  EXPECT_EQ(by_fixed[0]["aufc_of_rows"], by_method["aufc_of_rows"]);
  const Json by_turned = scene.run({"--relevance", turned, "--class", "predicted"})["methods"];
  EXPECT_EQ(by_turned[0]["aufc_of_rows"], by_method["aufc_of_rows"]);
  const Json wrong_sign = scene.run({"--relevance", turned})["methods"];
  EXPECT_NE(wrong_sign[0]["aufc_of_rows"], by_method["aufc_of_rows"]);
}

// Explain writes a feature of the name of its own column with an underscore; another program does
// not.
TEST(EvaluateCommand, FindsTheRelevanceOfFeaturesWithNamesOfOurs) {
  const Folder folder;
  const Model model(random_classifier(3, {"1", "2"}, 31), {}, {"output", "base", "c"});
  write_bundle(folder.file("m.npz"), model);
  const Matrix rows = random_rows(20, 3, 32);
  const auto data = write_csv(folder, "d.csv", rows, "output,base,c");
  const auto written = folder.file("e.csv");
  output_of({"explain", folder.file("m.npz"), data, "-o", written});
  ExplainOptions options;
  options.unit = Unit::decision;
  const Matrix relevance = explain(model, rows.view(), Auto{}, options).relevance;
  const auto plain = write_csv(folder, "plain.csv", relevance, "output,base,c");
  const auto curves = [&](const std::string& option, const std::string& value) {
    return Json::parse(output_of({"evaluate", folder.file("m.npz"), data, "--json", option,
                                  value}))["methods"][0]["aufc_of_rows"];
  };
  EXPECT_EQ(curves("--relevance", written), curves("--method", "auto"));
  EXPECT_EQ(curves("--relevance", plain), curves("--method", "auto"));
}

TEST(EvaluateCommand, RegressorsTurnByTheirLevel) {
  const Folder folder;
  const Model model(KernelRegressor{
      KernelMachine(random_rows(5, 2, 5), {1.0, -2.0, 0.5, 0.25, -1.0}, Kernel(0.7), 0.1), 0.3});
  write_bundle(folder.file("r.npz"), model);
  const auto data = write_csv(folder, "d.csv", random_rows(20, 2, 6));
  const auto json = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"evaluate", folder.file("r.npz"), data,
                                       "--json",   "--versus",           "-0.2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(output_of(arguments))["methods"][0]["aufc_of_rows"];
  };
  output_of(
      {"explain", folder.file("r.npz"), data, "--versus", "-0.2", "-o", folder.file("e.csv")});
  EXPECT_EQ(json({"--method", "auto"}), json({"--relevance", folder.file("e.csv")}));
}

TEST(EvaluateCommand, PassesOnWhatTheExplanationTakes) {
  const Scene scene;
  const auto others = write_csv(scene.folder, "many.csv", random_rows(150, 4, 8));
  EvaluateOptions options;
  options.flipping.samples = 10;
  options.flipping.imputer = Imputer::marginal;
  options.explain.reference = {Reference::Kind::mean, {}};
  const std::vector<Candidate> candidates{{"lrp", EtaRule{.eta = 0.3}},
                                          {"lrp-path", PathRule{.eta = 0.3, .steps = 2}}};
  const Evaluation expected =
      evaluate(scene.model, scene.rows, random_rows(150, 4, 8), candidates, options);
  const std::vector<std::string> arguments{
      "--method",    "lrp:eta=0.3", "--method",  "lrp-path:eta=0.3,path_steps=2",
      "--reference", "mean",        "--samples", "10",
      "--imputer",   "marginal"};
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--background", others});
  const Json json = scene.run(all);
  EXPECT_EQ(json["donors"], "disjoint");
  EXPECT_EQ(json["imputer"], "marginal");
  EXPECT_EQ(json["background"]["rows"], 75);
  EXPECT_EQ(json["background"]["rows_of_rules"], 75);
  for (const Json& method : json["methods"]) {
    const std::size_t m = method["method"] == "lrp:eta=0.3" ? 0 : 1;
    EXPECT_EQ(method["aufc_of_rows"], Json(expected.results[m].aufc));
  }
  all.insert(all.end(), {"--donors", "same"});
  EXPECT_EQ(scene.run(all)["background"]["rows"], 150);
}

TEST(EvaluateCommand, DrawsRowsAndNamesThem) {
  const Scene scene;
  const Json json = scene.run({"--sample", "10", "--seed", "3", "--method", "lrp"});
  PixelFlippingOptions options;
  options.rows = 10;
  options.seed = 3;
  std::vector<std::size_t> expected;
  for (const std::size_t row : rows_to_evaluate(25, options)) expected.push_back(row + 1);
  EXPECT_EQ(json["rows"], Json(expected));
  EXPECT_EQ(json["methods"][0]["aufc_of_rows"].size(), 10u);
}

TEST(EvaluateCommand, WritesATableCsvAndCurves) {
  const Scene scene;
  const std::string text = output_of(
      {"evaluate", scene.model_file, scene.data, "--method", "lrp", "--method", "random",
       "--samples", "5", "-o", scene.folder.file("o.csv"), "--curves", scene.folder.file("c.csv")});
  EXPECT_NE(text.find("d.csv itself"), std::string::npos) << text;
  EXPECT_NE(text.find("      best"), std::string::npos) << text;
  EXPECT_NE(text.find("same: 25 rows impute"), std::string::npos) << text;
  const auto table = lines_of(scene.folder.read("o.csv"));
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(
      table[0],
      "method,aufc,standard_error,rows,bandwidth,to_best,to_best_standard_error,donors,imputer");
  EXPECT_LE(std::stod(cells_of(table[1])[1]), std::stod(cells_of(table[2])[1]));
  EXPECT_EQ(cells_of(table[1])[5], "0");
  EXPECT_GE(std::stod(cells_of(table[2])[5]), 0.0);
  const auto curves = lines_of(scene.folder.read("c.csv"));
  ASSERT_EQ(curves.size(), 1u + 2u * 5u);
  EXPECT_EQ(curves[0], "method,removed,mean");
  EXPECT_EQ(curves[1], cells_of(table[1])[0] + ",0,1");
}

TEST(EvaluateCommand, SaysWhatIsWrong) {
  const Scene scene;
  const auto outcome = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"evaluate", scene.model_file, scene.data});
    return run_command(more);
  };
  EXPECT_EQ(outcome({"--method", "magic"}).status, 2);
  EXPECT_NE(outcome({"--method", "magic"}).err.find("\"magic\", expected auto, lrp, lrp-path"),
            std::string::npos);
  EXPECT_EQ(outcome({"--method", "gi:eta=0.3"}).status, 2);
  EXPECT_NE(outcome({"--method", "gi:eta=0.3"})
                .err.find("eta is a parameter of lrp, lrp-path and lrp-expected, not of gi"),
            std::string::npos);
  EXPECT_EQ(outcome({"--method", "random:seed=3"}).status, 2);
  EXPECT_EQ(outcome({"--donors", "other"}).status, 2);
  EXPECT_EQ(outcome({"--donors", "disjoint"}).status, 1);
  EXPECT_NE(outcome({"--donors", "disjoint"}).err.find("has 25 rows, expected at least 100"),
            std::string::npos);
  EXPECT_EQ(outcome({"--class", "predicted"}).status, 2);
  EXPECT_EQ(outcome({"--curves", "-", "-o", "-"}).status, 2);
  EXPECT_EQ(outcome({"--versus", "1.5"}).status, 1);
  const auto short_file = write_csv(scene.folder, "short.csv", random_rows(24, 4, 9));
  EXPECT_NE(outcome({"--relevance", short_file}).err.find("has 24 rows, expected 25"),
            std::string::npos);
}

}  // namespace
}  // namespace bisector::cli::test
