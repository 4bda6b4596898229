// The demo in a folder of its own, and the methods behind explain.
#include <gtest/gtest.h>

#include <filesystem>

#include "bisector/io/model_file.h"
#include "cli/cli_support.h"
#include "cli/verbs/demo_data.h"

namespace bisector::cli::test {
namespace {

TEST(DemoCommand, WritesTheFilesThatItNames) {
  const Folder folder;
  const std::string text = output_of({"demo", "-o", folder.file("demo")});
  for (const char* part : {"$ bisector train ", "accuracy  ", "A typical case, row ", "malignant →",
                           "would be malignant if: "})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  for (const char* name : {"training.csv", "held_out.csv", "model.npz", "relevance.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder.file("demo") + "/" + name)) << name;
  EXPECT_EQ(read_model(folder.file("demo") + "/model.npz").features(), 30u);
  EXPECT_EQ(std::ranges::count(demo_data(), '\n'), 570);
}

TEST(MethodOptions, EveryMethodExplainsTheDemoAndOthersAreRefused) {
  const Folder folder;
  output_of({"demo", "-o", folder.file("demo")});
  const std::string model = folder.file("demo") + "/model.npz";
  const std::string data = folder.file("demo") + "/held_out.csv";
  const auto lrp = output_of({"explain", model, data, "--method", "lrp"});
  EXPECT_EQ(output_of({"explain", model, data}),
            output_of({"explain", model, data, "--method", "auto"}));
  for (const char* method : {"auto", "lrp-path", "lrp-expected", "neighborhood", "gi", "ig",
                             "sensitivity", "occlusion", "shapley", "shapley-exact"}) {
    const auto text = output_of({"explain", model, data, "--method", method});
    EXPECT_EQ(lines_of(text).size(), lines_of(lrp).size()) << method;
    EXPECT_NE(text, lrp) << method;
  }
  // Gradient x input on g is the eta rule with eta = 0.
  EXPECT_EQ(lines_of(output_of({"explain", model, data, "--method", "gi:on=g"})).size(),
            lines_of(lrp).size());
  EXPECT_EQ(run_command({"explain", model, data, "--method", "magic"}).status, 2);
  EXPECT_EQ(run_command({"explain", model, data, "--method", "lrp:steps=5"}).status, 2);
  EXPECT_EQ(run_command({"explain", model, data, "--method", "gi:on=h"}).status, 2);
}

}  // namespace
}  // namespace bisector::cli::test
