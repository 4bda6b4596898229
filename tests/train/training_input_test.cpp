#include "bisector/train/training_input.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bisector/error.h"
#include "io/temp_file.h"
#include "reference/error_of.h"

namespace bisector {
namespace {

using Cells = std::vector<std::string>;

Cells integers(int count, int different) {
  Cells cells;
  for (int n = 0; n < count; ++n) cells.push_back(std::to_string(n % different));
  return cells;
}

TEST(DetectTarget, TellsClassesFromNumbers) {
  EXPECT_EQ(detect_target(Cells{"good", "bad"}), TargetKind::classes);
  EXPECT_EQ(detect_target(Cells{"0", "1", "1"}), TargetKind::classes);
  EXPECT_EQ(detect_target(Cells{"0.5", "1.5", "0.5"}), TargetKind::classes);
  EXPECT_EQ(detect_target(Cells{"0.5", "1.5", "2"}), TargetKind::numbers);
  EXPECT_EQ(detect_target(integers(100, 20)), TargetKind::classes);
  EXPECT_EQ(detect_target(integers(100, 21)), TargetKind::numbers);
  EXPECT_EQ(detect_target(Cells{"$1,200.50", "$3", "$4.20"}), TargetKind::numbers);
  EXPECT_EQ(detect_target(Cells{"1", "2", "three"}), TargetKind::classes);
}

std::string table(int rows, bool has_decimals) {
  std::string text = "a,b,price\n";
  for (int n = 0; n < rows; ++n)
    text += std::to_string(n % 7) + ".5," + std::to_string(n * n % 11) + ".25," +
            std::to_string(n) + (has_decimals ? ".5\n" : "\n");
  return text;
}

TrainingInput read(const std::string& csv, const TrainingInputOptions& options) {
  const TempFile file("d.csv", csv);
  return read_training_input(file.path(), options);
}

TEST(TrainingInput, ChoosesTheTargetByItsValues) {
  TrainingInputOptions options;
  options.columns.target = "price";
  EXPECT_TRUE(std::holds_alternative<std::vector<double>>(read(table(40, true), options).target));
  EXPECT_TRUE(std::holds_alternative<ClassTarget>(read(table(10, false), options).target));
  options.above = "median";
  EXPECT_TRUE(std::holds_alternative<ClassTarget>(read(table(40, true), options).target));
}

TEST(TrainingInput, RefusesClassesOfAMeasurement) {
  TrainingInputOptions options;
  options.columns.target = "price";
  options.target = TargetKind::classes;
  for (const bool has_decimals : {false, true}) {
    const std::string error = error_of([&] { read(table(40, has_decimals), options); });
    EXPECT_NE(error.find("the target has 40 different numbers, too many for classes: use --model "
                         "krr to predict the number, or --above median"),
              std::string::npos)
        << error;
  }
}

TEST(TrainingInput, RemembersTheTargetOfAFileWithoutNames) {
  TrainingInputOptions options;
  options.columns.target = "2";
  const TrainingInput input = read("1.5,yes,3\n2.5,no,4\n3.5,yes,6\n", options);
  EXPECT_EQ(input.learned.column, "2");
  EXPECT_EQ(input.table.feature_names, (Cells{"x1", "x3"}));
}

TEST(TrainingInput, NotesImputedValuesAndFormattedNumbers) {
  TrainingInputOptions options;
  options.columns.target = "y";
  options.columns.missing = MissingPolicy::median;
  const TrainingInput input =
      read("a,b,y\n$1.50,2024-01-31,yes\n?,2024-02-01,no\n$3.50,2024-02-02,yes\n", options);
  EXPECT_EQ(input.table.rows, Matrix(3, 2, {1.5, 19753, 2.5, 19754, 3.5, 19755}));
  ASSERT_EQ(input.notes.size(), 3u);
  EXPECT_EQ(input.notes[0],
            "column 1 \"a\" has formatted numbers such as \"$1.50\", read as numbers");
  EXPECT_EQ(input.notes[1],
            "column 2 \"b\" has dates such as \"2024-01-31\", read as days since 1970-01-01");
  EXPECT_EQ(input.notes[2].substr(0, 30), "1 missing value is imputed by ");
}

}  // namespace
}  // namespace bisector
