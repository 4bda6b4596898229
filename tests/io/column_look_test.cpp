#include "bisector/io/column_look.h"

#include <gtest/gtest.h>

#include "bisector/train/scaling.h"

namespace bisector {
namespace {

using Kind = ColumnLook::Kind;
using Cells = std::vector<std::string>;

Cells numbered(const std::string& before, std::size_t count) {
  Cells cells;
  for (std::size_t i = 1; i <= count; ++i) cells.push_back(before + std::to_string(i));
  return cells;
}

TEST(ColumnLook, DistinguishesTheKinds) {
  EXPECT_EQ(look_at_column("a", Cells{"1", " 2.5", "?"}).kind, Kind::numbers);
  EXPECT_EQ(look_at_column("a", Cells{"yes", "no", "yes"}).kind, Kind::levels);
  EXPECT_EQ(look_at_column("a", Cells{"2", "3", "5more"}).kind, Kind::levels);
  EXPECT_EQ(look_at_column("a", Cells{"", "NA"}).kind, Kind::empty);
  EXPECT_EQ(look_at_column("a", Cells{"2024-01-31", "2024-02-01"}).kind, Kind::numbers);
  EXPECT_EQ(look_at_column("a", Cells{"31.1.2024 12:00", "1.2.2024"}).format, NumberFormat::date);
  EXPECT_EQ(look_at_column("a", Cells{"31/1/2024", "1/2/2024"}).dates, DateOrder::day_first);
  EXPECT_EQ(look_at_column("a", Cells{"1/31/2024", "1/2/2024"}).dates, DateOrder::month_first);
  EXPECT_EQ(look_at_column("a", Cells{"3/1/2024", "1/2/2024"}).unclear_date, 0u);
  EXPECT_EQ(look_at_column("a", Cells{"31/1/2024", "1/31/2024"}).other_unit, 0u);
  EXPECT_EQ(look_at_column("a", numbered("p", 20)).kind, Kind::identifier);
  EXPECT_EQ(look_at_column("a", numbered("p", 5)).kind, Kind::levels) << "too few rows to tell";
  Cells mixed = numbered("", 20);
  mixed[3] = "heavy";
  const ColumnLook look = look_at_column("id", mixed);
  EXPECT_EQ(look.kind, Kind::mixed);
  EXPECT_EQ(look.first_text, 3u);
}

TEST(ColumnLook, MarksAmongManyNumbersAreMissingValues) {
  Cells cells = numbered("1.", 20);
  for (const auto& [row, mark] : {std::pair{5, "-"}, {3, "None"}, {9, "n.a."}, {12, "."}})
    cells[static_cast<std::size_t>(row)] = mark;
  cells[7] = "";
  const ColumnLook look = look_at_column("a", cells);
  EXPECT_EQ(look.kind, Kind::numbers);
  EXPECT_EQ(look.missing, 5u);
  EXPECT_EQ(look.first_missing, 3u);
  EXPECT_EQ(look.different, 15u);
  EXPECT_FALSE(look.first_text);
  EXPECT_EQ(look_at_column("a", Cells{"1", "2", "none"}).kind, Kind::levels)
      << "few values are levels";
  EXPECT_EQ(look_at_column("a", Cells{"red", "-", "blue", "-"}).missing, 0u) << "levels";
}

TEST(ColumnLook, NumbersAreIdentifiersOnlyUnderSuchAName) {
  for (const std::string name : {"id", "ID", "No", "index", "patient_id", "rowId", "Unnamed: 0"})
    EXPECT_EQ(look_at_column(name, numbered("", 20)).kind, Kind::identifier) << name;
  for (const std::string name : {"", "a", "width", "solid", "idea", "noise"})
    EXPECT_EQ(look_at_column(name, numbered("", 20)).kind, Kind::numbers) << name;
  EXPECT_EQ(look_at_column("id", Cells(20, "7")).kind, Kind::numbers);
  EXPECT_TRUE(look_at_column("", numbered("", 20)).counts_rows);
}

TEST(Pixels, AreManyColumnsOfOneUnit) {
  Matrix rows(3, 64);
  for (std::size_t d = 0; d < 64; ++d) rows(1, d) = static_cast<double>((d * 37) % 256);
  EXPECT_FALSE(look_like_pixels(rows)) << "few columns come near the largest value";
  for (std::size_t d = 0; d < 64; d += 2) rows(2, d) = 250.0;
  EXPECT_TRUE(look_like_pixels(rows));
  rows(0, 5) = -1.0;
  EXPECT_FALSE(look_like_pixels(rows));
  rows(0, 5) = 0.5;
  EXPECT_FALSE(look_like_pixels(rows)) << "neither whole numbers nor shares";
  EXPECT_FALSE(look_like_pixels(Matrix(3, 64))) << "binary";
  EXPECT_FALSE(look_like_pixels(Matrix(3, 10)));
}

TEST(ColumnLook, FormattedNumbersAreNumbers) {
  const ColumnLook money = look_at_column("a", Cells{"12", "$1,234.50", "?"});
  EXPECT_EQ(money.kind, Kind::numbers);
  EXPECT_EQ(money.format, NumberFormat::money);
  EXPECT_EQ(money.first_format, 1u);
  EXPECT_EQ(look_at_column("a", Cells{"89.1 %", "5 %"}).format, NumberFormat::percent);
  EXPECT_EQ(look_at_column("a", Cells{"1.234,5", "2,5"}).format, NumberFormat::grouped);
}

TEST(ColumnLook, ACommaCannotGroupAndBeDecimalInOneColumn) {
  EXPECT_EQ(look_at_column("a", Cells{"1,234", "12,5"}).kind, Kind::mixed);
}

TEST(ColumnLook, CodesWithLeadingZerosAreLevels) {
  const ColumnLook codes = look_at_column("zip", Cells{"01067", "10115", "01067"});
  EXPECT_EQ(codes.kind, Kind::levels);
  EXPECT_TRUE(codes.is_code);
  EXPECT_EQ(look_at_column("a", Cells{"0.5", "10", "007"}).kind, Kind::numbers);
}

}  // namespace
}  // namespace bisector
