#include <gtest/gtest.h>

#include "io/data_testing.h"

namespace bisector {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kHead =
    "% a comment\n\n@RELATION 'the rice'\n"
    "@attribute Area Integer\n"
    "@ATTRIBUTE 'major axis' REAL % the longer one\n"
    "@Attribute \"it's\\ta {name}\"\tnumeric\n"
    "@attribute Class{Cammeo, 'Os man'}\n"
    "@attribute note string\n"
    "@attribute day date \"yyyy-MM-dd\"\n"
    "  @DATA  \n";

std::string with_rows(std::string_view rows) { return std::string(kHead) + std::string(rows); }

TEST(Arff, ReadsAttributes) {
  const TempFile file("a.arff", kHead);
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(),
            (Names{"Area", "major axis", "it's\ta {name}", "Class", "note", "day"}));
  EXPECT_TRUE(reader->has_meaningful_names());
  EXPECT_EQ(reader->columns(), 6u);
  EXPECT_EQ(reader->read(3).rows(), 0u);
}

TEST(Arff, ReadsDenseRows) {
  const auto chunk = read_content("a.arff",
                                  with_rows("1, 2.5 ,3,Cammeo,'a, \\'b\\' 100%',2020-01-01\r\n"
                                            "\n  % between\n"
                                            "4,5,6,\"Os man\", plain text ,? % behind\n"),
                                  {{2, 0}, {3, 4, 5}});
  EXPECT_EQ(chunk.numbers, matrix({{3, 1}, {6, 4}}));
  EXPECT_EQ(chunk.text[0], (Names{"Cammeo", "Os man"}));
  EXPECT_EQ(chunk.text[1], (Names{"a, 'b' 100%", "plain text"}));
  EXPECT_EQ(chunk.text[2], (Names{"2020-01-01", "?"}));
}

TEST(Arff, NominalNumbersAreNumbersToo) {
  EXPECT_EQ(read_numbers("a.arff", "@relation r\n@attribute a {0,1}\n@data\n1\n'0'\n"),
            matrix({{1}, {0}}));
}

TEST(Arff, SaysWhichCellIsWrong) {
  const auto error = [](std::string_view rows) {
    return message_of<FormatError>([&] {
      read_content("rice.arff", with_rows(rows), {{0, 1, 2}, {}});
    });
  };
  EXPECT_EQ(error("1,2,3,a,b,c\n1,?,3,a,b,c\n"),
            "rice.arff:12: column \"major axis\" is missing, expected a number");
  EXPECT_EQ(error("x,2,3,a,b,c\n"), "rice.arff:11: column \"Area\" is \"x\", expected a number");
  EXPECT_EQ(error("1,2,3\n"),
            "rice.arff:11: 3 cells, expected 6 (correct the line, or delete it with sed 11d)");
  EXPECT_EQ(error("{0 1, 2 3}\n"),
            "rice.arff:11: sparse ARFF rows are not supported, expected dense rows");
  EXPECT_EQ(error("1,2,3,'a,b,c\n"),
            "rice.arff:11: a quote is not closed: delete it, or add the closing quote");
  EXPECT_EQ(error("1,2,3,'a'b,c\n"),
            "rice.arff:11: \"b,c\" after a closing quote, expected a comma");
}

TEST(Arff, SaysWhatIsWrongWithTheHead) {
  EXPECT_EQ(format_error("a.arff", "@relation r\n@attribute a numeric\n"),
            "a.arff: no @data, expected it after the attributes");
  EXPECT_EQ(format_error("a.arff", "@relation r\n@data\n"),
            "a.arff:2: @data before any @attribute");
  EXPECT_EQ(
      format_error("a.arff", "@relation r\n@attribute a relational\n"),
      "a.arff:2: attribute \"a\" has the type \"relational\", expected numeric, real, integer, "
      "string, date or {values}");
  EXPECT_EQ(format_error("a.arff", "@relation r\n@attribute 'a numeric\n"),
            "a.arff:2: a quote is not closed: delete it, or add the closing quote");
  EXPECT_EQ(format_error("a.arff", "@relation r\n@attribute\n"),
            "a.arff:2: an attribute without a name");
  EXPECT_EQ(format_error("a.arff", "@relation r\n1,2,3\n"),
            "a.arff:2: \"1,2,3\", expected @relation, @attribute or @data");
}

}  // namespace
}  // namespace bisector
