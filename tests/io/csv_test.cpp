#include "io/text/csv_sample.h"
#include "io/text/text_formats.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fcntl.h>

#include "io/data_testing.h"

namespace bisector {

using namespace io;

namespace {

using Header = DataFormat::Header;
using Names = std::vector<std::string>;

Names names_of(std::string_view content, const DataFormat& format = {}) {
  const TempFile file("a.csv", content);
  return open_data(file.path(), format)->names();
}

TEST(Csv, ReadsNamesAndNumbers) {
  const TempFile file("a.csv", "x,y\n1,2\n3.5,-4e-2\n");
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(), (Names{"x", "y"}));
  EXPECT_TRUE(reader->has_meaningful_names());
  EXPECT_EQ(reader->columns(), 2u);
  EXPECT_FALSE(reader->target());
  EXPECT_EQ(read_all(*reader).numbers, matrix({{1, 2}, {3.5, -0.04}}));
  EXPECT_EQ(reader->read(10).rows(), 0u);
}

TEST(Csv, FindsTheDelimiter) {
  const Matrix expected = matrix({{1, 2, 3}});
  EXPECT_EQ(read_numbers("a.csv", "a,b,c\n1,2,3\n"), expected);
  EXPECT_EQ(read_numbers("a.csv", "a;b;c\n1;2;3\n"), expected);
  EXPECT_EQ(read_numbers("a.csv", "a\tb\tc\n1\t2\t3\n"), expected);
  EXPECT_EQ(read_numbers("a.csv", "\n\na;\"b,,,,,\";c\n1;2;3\n"), expected);
  EXPECT_EQ(sniff_delimiter("a;b,c;d"), ';');
  EXPECT_EQ(sniff_delimiter("a;b,c"), ',');
  EXPECT_EQ(sniff_delimiter("alone"), ',');
  EXPECT_EQ(sniff_delimiter("a \"x;;;\"\tb"), '\t');
}

TEST(Csv, TakesTheDelimiterThatItIsGiven) {
  EXPECT_EQ(names_of("a,b,c;d\n", {.delimiter = ';'}), (Names{"a,b,c", "d"}));
  EXPECT_EQ(message_of<InvalidInput>([] { read_numbers("a.csv", "1#2\n", {.delimiter = '#'}); }),
            "the delimiter is '#', expected ',', ';', '|', a tab or a blank");
  EXPECT_EQ(read_numbers("a.csv", "1|2\n", {.delimiter = '|'}), matrix({{1, 2}}));
  EXPECT_EQ(read_numbers("a.csv", "  1   2 \n", {.delimiter = ' '}), matrix({{1, 2}}));
}

TEST(Csv, ToleratesLineEndsMarksAndBlanks) {
  const Matrix expected = matrix({{1, 2}, {3, 4}});
  EXPECT_EQ(read_numbers("a.csv", "x,y\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(read_numbers("a.csv", "\xEF\xBB\xBFx,y\n1,2\n3,4"), expected);
  EXPECT_EQ(read_numbers("a.csv", "x,y\n\n1,2\n \t \r\n\r\n3,4\n\n\n"), expected);
  EXPECT_EQ(read_numbers("a.csv", "x , y\n 1, 2 \n\t3 ,+4\t\n"), expected);
  EXPECT_EQ(names_of("\xEF\xBB\xBF x , y\n1,2\n"), (Names{"x", "y"}));
  EXPECT_EQ(read_numbers("a.csv", "x,y\n1,2\n3,4\r"), expected);
}

TEST(Csv, ReadsQuotes) {
  const auto chunk = read_content("a.csv",
                                  "id,\"a \"\"b\"\"\",\"c,d\"\n"
                                  "\"1\",\" x, \"\"y\"\"\", plain \r\n"
                                  "2, \"two\r\nlines\" ,5\" pipe\n"
                                  "3,\"\",\"\"\"\"\n",
                                  {{0}, {1, 2}});
  EXPECT_EQ(chunk.numbers, matrix({{1}, {2}, {3}}));
  EXPECT_EQ(chunk.text[0], (Names{" x, \"y\"", "two\r\nlines", ""}));
  EXPECT_EQ(chunk.text[1], (Names{"plain", "5\" pipe", "\""}));
  EXPECT_EQ(names_of("id,\"a \"\"b\"\"\",\"c,d\"\n1,2,3\n"), (Names{"id", "a \"b\"", "c,d"}));
}

TEST(Csv, KeepsTheFirstRowWhereItHasQuotesAndNoNames) {
  const auto chunk = read_content("a.csv", "\"a\"\"b\",1\nc,2\n", {{1}, {0}});
  EXPECT_EQ(chunk.text[0], (Names{"a\"b", "c"}));
  EXPECT_EQ(chunk.numbers, matrix({{1}, {2}}));
}

TEST(Csv, ReadsATabbedRowOfEmptyCellsAsARow) {
  const auto chunk =
      read_content("a.csv", "a\tb\nx\ty\n\t\n", {{}, {0, 1}}, {.header = Header::yes});
  EXPECT_EQ(chunk.rows(), 2u);
  EXPECT_EQ(chunk.text[1], (Names{"y", ""}));
}

TEST(Csv, FindsOutWhetherThereIsAHeader) {
  EXPECT_EQ(names_of("a,b\n1,2\n"), (Names{"a", "b"}));
  EXPECT_EQ(names_of(",b\n1,2\n"), (Names{"", "b"}));
  EXPECT_EQ(names_of("a,2\n1,2\n"), (Names{"a", "2"}));
  EXPECT_EQ(names_of("0,1,target\n5,6,7\n"), (Names{"0", "1", "target"}));
  EXPECT_EQ(names_of("0,1,target\n5,6,x\n"), Names{});
  EXPECT_EQ(names_of("0,1,2\n5,6,7\n0,0,0\n"), Names{});
  EXPECT_EQ(names_of("5.1,b\n1,2\n"), Names{});
  EXPECT_EQ(names_of("p,x\ne,x\np,y\n"), Names{});
  EXPECT_EQ(names_of("842302,M,17.99\n"), Names{});
  EXPECT_EQ(names_of("nan,b\n"), Names{});
  EXPECT_EQ(names_of(",\n1,2\n"), Names{});
  EXPECT_EQ(names_of("0,1,2\n5,6,7\n"), (Names{"0", "1", "2"}));
  EXPECT_EQ(names_of("1;2;3\n5;6;7\n"), Names{});
  EXPECT_EQ(names_of("0,1\n5,6\n"), Names{});
  EXPECT_EQ(names_of("0,2,1\n5,6,7\n"), Names{});
  EXPECT_EQ(names_of("0\n1\n2\n"), Names{});
  EXPECT_EQ(names_of("0.0,1.0\n1,2\n"), Names{});
}

TEST(Csv, NumbersAboveColumnsAreNoMeaningfulNames) {
  const TempFile file("a.csv", "0,1,2\n5,6,7\n");
  EXPECT_FALSE(open_data(file.path())->has_meaningful_names());
  EXPECT_EQ(read_all(*open_data(file.path())).numbers, matrix({{5, 6, 7}}));
}

TEST(Csv, UsesTheOptionForTheHeader) {
  EXPECT_EQ(names_of("1.5,2\n", {.header = Header::yes}), (Names{"1.5", "2"}));
  EXPECT_EQ(read_numbers("a.csv", "0,1\n2,3\n", {.header = Header::no}), matrix({{0, 1}, {2, 3}}));
  const auto chunk = read_content("a.csv", "a,b\nc,d\n", {{}, {1}}, {.header = Header::no});
  EXPECT_EQ(chunk.text[0], (Names{"b", "d"}));
}

TEST(Csv, AHeaderAloneHasNoRows) {
  const TempFile file("a.csv", "a,b,c");
  const auto reader = open_data(file.path());
  const DataChunk chunk = reader->read(5);
  EXPECT_EQ(reader->columns(), 3u);
  EXPECT_EQ(chunk.rows(), 0u);
  EXPECT_EQ(chunk.numbers.cols(), 3u);
  EXPECT_EQ(format_error("a.csv", ""), "a.csv: the file is empty, expected rows of data");
  EXPECT_EQ(format_error("a.csv", "\n \n"), "a.csv: the file is empty, expected rows of data");
}

TEST(Csv, DeliversSelectedColumnsInTheirOrder) {
  const auto chunk = read_content("a.csv", "a,b,c\n1,x,3\n4,y,6\n", {{2, 0, 2}, {1, 0}});
  EXPECT_EQ(chunk.numbers, matrix({{3, 1, 3}, {6, 4, 6}}));
  EXPECT_EQ(chunk.text, (std::vector<Names>{{"x", "y"}, {"1", "4"}}));
  const auto only_text = read_content("a.csv", "a,b\n1,x\n", {{}, {1}});
  EXPECT_EQ(only_text.rows(), 1u);
}

TEST(Csv, RefusesSelectionsThatCannotBe) {
  const TempFile file("a.csv", "a,b\n1,2\n");
  const auto reader = open_data(file.path());
  EXPECT_EQ(message_of<InvalidInput>([&] {
              reader->select({{2}, {}});
            }),
            "a.csv has no column 3, expected at most 2");
  EXPECT_THROW(reader->select({{}, {7}}), InvalidInput);
  reader->read(1);
  EXPECT_EQ(message_of<InvalidInput>([&] {
              reader->select({{1}, {}});
            }),
            "a.csv: columns must be selected before the first read");
}

TEST(Csv, ReadsTruthValuesOfRAndPythonAsOneAndZero) {
  EXPECT_EQ(read_numbers("a.csv", "a,b\nTRUE,1\nfalse,2\nTrue,3\nFALSE,4\n"),
            matrix({{1, 1}, {0, 2}, {1, 3}, {0, 4}}));
}

TEST(Csv, SaysWhichCellIsWrong) {
  EXPECT_EQ(format_error("wine.csv", "pH,alcohol\n1,2\n3,n/a\n"),
            "wine.csv:3: column \"alcohol\" is \"n/a\", expected a number");
  EXPECT_EQ(format_error("wine.csv", "5,6\n3,n/a\n"),
            "wine.csv:2: column 2 is \"n/a\", expected a number");
  EXPECT_EQ(format_error("wine.csv", ",b\n,2\n"),
            "wine.csv:2: column 1 is empty, expected a number");
  EXPECT_EQ(format_error("wine.csv", "pH,b\nNaN,2\n"),
            "wine.csv:2: column \"pH\" is nan, expected a finite number");
  EXPECT_EQ(format_error("wine.csv", "pH,b\n1,-inf\n"),
            "wine.csv:2: column \"b\" is -inf, expected a finite number");
  EXPECT_EQ(format_error("wine.csv", "pH,b\n1,-2e101\n"),
            "wine.csv:2: column \"b\" is -2e101, expected a number within ±1e100");
  EXPECT_EQ(format_error("wine.csv", "pH,b\n1,1e999\n"),
            "wine.csv:2: column \"b\" is 1e999, expected a number within ±1e100");
}

TEST(Csv, TakesWholeCellsOnly) {
  for (const std::string cell :
       {"1.5x", "1 2", "0x10", "--1", "+-1", "+", "-", ".", "1e", "1,5,", "TRUTH"})
    EXPECT_NE(format_error("a.csv", "a;b\n1;\"" + cell + "\"\n").find("expected a number"),
              std::string::npos)
        << cell;
  EXPECT_EQ(read_numbers("a.csv", "a;b\n.5;5.\n+1;1E3\n1e-400;-1e-9999\n1e100;-1e100\n"),
            matrix({{0.5, 5}, {1, 1000}, {0, 0}, {1e100, -1e100}}));
}

TEST(Csv, ShowsLongAndOddCellsShortAndInOneLine) {
  EXPECT_EQ(format_error("a.csv", "a;b\n1;" + std::string(100, 'x') + "\n"),
            "a.csv:2: column \"b\" is \"" + std::string(40, 'x') + "...\", expected a number");
  EXPECT_EQ(format_error("a.csv", "a;b\n1;\"x\n\x01y\"\n"),
            "a.csv:2: column \"b\" is \"x\\x0a\\x01y\", expected a number");
  EXPECT_EQ(format_error("a.csv", "a;b\n1;" + std::string(39, 'x') + "\u20ac\u20ac\n"),
            "a.csv:2: column \"b\" is \"" + std::string(39, 'x') + "...\", expected a number");
}

TEST(Csv, RefusesRowsOfTheWrongLength) {
  EXPECT_EQ(format_error("wine.csv", "a,b,c\n1,2,3\n1,2\n"),
            "wine.csv:3: 2 cells, expected 3 (correct the line, or delete it with sed 3d)");
  EXPECT_EQ(format_error("wine.csv", "a,b,c\n1,2,3,4\n"),
            "wine.csv:2: 4 cells, expected 3 (correct the line, or delete it with sed 2d)");
}

TEST(Csv, CountsPhysicalLines) {
  EXPECT_EQ(format_error("a.csv", "\n\"a\nb\",c\n\n5,6\n7,x\n"),
            "a.csv:6: column \"c\" is \"x\", expected a number");
  const std::string quoted = "a,b\n1,\"2\n\n\"\n\n\n3,bad\n";
  EXPECT_EQ(message_of<FormatError>([&] {
              read_content("a.csv", quoted, {{0, 1}, {}});
            }),
            "a.csv:2: column \"b\" is \"2\\x0a\\x0a\", expected a number");
  EXPECT_EQ(message_of<FormatError>([&] {
              read_content("a.csv", "a,b\n1,\"2\n\n\"\n\n\nbad,3\n", {{0}, {1}});
            }),
            "a.csv:7: column \"a\" is \"bad\", expected a number");
}

TEST(Csv, RefusesBrokenQuotes) {
  EXPECT_EQ(format_error("a.csv", "a,b\n1,2\n3,\"4\n5,6\n"),
            "a.csv:3: a quote is not closed: delete it, or add the closing quote");
  EXPECT_EQ(format_error("a.csv", "a,b\n1,\"2\"3\n"),
            "a.csv:2: \"3\" after a closing quote, expected the next cell");
}

TEST(Csv, LeavesTextInOtherColumnsAlone) {
  const auto chunk = read_content("a.csv", "a,b\n1,nan\n2,?\n", {{0}, {}});
  EXPECT_EQ(chunk.numbers, matrix({{1}, {2}}));
}

TEST(Csv, NamesTheFileThatCannotBeOpened) {
  EXPECT_EQ(message_of<FileError>([] { open_data("/nowhere/wine.csv"); }),
            "cannot open /nowhere/wine.csv: No such file or directory");
  EXPECT_EQ(message_of<FileError>([] { open_data("/"); }), "cannot read /: Is a directory");
}

TEST(Csv, ReadsRowsLongerThanABlock) {
  std::string content = "0.5";
  for (int i = 1; i < 400'000; ++i) content += "," + std::to_string(i) + ".5";
  content += "\n" + content + "\n";
  const Matrix numbers = read_numbers("a.csv", content);
  ASSERT_EQ(numbers.rows(), 2u);
  ASSERT_EQ(numbers.cols(), 400'000u);
  EXPECT_EQ(numbers(0, 399'999), 399'999.5);
  EXPECT_EQ(numbers(1, 123'456), 123'456.5);
}

/// Puts a file in the place of standard input while it lives.
class RedirectedInput {
 public:
  explicit RedirectedInput(int descriptor) : saved_(::dup(STDIN_FILENO)) {
    ::dup2(descriptor, STDIN_FILENO);
    ::close(descriptor);
  }
  ~RedirectedInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

// The writer keeps the pipe open: rows arrive although the input has not ended.
TEST(Csv, StreamsStandardInput) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const RedirectedInput redirected(ends[0]);
  const auto write = [&](std::string_view text) {
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  write("x,y\n1,2\n3,");
  const auto reader = open_data("-");
  EXPECT_EQ(reader->read(1).numbers, matrix({{1, 2}}));
  write("4\n5,oops\n");
  ::close(ends[1]);
  EXPECT_EQ(reader->read(1).numbers, matrix({{3, 4}}));
  EXPECT_EQ(message_of<FormatError>([&] { reader->read(1); }),
            "standard input:4: column \"y\" is \"oops\", expected a number");
}

DataChunk read_from_pipe(std::string_view text) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const RedirectedInput redirected(ends[0]);
  EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  return read_all(*open_data("-"));
}

TEST(StandardInput, IsRecognizedByItsFirstLine) {
  EXPECT_EQ(read_from_pipe("1 1:2 3:4\n-1 2:5\n").numbers, matrix({{1, 2, 0, 4}, {-1, 0, 5, 0}}));
  EXPECT_EQ(message_of<FormatError>([] { read_from_pipe("{\"a\": 1}\n{\"a\": 2}\n"); }),
            "standard input: JSON, expected CSV: duckdb -csv -c \"FROM read_json('/dev/stdin')\" | "
            "bisector ... -, or use bisector.Explainer in Python");
  EXPECT_EQ(read_from_pipe("%a,b\n1,2\n").numbers, matrix({{1, 2}}));
}

TEST(StandardInput, MustBeText) {
  EXPECT_EQ(message_of<InvalidInput>([] { open_data("-", {.kind = DataFormat::Kind::npy}); }),
            "standard input must be text: CSV or LIBSVM");
}

}  // namespace
}  // namespace bisector
