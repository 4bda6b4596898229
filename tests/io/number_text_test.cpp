#include "bisector/io/number_text.h"

#include <gtest/gtest.h>

namespace bisector {
namespace {

void expect(std::string_view cell, double value, NumberFormat format) {
  const auto read = read_number_text(cell);
  ASSERT_TRUE(read.has_value()) << cell;
  EXPECT_DOUBLE_EQ(read->value, value) << cell;
  EXPECT_EQ(read->format, format) << cell;
}

TEST(NumberText, ReadsPlainNumbers) {
  expect("1234.5", 1234.5, NumberFormat::plain);
  expect(" -1e3 ", -1000.0, NumberFormat::plain);
}

TEST(NumberText, ReadsGroupsOfThousands) {
  expect("1,234.50", 1234.5, NumberFormat::grouped);
  expect("1,234", 1234.0, NumberFormat::grouped);
  expect("1.234,5", 1234.5, NumberFormat::grouped);
  expect("1.234.567", 1234567.0, NumberFormat::grouped);
  expect("12,5", 12.5, NumberFormat::grouped);
  expect("0,125", 0.125, NumberFormat::grouped);
  expect("1 234 567", 1234567.0, NumberFormat::grouped);
  expect(
      "1\xC2\xA0"
      "234,5",
      1234.5, NumberFormat::grouped);
  expect("1'234.5", 1234.5, NumberFormat::grouped);
}

TEST(NumberText, ReadsMoneyAndPercentages) {
  expect("$1,234.50", 1234.5, NumberFormat::money);
  expect("-$20", -20.0, NumberFormat::money);
  expect("$-20", -20.0, NumberFormat::money);
  expect("($1,234)", -1234.0, NumberFormat::money);
  expect("1.234,50 \xE2\x82\xAC", 1234.5, NumberFormat::money);
  expect("EUR 12", 12.0, NumberFormat::money);
  expect("89.1 %", 89.1, NumberFormat::percent);
  expect("89,1%", 89.1, NumberFormat::percent);
}

TEST(NumberText, ReadsDatesAsDays) {
  expect("1970-01-02", 1.0, NumberFormat::date);
  expect("2024-01-31", 19753.0, NumberFormat::date);
  expect("31.1.2024", 19753.0, NumberFormat::date);
  expect("1/31/2024", 19753.0, NumberFormat::date);
  expect("31/1/2024", 19753.0, NumberFormat::date);
  expect("2024-01-31 12:00", 19753.5, NumberFormat::date);
  expect("2024-01-31T06:00:00Z", 19753.25, NumberFormat::date);
}

TEST(NumberText, SaysWhichDecimalSeparatorTheTextHas) {
  EXPECT_EQ(read_number_text("12,5")->decimal, ',');
  EXPECT_EQ(read_number_text("1,234")->decimal, '.');
  EXPECT_EQ(read_number_text("12.5")->decimal, '.');
  EXPECT_EQ(read_number_text("12")->decimal, '\0');
}

TEST(NumberText, RefusesOtherText) {
  for (const std::string_view cell : {"", "red", "12,34,5", "1.2.3", "1/2/2024", "2024-02-30", "$",
                                      "%", "a1", "1 2", "2024-01-31 25:00", "0,1,2", "-"})
    EXPECT_FALSE(read_number_text(cell).has_value()) << cell;
}

TEST(NumberText, KnowsMarksOfMissingNumbers) {
  for (const char* mark :
       {"", "NA", "null", "-", "--", ".", "*", "None", "unknown", " Missing ", "N.A."})
    EXPECT_TRUE(is_missing_number(mark)) << mark;
  for (const char* text : {"0", "-1", "..", "no", "nothing"})
    EXPECT_FALSE(is_missing_number(text)) << text;
}

TEST(NumberText, WritesNumbersAndMarksOfAColumnPlain) {
  std::vector<std::string> cells = {"1.5", "$1,234.50", "-", "2024-01-31", "text"};
  make_numbers_plain(cells);
  EXPECT_EQ(cells, (std::vector<std::string>{"1.5", "1234.5", "", "19753", "text"}));
}

}  // namespace
}  // namespace bisector
