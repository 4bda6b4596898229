// `bisector choose` writes what the library measured, and explain finds it in the bundle.
#include <gtest/gtest.h>

#include "bisector/choose.h"
#include "bisector/io/model_file.h"
#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

struct ChooseScene {
  Folder folder;
  Model model{random_classifier(3, {"1", "-1"}, 1)};
  Matrix background = random_rows(150, 3, 2);
  std::string model_file = write_model(folder, "m.model", model);
  std::string data = write_csv(folder, "b.csv", background);
};

TEST(ChooseCommand, KeepsTheWinnerWhereExplainFindsIt) {
  const ChooseScene scene;
  const std::string bundle = scene.folder.file("m.npz");
  const auto json = nlohmann::json::parse(
      output_of({"choose", scene.model_file, "--background", scene.data, "-o", bundle, "--json"}));
  const Choice expected = choose(scene.model, scene.background);
  EXPECT_EQ(json["method"], std::string(name(expected.measured.method)));
  EXPECT_EQ(json["figures"].size(), expected.evaluation.names.size());
  EXPECT_EQ(json["rows"], 40);

  const Model kept = read_model(bundle);
  ASSERT_TRUE(kept.measured());
  EXPECT_EQ(kept.measured()->method, expected.measured.method);
  EXPECT_EQ(kept.measured()->view, View::model);
  const Explainer explainer(kept);
  EXPECT_EQ(explainer.method(), expected.measured.method);
  EXPECT_EQ(explainer.settings().reason.substr(0, 8), "measured");
  EXPECT_EQ(output_of({"explain", bundle, scene.data}),
            output_of({"explain", scene.model_file, scene.data, "--method",
                       std::string(name(expected.measured.method))}));
  // The other view was not measured.
  EXPECT_NE(Explainer(kept, Auto{View::data}).settings().reason.substr(0, 8), "measured");
}

TEST(ChooseCommand, IsDeterministicAndMayWriteOverItsModel) {
  const ChooseScene scene;
  const std::string bundle = scene.folder.file("m.npz");
  write_bundle(bundle, scene.model);
  const std::vector<std::string> command{"choose", bundle, "--background", scene.data,
                                         "--view", "data", "-o",           bundle};
  const std::string first = output_of(command);
  EXPECT_EQ(read_model(bundle).measured()->view, View::data);
  write_bundle(bundle, scene.model);
  std::vector<std::string> on_one_thread = command;
  on_one_thread.insert(on_one_thread.end(), {"--threads", "1"});
  EXPECT_EQ(output_of(on_one_thread), first);
}

TEST(ChooseCommand, SaysWhatIsWrong) {
  const ChooseScene scene;
  EXPECT_EQ(run_command({"choose", scene.model_file}).status, 2);
  EXPECT_EQ(
      run_command({"choose", scene.model_file, "--background", scene.data, "-o", "m.model"}).status,
      2);
  const auto few = write_csv(scene.folder, "few.csv", random_rows(20, 3, 2));
  const auto refused = run_command({"choose", scene.model_file, "--background", few});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("expected at least 140"), std::string::npos) << refused.err;
  const auto kept = run_command({"choose", scene.model_file, "--background", scene.data});
  EXPECT_EQ(kept.status, 0);
  EXPECT_NE(kept.err.find("the choice was not stored"), std::string::npos);
}

}  // namespace
}  // namespace bisector::cli::test
