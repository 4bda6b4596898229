// Dates, percentages and amounts of money that could be read in two ways are refused, and rows to
// predict are read as the training rows were.
#include <gtest/gtest.h>

#include "cli/cli_support.h"

namespace bisector::cli::test {
namespace {

struct NumberFormats : testing::Test {
  Folder folder;

  /// A table of one column, whose classes are a and b in turn.
  std::string table(const std::vector<std::string>& cells) const {
    std::string text = "v,y\n";
    for (std::size_t r = 0; r < cells.size(); ++r)
      text += cells[r] + (r % 2 == 0 ? ",a\n" : ",b\n");
    return folder.write("t.csv", text);
  }
  Outcome train(const std::vector<std::string>& cells, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"train",   table(cells), "--target", "y",
                                      "--model", "knn",        "-o",       folder.file("m.npz")};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words);
  }
  std::string predictions(const std::vector<std::string>& cells) const {
    std::string text = "v\n";
    for (const std::string& cell : cells) text += cell + "\n";
    const Outcome outcome =
        run_command({"predict", folder.file("m.npz"), folder.write("p.csv", text)});
    return outcome.status == 0 ? outcome.out : outcome.err;
  }
};

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(NumberFormats, AmbiguousDatesAreRefusedWithBothReadings) {
  const Outcome outcome = train({"01/02/2019", "03/04/2019", "05/06/2019"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(
      has_part(outcome.err,
               "column 1 \"v\" has dates such as \"01/02/2019\", which could be day 1 of month 2 "
               "or day 2 of month 1 (use --type v=day-first or --type v=month-first"))
      << outcome.err;
}

TEST_F(NumberFormats, TheOrderOfDatesIsKeptForRowsToPredict) {
  const std::vector<std::string> cells = {"01/02/2019", "05/03/2019", "09/04/2019"};
  const auto predicted = [&](const char* order, const std::vector<std::string>& rows) {
    EXPECT_EQ(train(cells, {"--type", std::string("v=") + order, "--k", "1"}).status, 0);
    return predictions(rows);
  };
  // 1 February is the first row, 2 January is nearest to it in both orders; 3 May is the second row
  // if months are first.
  EXPECT_EQ(predicted("day-first", {"05/03/2019"}), predicted("day-first", {"2019-03-05"}));
  EXPECT_EQ(predicted("month-first", {"05/03/2019"}), predicted("month-first", {"2019-05-03"}));
  EXPECT_TRUE(has_part(predicted("day-first", {"01/31/2019"}),
                       "\"01/31/2019\", expected a date day/month/year"));
}

TEST_F(NumberFormats, ADayAboveTwelveShowsTheOrder) {
  EXPECT_EQ(train({"31/01/2019", "01/02/2019", "05/03/2019"}, {"--k", "1"}).status, 0);
  EXPECT_EQ(predictions({"01/02/2019"}), predictions({"2019-02-01"}));
  const Outcome mixed = train({"31/01/2019", "01/31/2019", "05/03/2019"});
  EXPECT_EQ(mixed.status, 1);
  EXPECT_TRUE(has_part(mixed.err, "write all of them alike")) << mixed.err;
}

TEST_F(NumberFormats, AModelThatDoesNotKnowTheOrderRefusesAmbiguousDates) {
  EXPECT_EQ(train({"2019-01-31", "2019-02-01", "2019-03-05"}, {"--k", "1"}).status, 0);
  EXPECT_TRUE(has_part(predictions({"01/02/2019"}), "error: ")) << predictions({"01/02/2019"});
}

TEST_F(NumberFormats, PercentagesAndFractionsAreNotMixed) {
  const Outcome outcome = train({"2%", "0.07", "5%"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has_part(outcome.err, "has \"2%\" in row 1 and \"0.07\" in row 2")) << outcome.err;
  EXPECT_EQ(train({"2%", "7%", "5.5%"}, {"--k", "1"}).status, 0);
  EXPECT_TRUE(predictions({"7%"}).starts_with("row,prediction"));
  EXPECT_TRUE(
      has_part(predictions({"0.07"}), ":2: column \"v\" is \"0.07\", expected a percentage"))
      << predictions({"0.07"});
  EXPECT_EQ(train({"0.02", "0.07", "0.055"}, {"--k", "1"}).status, 0);
  EXPECT_TRUE(has_part(predictions({"7%"}), "is \"7%\", expected a number")) << predictions({"7%"});
}

TEST_F(NumberFormats, CurrenciesAreNotMixed) {
  const Outcome outcome = train({"$2", "€7", "$5"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has_part(outcome.err, "has \"$2\" in row 1 and \"€7\" in row 2")) << outcome.err;
  EXPECT_EQ(train({"$2", "USD 7", "$5"}, {"--k", "1"}).status, 0);
  EXPECT_TRUE(predictions({"$7"}).starts_with("row,prediction"));
  EXPECT_TRUE(has_part(predictions({"€7"}), "error: "));
}

}  // namespace
}  // namespace bisector::cli::test
