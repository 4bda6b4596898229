// Values that were missing and are filled in by the model are marked in every output.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

using Json = nlohmann::json;

/// A model of a table with missing values, and three rows: one without its age, one without its
/// income and its town, and one with all values.
class Imputed : public testing::Test {
 protected:
  void SetUp() override {
    std::string table = "age,income,town,answer\n";
    for (int n = 0; n < 40; ++n)
      table += std::to_string(20 + 7 * n % 23) + ',' +
               (n == 7 ? "" : std::to_string(1000 + 37 * (n % 11))) + ',' +
               (n % 3 == 0 ? "Ulm" : "Bonn") + ',' + (7 * n % 23 < 12 ? "no" : "yes") + '\n';
    train_ = folder_.write("train.csv", table);
    rows_ = folder_.write("rows.csv", "age,income,town\n,1100,Ulm\n31,?,NA\n55,1200,Bonn\n");
    model_ = folder_.file("m.npz");
    const Outcome trained =
        run_command({"train", train_, "--target", "answer", "--model", "svm", "--gamma", "0.5",
                     "--cost", "10", "--type", "town=one-hot", "-q", "-o", model_});
    ASSERT_EQ(trained.status, 0) << trained.err;
  }

  std::string run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, {model_, rows_});
    const Outcome outcome = run_command(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  /// The column "imputed" of CSV, and the column before it.
  static void expect_column(const std::string& csv, const std::string& before) {
    const auto lines = lines_of(csv);
    ASSERT_EQ(lines.size(), 4u) << csv;
    const auto names = cells_of(lines[0]);
    const auto place = std::ranges::find(names, "imputed") - names.begin();
    ASSERT_LT(place, std::ssize(names)) << lines[0];
    EXPECT_EQ(names[static_cast<std::size_t>(place) - 1], before);
    EXPECT_TRUE(lines[1].find(",age") != std::string::npos) << lines[1];
    EXPECT_TRUE(lines[2].find(",\"income; town\"") != std::string::npos) << lines[2];
    EXPECT_EQ(cells_of(lines[3] + ",")[static_cast<std::size_t>(place)], "") << lines[3];
  }

  static void expect_lists(const Json& rows) {
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].at("imputed"), Json({"age"}));
    EXPECT_EQ(rows[1].at("imputed"), Json({"income", "town"}));
    EXPECT_EQ(rows[2].at("imputed"), Json::array());
  }

  Folder folder_;
  std::string train_, rows_, model_;
};

TEST_F(Imputed, CsvNamesTheColumnsThatWereFilledIn) {
  expect_column(run({"explain", "--format", "csv"}), "tie");
  const std::string ranked = run({"explain", "--format", "csv", "--top", "1"});
  expect_column(ranked, "tie");
  expect_column(run({"flip", "--format", "csv"}), "tie");
  const std::string pairs = run({"explain", "--interactions", "--top", "1", "--format", "csv"});
  expect_column(pairs, "tie");
}

TEST_F(Imputed, JsonListsTheColumnsThatWereFilledIn) {
  expect_lists(Json::parse(run({"explain", "--format", "json"}))["rows"]);
  expect_lists(Json::parse(run({"explain", "--all-classes", "--format", "json"}))["rows"]);
  expect_lists(Json::parse(run({"explain", "--interactions", "--format", "json"}))["rows"]);
  expect_lists(Json::parse(run({"flip", "--format", "json"}))["rows"]);
  Json lines = Json::array();
  for (const std::string& line : lines_of(run({"explain", "--format", "jsonl"})))
    lines.push_back(Json::parse(line));
  expect_lists(lines);
}

TEST_F(Imputed, TextMarksTheValuesThatWereFilledIn) {
  const auto has = [&](const std::string& row, const char* pattern) {
    const std::string text = run({"explain", "--row", row});
    return std::regex_search(text, std::regex(pattern));
  };
  EXPECT_TRUE(has("1", "age +\\d+(\\.\\d)? \\(filled in\\)"));
  EXPECT_FALSE(has("1", "(1100|Ulm) \\(filled in\\)"));
  EXPECT_TRUE(has("2", "town +Bonn \\(filled in\\)"));
  EXPECT_FALSE(has("3", "filled in"));
  EXPECT_TRUE(std::regex_search(run({"flip", "--row", "1", "--only", "age"}),
                                std::regex("age \\d+(\\.\\d)? \\(filled in\\) → ")));
}

TEST_F(Imputed, APageCarriesTheCellsThatWereFilledIn) {
  const std::string page = folder_.file("page.html");
  const Outcome outcome = run_command({"report", model_, rows_, "-o", page});
  if (outcome.err.find("has no page") != std::string::npos) GTEST_SKIP() << "built without npm";
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string text = folder_.read("page.html");
  EXPECT_NE(text.find("\"imputed\":[[0],[1],[1]],\"imputedRows\":2"), std::string::npos);
  EXPECT_NE(text.find("\"name\":\"town\""), std::string::npos);
  EXPECT_NE(text.find("\"imputed\":1}"), std::string::npos);
}

TEST_F(Imputed, AModelThatFillsInNothingHasNoSuchColumn) {
  const std::string table = folder_.write("full.csv", "a,b,y\n1,2,p\n2,1,q\n3,3,p\n4,1,q\n");
  const std::string model = folder_.file("full.npz");
  ASSERT_EQ(run_command(
                {"train", table, "--target", "y", "--model", "knn", "--k", "1", "-q", "-o", model})
                .status,
            0);
  const std::string csv = run_command({"explain", model, table}).out;
  EXPECT_TRUE(lines_of(csv)[0].ends_with(",remainder,outside,tie")) << lines_of(csv)[0];
}

}  // namespace
}  // namespace bisector::cli::test
