// The text of `bisector explain` for people: bars, averages, sums and a typical case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/cli_support.h"
#include "cli/writers/row_text.h"

namespace bisector::cli::test {
namespace {

TEST(ExplainText, ShowsOneRowWithValueAverageContributionAndActualClass) {
  const Folder folder;
  std::string table = "width,town,kind\n";
  for (int n = 0; n < 30; ++n) {
    const int width = n * 7 % 30;  // not in order, which would be row numbers
    table +=
        std::to_string(width) + (n % 3 == 0 ? ",Bonn," : ",Ulm,") + (width < 15 ? "no\n" : "yes\n");
  }
  const auto data = folder.write("d.csv", table);
  const auto model = folder.file("m.npz");
  EXPECT_EQ(run_command({"train", data, "--target", "kind", "--model", "svm", "-o", model}).status,
            0);
  const std::string text = output_of({"explain", model, data, "--row", "4", "--background", data});
  EXPECT_NE(text.find("row 4: predicted yes, actual yes"), std::string::npos) << text;
  EXPECT_NE(text.find("width"), std::string::npos) << text;
  EXPECT_NE(text.find("(average 14.5)"), std::string::npos) << text;
  EXPECT_NE(text.find("Bonn"), std::string::npos) << text;
  EXPECT_NE(text.find("← no │ yes →"), std::string::npos) << text;
  EXPECT_NE(text.find("result "), std::string::npos) << text;
  const std::string all = output_of({"explain", model, data, "--text"});
  EXPECT_NE(all.find("What matters over 30 rows"), std::string::npos) << all;
  EXPECT_NE(all.find("A typical case, row "), std::string::npos) << all;
  EXPECT_EQ(run_command({"explain", model, data, "--text", "--format", "csv"}).status, 2);
}

TEST(ExplainText, LeavesOutAnActualClassThatTheTableDoesNotHave) {
  const Folder folder;
  std::string table = "width,kind\n";
  for (int n = 0; n < 30; ++n)
    table += std::to_string(n * 7 % 30) + (n * 7 % 30 < 15 ? ",no\n" : ",yes\n");
  const auto model = folder.file("m.npz");
  run_command({"train", folder.write("d.csv", table), "--target", "kind", "-o", model});
  const auto rows = folder.write("new.csv", "width,kind\n29,\n");
  const std::string text = output_of({"explain", model, rows, "--row", "1"});
  EXPECT_NE(text.find("row 1: predicted yes\n"), std::string::npos) << text;
}

TEST(ExplainText, OutlierDetectorsSayInsideOrOutside) {
  const Folder folder;
  std::string table = "a,b\n";
  for (int n = 0; n < 30; ++n)
    table += std::to_string(n * 7 % 30) + ',' + std::to_string(n * 11 % 30) + '\n';
  const auto data = folder.write("d.csv", table + "500,900\n"), model = folder.file("m.npz");
  EXPECT_EQ(run_command({"train", data, "--model", "lof", "-o", model}).status, 0);
  const std::string far = output_of({"explain", model, data, "--row", "31"});
  EXPECT_NE(far.find("row 31: predicted outside"), std::string::npos) << far;
  EXPECT_NE(far.find("← outside │ inside →"), std::string::npos) << far;
}

// The median row of a table of outliers is one of them.
TEST(ExplainText, AnOutlierIsNeverATypicalCase) {
  const Folder folder;
  std::string table = "a,b\n", far = "a,b\n";
  for (int n = 0; n < 30; ++n)
    table += std::to_string(n * 7 % 30) + ',' + std::to_string(n * 11 % 30) + '\n';
  for (int n = 0; n < 9; ++n) far += std::to_string(500 + n) + ",900\n";
  const auto model = folder.file("m.npz");
  run_command({"train", folder.write("t.csv", table), "--model", "lof", "-o", model});
  const auto data = folder.write("d.csv", far + "15,15\n"), all = folder.write("far.csv", far);
  const std::string text = run_command({"explain", model, data, "--text"}).out;
  EXPECT_NE(text.find("A typical case, row 10: predicted inside"), std::string::npos) << text;
  const std::string none = run_command({"explain", model, all, "--text"}).out;
  EXPECT_EQ(none.find("A typical case"), std::string::npos) << none;
  EXPECT_NE(none.find("No case is typical. One of them, row "), std::string::npos) << none;
}

TEST(ExplainText, OneExtremeRowLeavesTheDigitsOfOthers) {
  const Folder folder;
  const Model model(random_classifier(2, {"1", "2"}, 38));
  write_bundle(folder.file("m.npz"), model);
  const auto data = folder.write("d.csv", "1e-6,2e-6\n1e90,1e90\n");
  const Outcome first = run_command({"explain", folder.file("m.npz"), data, "--row", "1"});
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out.find("features +0.00,"), std::string::npos) << first.out;
}

TEST(ExplainText, OneLargeFeatureLeavesTheDigitsOfOthers) {
  std::ostringstream out;
  write_importance_text(out, {{"large", "small"}, {"", ""}, "votes", 8, false},
                        std::vector<double>{123.4, 0.01234}, 10);
  EXPECT_NE(out.str().find(" 123\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find(" 0.0123\n"), std::string::npos) << out.str();
}

TEST(ExplainText, AnAverageThatRoundsToZeroHasNoSign) {
  std::ostringstream out;
  write_row_text(out, {{"a", "b"}, {"", ""}, "votes", 8, false},
                 {"Row 1", {"1", "2"}, {1.5, -0.5}, -1e-9, 0.0, 1.0, "yes", "no"});
  EXPECT_NE(out.str().find("average output 0, features +1"), std::string::npos) << out.str();
}

TEST(ExplainText, ATypicalCaseIsOfTheMoreFrequentClassAndNoCloseCall) {
  const Folder folder;
  std::string table = "width,kind\n";
  for (int n = 0; n < 51; ++n)
    table += std::to_string(0.1 * (n * 7 % 51)) + (n * 7 % 51 < 26 ? ",no\n" : ",yes\n");
  const auto data = folder.write("d.csv", table), model = folder.file("m.npz");
  EXPECT_EQ(run_command({"train", data, "--target", "kind", "--model", "svm", "-o", model}).status,
            0);
  std::vector<double> sizes;
  for (const std::string& line : lines_of(output_of({"explain", model, data})))
    if (line[0] != 'r') sizes.push_back(std::abs(std::stod(cells_of(line)[4])));
  std::ranges::sort(sizes);
  const std::string text = output_of({"explain", model, data, "--text"});
  const std::string row = text.substr(text.find("A typical case, row ") + 20);
  EXPECT_NE(row.find(": predicted no, actual no"), std::string::npos) << text;
  const auto cells = cells_of(lines_of(output_of({"explain", model, data}))[std::stoul(row)]);
  EXPECT_GT(std::abs(std::stod(cells[4])), sizes[10]) << text;
}

}  // namespace
}  // namespace bisector::cli::test
