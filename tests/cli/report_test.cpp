// The verb report: its files, and what it refuses.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/cli_support.h"
#include "tools/page_parts.h"

namespace bisector::cli::test {
namespace {

/// A small KNN problem: the command needs no model file for it.
struct Problem {
  Folder folder;
  std::string training, data;

  Problem() {
    std::string rows = "a,b,c,d,label\n";
    for (int r = 0; r < 40; ++r)
      rows += std::to_string(r % 7) + "," + std::to_string(r * 3 % 11) + "," +
              std::to_string(r % 5) + "," + std::to_string(r % 3) + "," +
              (r % 7 > 3 ? "yes" : "no") + "\n";
    training = folder.write("training.csv", rows);
    data = folder.write("data.csv", rows);
  }

  std::vector<std::string> words(std::vector<std::string> more) const {
    std::vector<std::string> all{"report", "--knn", "3", "--target", "label", training, data};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST(ReportCommand, WritesAPageAndFigures) {
  const Problem problem;
  if (tools::page_parts().page.empty()) GTEST_SKIP() << "built without npm";
  output_of(problem.words({"-o", problem.folder.file("report.html"), "--figures",
                           problem.folder.file("figures"), "--image", "2x2", "--evaluate"}));
  const std::string page = problem.folder.read("report.html");
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg"));
  EXPECT_NE(page.find("\"faithfulness\":{"), std::string::npos);
  for (const char* name : {"importance", "beeswarm", "dependence", "faithfulness"})
    EXPECT_TRUE(std::filesystem::exists(problem.folder.file("figures") + "/" + name + ".svg"))
        << name;
}

TEST(ReportCommand, FiguresNeedNoPage) {
  const Problem problem;
  output_of(problem.words({"--figures", problem.folder.file("figures")}));
  EXPECT_TRUE(std::filesystem::exists(problem.folder.file("figures/importance.svg")));
}

TEST(ReportCommand, RefusesWhatItCannotDo) {
  const Problem problem;
  EXPECT_EQ(run_command(problem.words({})).status, 2);
  const std::string figures = problem.folder.file("figures");
  for (const char* image : {"28", "x", "0x4", "2x2x1", "-1x4", "99999x1"})
    EXPECT_EQ(run_command(problem.words({"--figures", figures, "--image", image})).status, 2)
        << image;
  const Outcome wrong = run_command(problem.words({"--figures", figures, "--image", "3x3"}));
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.err, "error: an image of 3x3 has 9 pixels, the model 4 features\n");
  EXPECT_EQ(run_command({"report", "--knn", "3", "--target", "label", problem.training, "-",
                         "--figures", figures, "--evaluate"})
                .status,
            2);
}

}  // namespace
}  // namespace bisector::cli::test
