#include "bisector/train/training_table.h"
#include "reference/error_of.h"

#include <gtest/gtest.h>

namespace bisector {
namespace {

using Kind = ColumnEncoding::Kind;
using Plan = std::vector<ColumnEncoding>;
using Texts = std::vector<std::string>;

TEST(TrainingTable, NeedsNoEncodingForNumbers) {
  const TrainingTable table = training_table(Plan{{"a"}, {"b"}}, {{"1", "2"}, {"3", " 4"}},
                                             {"x", "y"}, MissingPolicy::error, "t");
  EXPECT_EQ(table.rows, Matrix(2, 2, {1, 3, 2, 4}));
  EXPECT_EQ(table.target, (Texts{"x", "y"}));
  EXPECT_EQ(table.feature_names, (Texts{"a", "b"}));
  EXPECT_FALSE(table.encoding);
  EXPECT_EQ(table.dropped, 0u);
}

TEST(TrainingTable, FindsTheLevelsOfOneHotColumns) {
  const TrainingTable table =
      training_table(Plan{{"", Kind::one_hot}, {"", Kind::ordinal, {"low", "high"}}},
                     {{"10", "9", "10"}, {"high", "low", "low"}}, {}, MissingPolicy::error, "t");
  EXPECT_EQ(table.encoding->columns()[0].levels, (Texts{"9", "10"}));
  EXPECT_EQ(table.rows, Matrix(3, 3, {0, 1, 1, 1, 0, 0, 0, 1, 0}));
  EXPECT_TRUE(table.feature_names.empty());
  EXPECT_EQ(table.encoding->features(), (Texts{"x1=9", "x1=10", "x2"}));
  EXPECT_EQ(table.encoding->encode({{"9"}, {"high"}}), Matrix(1, 3, {1, 0, 1}));
}

TEST(TrainingTable, AsksWhatUndeclaredTextIs) {
  const auto make = [] {
    training_table(Plan{{"a"}, {"safety"}}, {{"1", "2"}, {"3", "vhigh"}}, {}, MissingPolicy::error,
                   "cars.csv");
  };
  EXPECT_THROW(make(), UndeclaredText);
  EXPECT_EQ(
      error_of(make),
      "cars.csv: row 2, column \"safety\" is \"vhigh\", expected a number (or declare the column "
      "ordinal or one-hot, or drop it)");
}

const Plan kPlan = {{"n"}, {"o", Kind::ordinal, {"s", "m", "l"}}, {"h", Kind::one_hot}};
const TextColumns kCells = {{"1", "?", "4", "2"}, {"m", "l", "NA", "m"}, {"u", "v", "v", ""}};

TEST(TrainingTable, RefusesMissingValuesUnlessToldOtherwise) {
  EXPECT_EQ(error_of([] { training_table(kPlan, kCells, {}, MissingPolicy::error, "t"); }),
            "t: row 2, column \"n\" is missing (\"?\"), expected a number");
  EXPECT_EQ(
      error_of([] { training_table(Plan{{"a"}}, {{"1"}}, {" "}, MissingPolicy::error, "t"); }),
      "t: row 1: the target is missing (\" \")");
}

TEST(TrainingTable, DropsRowsWithMissingValues) {
  const TrainingTable table =
      training_table(kPlan, kCells, {"a", "b", "c", "d"}, MissingPolicy::skip, "t");
  EXPECT_EQ(table.rows, Matrix(1, 3, {1, 1, 1}));
  EXPECT_EQ(table.target, Texts{"a"});
  EXPECT_EQ(table.dropped, 3u);
  EXPECT_EQ(table.encoding->columns()[2].levels, Texts{"u"});
  // Rows to predict later have no such choice.
  EXPECT_THROW(table.encoding->encode({{"?"}, {"s"}, {"u"}}), InvalidRow);
}

TEST(TrainingTable, FillsInMediansAndFrequentLevels) {
  const TrainingTable table =
      training_table(kPlan, kCells, {"a", "?", "c", "d"}, MissingPolicy::median, "t");
  // The row without a target is out; n has 1, 4, 2; o has m twice; h has u and v once each.
  EXPECT_EQ(table.dropped, 1u);
  EXPECT_EQ(table.rows, Matrix(3, 4, {1, 1, 1, 0, 4, 1, 0, 1, 2, 1, 1, 0}));
  EXPECT_EQ(table.encoding->encode({{"nan"}, {"?"}, {""}}), Matrix(1, 4, {2, 1, 1, 0}));
}

TEST(TrainingTable, KeepsFillsOfColumnsThatMissedNothing) {
  const TrainingTable table =
      training_table(Plan{{"a"}}, {{"1", "5", "6"}}, {}, MissingPolicy::median, "t");
  EXPECT_EQ(table.encoding->columns()[0].fill, 5.0);
}

TEST(TrainingTable, ImputesByItselfOnlyIfAValueIsMissing) {
  const auto made = [](const TextColumns& cells) {
    return training_table(Plan{{"a"}, {"b"}}, cells, {}, MissingPolicy::automatic, "t");
  };
  EXPECT_FALSE(made({{"1", "5", "6"}, {"1", "2", "3"}}).encoding);
  const TrainingTable filled = made({{"1", "5", "6"}, {"1", "?", "3"}});
  EXPECT_EQ(filled.rows, Matrix(3, 2, {1, 1, 5, 2, 6, 3}));
  EXPECT_EQ(filled.encoding->columns()[0].fill, 5.0) << "also in columns that miss nothing";
}

TEST(TrainingTable, RefusesColumnsAndTablesOfNothing) {
  EXPECT_THROW(training_table(Plan{{"a"}}, {{"?", ""}}, {}, MissingPolicy::median, "t"),
               InvalidInput);
  EXPECT_THROW(training_table(Plan{{"a"}}, {{"?", ""}}, {}, MissingPolicy::skip, "t"),
               InvalidInput);
  EXPECT_THROW(
      training_table(Plan{{"a"}}, {TextColumns::value_type{}}, {}, MissingPolicy::error, "t"),
      InvalidInput);
  EXPECT_THROW(training_table(Plan{{"a"}}, {{"1"}, {"2"}}, {}, MissingPolicy::error, "t"),
               InvalidInput);
  EXPECT_THROW(training_table(Plan{{"a"}}, {{"1"}}, {"x", "y"}, MissingPolicy::error, "t"),
               InvalidInput);
  EXPECT_THROW(
      training_table(Plan{{"a"}, {"b"}}, {{"1"}, {"2", "3"}}, {}, MissingPolicy::error, "t"),
      InvalidInput);
}

}  // namespace
}  // namespace bisector
