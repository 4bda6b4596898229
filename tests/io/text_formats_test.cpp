// Text in other encodings, line ends and containers gives the same table as plain CSV.
#include <gtest/gtest.h>

#include "io/data_testing.h"
#include "io/zip_testing.h"

namespace bisector {
namespace {

const Matrix kNumbers(3, 2, {1, 2, 3, 4, 5, 6});
constexpr std::string_view kTable = "a,b\n1,2\n3,4\n5,6\n";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size())
    text.replace(at, old.size(), with);
  return text;
}

std::string utf16(std::string_view text, bool is_big_endian) {
  std::string bytes = is_big_endian ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) {
    if (is_big_endian) bytes += '\0';
    bytes += c;
    if (!is_big_endian) bytes += '\0';
  }
  return bytes;
}

TEST(TextFormats, LinesMayEndWithACarriageReturn) {
  for (const std::string end : {"\r", "\r\n", "\n"})
    EXPECT_EQ(read_numbers("a.csv", replaced(std::string(kTable), "\n", end)), kNumbers);
}

TEST(TextFormats, ErrorsCountLinesThatEndWithACarriageReturn) {
  EXPECT_EQ(format_error("a.csv", "a,b\r1,2\r3,x\r"),
            "a.csv:3: column \"b\" is \"x\", expected a number");
}

TEST(TextFormats, Utf16IsDecoded) {
  EXPECT_EQ(read_numbers("a.csv", utf16(kTable, false)), kNumbers);
  EXPECT_EQ(read_numbers("a.csv", utf16(replaced(std::string(kTable), ",", "\t"), true)), kNumbers);
  const TempFile file("a.csv", std::string("\xFF\xFE\xE4\0,\0\x3D\xD8\x00\xDE\n\0"
                                           "1\0,\0"
                                           "2\0",
                                           18));
  EXPECT_EQ(open_data(file.path())->names(), (std::vector<std::string>{"ä", "😀"}));
}

TEST(TextFormats, JsonLinesHaveTheColumnsOfAllObjects) {
  const TempFile file(
      "a.jsonl", "{\"a\": 1, \"b\": \"x, \\\"y\\\"\"}\n\n{\"b\": null, \"a\": 2.5, \"c\": true}\n");
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(reader->reading().summary, "JSON lines");
  reader->select({{0}, {1, 2}});
  const DataChunk chunk = read_all(*reader);
  EXPECT_EQ(chunk.numbers, Matrix(2, 1, {1, 2.5}));
  EXPECT_EQ(chunk.text[0], (std::vector<std::string>{"x, \"y\"", ""}));
  EXPECT_EQ(chunk.text[1], (std::vector<std::string>{"", "true"}));
  EXPECT_EQ(read_numbers("a.json", "[\n{\"a\": 1}, {\"a\": 2}]"), Matrix(2, 1, {1, 2}));
}

TEST(TextFormats, BrokenJsonNamesItsLine) {
  EXPECT_EQ(format_error("a.jsonl", "{\"a\": 1}\n{\"a\": }\n"), "a.jsonl:2: not valid JSON");
  EXPECT_EQ(format_error("a.jsonl", "{\"a\": 1}\n3\n"),
            "a.jsonl:2: a JSON number, expected an object such as {\"a\": 1}");
}

TEST(TextFormats, AHeaderMayBeLongerThanTheSample) {
  std::string header = "label", row = "1";
  for (int c = 0; c < 12'000; ++c) {
    header += ",feature_" + std::to_string(c);
    row += ",0.5";
  }
  ASSERT_GT(header.size(), std::size_t{1} << 16);
  const TempFile file("wide.csv", header + "\n" + row + "\n" + row + "\n");
  for (const auto choice : {DataFormat::Header::automatic, DataFormat::Header::yes}) {
    const auto reader = open_data(file.path(), {.header = choice});
    ASSERT_EQ(reader->names().size(), 12'001u);
    EXPECT_EQ(reader->names()[0], "label");
    EXPECT_EQ(read_all(*reader).rows(), 2u);
  }
}

TEST(TextFormats, AZipArchiveMayHoldOneTable) {
  EXPECT_EQ(read_numbers("a.zip", zip_archive({{"a.csv", std::string(kTable), true}})), kNumbers);
  EXPECT_EQ(read_numbers("a.zip", zip_archive({{"__MACOSX/._a.csv", "x"},
                                               {"folder/a.csv", utf16(kTable, false)}})),
            kNumbers);
  EXPECT_EQ(format_error("a.zip", zip_archive({{"a.csv", "1"}, {"b.csv", "2"}})),
            "a.zip: a zip archive with 2 files, expected one table: take one out with unzip -p "
            "a.zip a.csv");
  EXPECT_EQ(format_error("a.zip", zip_archive({{"a.png", std::string("\0\0", 2)}})),
            "a.zip: a binary file, expected CSV, JSON lines, LIBSVM, NPY, NPZ, ARFF, Parquet or "
            "Arrow");
}

TEST(TextFormats, FormattedNumbersAreNumbers) {
  EXPECT_EQ(read_numbers("a.csv", "price,part\n\"$1,234.50\",89.1 %\n$2,5%\n"),
            Matrix(2, 2, {1234.5, 89.1, 2, 5}));
}

}  // namespace
}  // namespace bisector
