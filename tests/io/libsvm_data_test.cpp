#include <gtest/gtest.h>

#include "io/data_testing.h"

namespace bisector {
namespace {

using Names = std::vector<std::string>;

TEST(LibsvmData, ReadsLabelsAndFeatures) {
  const TempFile file("a.txt", "+1 1:0.5 3:2\n-1 2:-1e-3 # a remark: 7:7\n\n# nothing\n2\n");
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->columns(), 4u);
  EXPECT_EQ(reader->names(), (Names{"label", "1", "2", "3"}));
  EXPECT_FALSE(reader->has_meaningful_names());
  EXPECT_TRUE(reader->is_sparse());
  EXPECT_EQ(reader->target(), std::optional<std::size_t>(0));
  EXPECT_EQ(read_in_chunks(*reader, 1).numbers,
            matrix({{1, 0.5, 0, 2}, {-1, 0, -0.001, 0}, {2, 0, 0, 0}}));
}

TEST(LibsvmData, ToleratesLineEndsMarksAndBlanks) {
  EXPECT_EQ(read_numbers("a.txt", "\xEF\xBB\xBF 1\t1:2  2:3 \r\n2 1:4\r\n"),
            matrix({{1, 2, 3}, {2, 4, 0}}));
}

TEST(LibsvmData, DeliversSelectedColumnsInTheirOrder) {
  const auto chunk = read_content("a.txt", "1,2 1:0.50 3:2\n4 2:1\n", {{3, 1, 3, 9}, {0, 1, 7, 0}});
  EXPECT_EQ(chunk.numbers, matrix({{2, 0.5, 2, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(chunk.text,
            (std::vector<Names>{{"1,2", "4"}, {"0.50", "0"}, {"0", "0"}, {"1,2", "4"}}));
}

TEST(LibsvmData, SeveralLabelsAreNoNumber) {
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1,2 1:1\n"),
            "a.txt:2: the label is \"1,2\", expected a number");
}

TEST(LibsvmData, SaysWhatIsWrongWithAPair) {
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 2:1 2:3\n"),
            "a.txt:2: index 2 after 2, expected ascending indexes");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 5:1 2:3\n"),
            "a.txt:2: index 2 after 5, expected ascending indexes");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n\n1 0:1\n"), "a.txt:3: index 0, expected indexes from 1");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 x:1\n"), "a.txt:2: \"x:1\", expected index:value");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 1: 2\n"), "a.txt:2: \"1:\", expected index:value");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 -1:2\n"), "a.txt:2: \"-1:2\", expected index:value");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 7\n"), "a.txt:2: \"7\", expected index:value");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1:2 2:3\n"),
            "a.txt:2: \"1:2\" comes first, expected a label");
}

TEST(LibsvmData, SaysWhatIsWrongWithAValue) {
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 2:abc\n"),
            "a.txt:2: feature 2 is \"abc\", expected a number");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 2:nan\n"),
            "a.txt:2: feature 2 is nan, expected a finite number");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 2:1e101\n"),
            "a.txt:2: feature 2 is 1e101, expected a number within ±1e100");
}

TEST(LibsvmData, RefusesIndexesThatWouldFillTheMemory) {
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 4000000000:1\n"),
            "a.txt:2: \"4000000000:1\", expected an index of at most 10000000 "
            "(limit features)");
  EXPECT_EQ(format_error("a.txt", "1 1:1\n1 99999999999999999999999:1\n"),
            "a.txt:2: \"99999999999999999999999:1\", expected an index of at most 10000000 "
            "(limit features)");
  const TempFile file("a.txt", "1 1:1\n");
  const auto reader = open_data(file.path());
  EXPECT_THROW(reader->select({{10'000'001}, {}}), InvalidInput);
  EXPECT_NO_THROW(reader->select({{10'000'000}, {}}));
}

}  // namespace
}  // namespace bisector
