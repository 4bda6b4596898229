// --row N reads the row N alone, so that other rows cannot fail it.
#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

struct OneRow : testing::Test {
  Folder folder;
  std::string model = write_model(folder, "m.npz", Model(random_classifier(2, {"no", "yes"}, 61)));
  std::string good = folder.write("good.csv", "a,b\n0.1,0.2\n0.3,-0.4\n-0.5,0.6\n");
  /// Text in row 1, and a line that is cut off as row 3.
  std::string bad = folder.write("bad.csv", "a,b\nwrong,0.2\n0.3,-0.4\n7\n");
};

TEST_F(OneRow, IsExplainedAlthoughOtherRowsAreWrong) {
  for (const std::string format : {"csv", "json"}) {
    const std::vector<std::string> more = {"--row", "2", "--format", format};
    std::vector<std::string> expected = {"explain", model, good}, found = {"explain", model, bad};
    expected.insert(expected.end(), more.begin(), more.end());
    found.insert(found.end(), more.begin(), more.end());
    EXPECT_EQ(output_of(found), output_of(expected));
  }
  EXPECT_EQ(output_of({"explain", model, bad, "--row", "2"}),
            output_of({"explain", model, good, "--row", "2"}));
}

TEST_F(OneRow, IsInspectedAndFlippedAlthoughOtherRowsAreWrong) {
  EXPECT_NE(output_of({"inspect", model, bad, "--row", "2"}), "");
  const Outcome flipped = run_command({"flip", model, bad, "--row", "2"});
  EXPECT_EQ(flipped.status, 0) << flipped.err;
  EXPECT_TRUE(flipped.out.starts_with("Row 2: predicted ")) << flipped.out;
  EXPECT_NE(flipped.err.find("note: the search starts from 0 rows of DATA: "), std::string::npos)
      << flipped.err;
}

TEST_F(OneRow, IsRefusedIfItIsWrongItself) {
  const Outcome outcome = run_command({"explain", model, bad, "--row", "3"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("bad.csv:4: 1 cell, expected 2"), std::string::npos) << outcome.err;
  const Outcome beyond = run_command({"explain", model, bad, "--row", "9"});
  EXPECT_NE(beyond.err.find("has no row 9, expected --row with a number up to 3"),
            std::string::npos)
      << beyond.err;
}

TEST_F(OneRow, ShowsAveragesOfTheBackgroundOnly) {
  EXPECT_EQ(output_of({"explain", model, good, "--row", "2"}).find("(average"), std::string::npos);
  const std::string with = output_of({"explain", model, good, "--row", "2", "--background", good});
  EXPECT_NE(with.find("(average"), std::string::npos) << with;
}

TEST_F(OneRow, KeepsAColumnInATable) {
  const Model named(random_classifier(2, {"no", "yes"}, 61));
  const auto file = write_model(folder, "n.npz", Model(named.predictor(), {}, {"a", "b"}));
  const auto data = folder.write("i.csv", "id,a,b\nx,0.1,0.2\ny,0.3,-0.4\n");
  const std::string text = output_of({"explain", file, data, "--row", "2", "--keep", "id"});
  EXPECT_TRUE(text.starts_with("row,")) << text;
}

}  // namespace
}  // namespace bisector::cli::test
