#include <gtest/gtest.h>

#include "bisector/explain.h"
#include "bisector/runtime_info.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(InspectCommand, SaysWhichClassIsWhichPool) {
  const Folder folder;
  const auto file = write_model(folder, "m.model", Model(random_classifier(2, {"5", "3"}, 41)));
  const std::string text = output_of({"inspect", file});
  EXPECT_TRUE(has(text, "pool P: class 5, 4 points and the intercept")) << text;
  EXPECT_TRUE(has(text, "pool N: class 3, 4 points\n")) << text;
  const std::string turned = output_of({"inspect", file, "--class", "3"});
  EXPECT_TRUE(has(turned, "pool P: class 3, 4 points\n")) << turned;
  EXPECT_TRUE(has(turned, "pool N: class 5, 4 points and the intercept")) << turned;
}

TEST(InspectCommand, ManyClassesFollowThePrediction) {
  const Folder folder;
  const auto file =
      write_model(folder, "m.model", Model(random_classifier(2, {"5", "3", "4"}, 42)));
  EXPECT_TRUE(has(output_of({"inspect", file}), "follows the prediction"));
  EXPECT_TRUE(
      has(output_of({"inspect", file, "--class", "3", "--versus", "4"}), "pool P: class 3"));
}

TEST(InspectCommand, JsonHasWhatTheHeuristicsPicked) {
  const Folder folder;
  const Model model(random_classifier(2, {"a", "b"}, 44), AffineMap({1.0, 2.0}, {0.5, 0.25}),
                    {"left", "right"}, 1.5);
  write_bundle(folder.file("m.npz"), model);
  const auto json = nlohmann::json::parse(output_of({"inspect", folder.file("m.npz"), "--json"}));
  const ExplainSettings settings = Explainer(model).settings();
  ASSERT_TRUE(settings.eta.has_value()) << settings.method;
  EXPECT_EQ(json["settings"]["eta"], *settings.eta);
  EXPECT_EQ(json["settings"]["beta"], *settings.beta);
  EXPECT_EQ(json["settings"]["median_distance"], 1.5);
  EXPECT_EQ(json["settings"]["reference"], settings.reference);
  EXPECT_EQ(json["settings"]["positive"], "a");
  EXPECT_EQ(json["model"]["feature_names"], (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(json["model"]["preprocessing"]["scale"], (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(json["pools"]["positive"]["points"], 4);
  EXPECT_EQ(json["pools"]["positive"]["intercept"], true);
  EXPECT_FALSE(json.contains("network"));
}

TEST(InspectCommand, NetworkOfARowIsTheLibrarys) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 44));
  const auto file = write_model(folder, "m.model", model);
  const Matrix rows = random_rows(300, 2, 45);
  const auto data = write_csv(folder, "d.csv", rows);
  const auto json = nlohmann::json::parse(
      output_of({"inspect", file, data, "--row", "290", "--json", "--evidence", "3"}));
  const Explainer explainer(model);
  const Network expected = explainer.network(rows.row(289));
  EXPECT_EQ(json["network"]["g"], expected.g);
  EXPECT_EQ(json["network"]["hidden"], expected.hidden);
  EXPECT_EQ(json["network"]["positive_weights"], expected.positive_weights);
  ASSERT_EQ(json["network"]["detection"].size(), expected.positive.size());
  EXPECT_EQ(json["network"]["detection"][1][2], expected.detection(1, 2));
  EXPECT_EQ(json["network"]["evidence"].size(), 3u);
  EXPECT_TRUE(json["network"]["positive"].back().is_null());  // the intercept's virtual point

  const std::string text = output_of({"inspect", file, data, "--row", "290"});
  EXPECT_TRUE(has(text, "row 290 of " + data)) << text;
  EXPECT_TRUE(has(text, "5 in pool P x 4 in pool N")) << text;
  EXPECT_TRUE(has(text, "z_ij")) << text;
}

TEST(InspectCommand, EveryKindOfModelHasItsWords) {
  const Folder folder;
  const Model regressor(KernelRegressor{
      KernelMachine(random_rows(3, 2, 46), {1.0, -2.0, 0.5}, Kernel(0.7), 0.1), 4.5});
  write_bundle(folder.file("r.npz"), regressor);
  const std::string text = output_of({"inspect", folder.file("r.npz")});
  EXPECT_TRUE(has(text, "4.5 (the mean of the training target)")) << text;
  EXPECT_TRUE(has(text, "pool P: above the level, 2 points\n")) << text;
  EXPECT_TRUE(has(text, "pool N: below the level, 1 point and the intercept")) << text;

  const Model one_class(
      OneClassMachine{KernelMachine(random_rows(2, 2, 47), {1.0, 1.0}, Kernel(1), -0.5)});
  write_bundle(folder.file("o.npz"), one_class);
  EXPECT_TRUE(has(output_of({"inspect", folder.file("o.npz")}), "the intercept alone"));

  const Model centroids(CentroidModel(random_rows(2, 2, 48), {"near", "far"}));
  write_bundle(folder.file("c.npz"), centroids);
  EXPECT_TRUE(has(output_of({"inspect", folder.file("c.npz")}), "nearest centroid"));

  const auto train = folder.write("t.csv", "x,kind\n0,a\n1,b\n2,b\n");
  output_of({"train", train, "--target", "kind", "--model", "knn", "--k", "1", "-o",
             folder.file("n.npz")});
  const std::string neighbors = output_of({"inspect", folder.file("n.npz")});
  EXPECT_TRUE(has(neighbors, "1 nearest neighbor")) << neighbors;
  EXPECT_TRUE(has(neighbors, "pool P: class b, 2 points")) << neighbors;
}

TEST(InspectCommand, NamesDetectorsAsWhatTheyAre) {
  const Folder folder;
  const auto rows = folder.write("rows.csv", "x,y\n0,0\n1,0\n0,1\n1,1\n0.5,0.4\n3,3\n");
  const std::vector<std::pair<std::string, std::string>> names{
      {"density", "kernel density: class 1 is inside"},
      {"oneclass", "one-class SVM: class 1 is inside"},
      {"lof", "outlier detector: local outlier factor up to"},
      {"knn-distance", "outlier detector: distance to the k-th neighbor up to"}};
  for (const auto& [kind, name] : names) {
    const std::string model = folder.file(kind + ".npz");
    std::vector<std::string> command{"train", rows, "--model", kind, "-o", model};
    if (kind == "lof" || kind == "knn-distance") command.insert(command.end(), {"--k", "2"});
    output_of(command);
    const std::string text = output_of({"inspect", model});
    EXPECT_TRUE(has(text, name)) << text;
  }
  const auto json =
      nlohmann::json::parse(output_of({"inspect", folder.file("density.npz"), "--json"}));
  EXPECT_EQ(json["model"]["kind"], "one_class");
  EXPECT_NE(json["model"]["description"].get<std::string>().find("kernel density"),
            std::string::npos);
}

TEST(InspectCommand, MachineNamesTheInstructionSet) {
  const std::string text = output_of({"inspect", "--machine"});
  EXPECT_TRUE(has(text, runtime_info().instruction_set)) << text;
  const auto json = nlohmann::json::parse(output_of({"inspect", "--machine", "--json"}));
  EXPECT_EQ(json["instruction_set"], runtime_info().instruction_set);
  EXPECT_EQ(json["supported"], runtime_info().supported);
  EXPECT_TRUE(has(output_of({"--version"}), runtime_info().instruction_set));
}

TEST(InspectCommand, ARowPastTheEndIsAnError) {
  const Folder folder;
  const auto file = write_model(folder, "m.model", Model(random_classifier(2, {"1", "2"}, 49)));
  const auto data = folder.write("d.csv", "1.5,2\n3,4\n");
  const Outcome outcome = run_command({"inspect", file, data, "--row", "3"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "error: " + data + " has no row 3, expected --row with a number up to 2\n");
}

}  // namespace
}  // namespace bisector::cli::test
