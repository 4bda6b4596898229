// Text in other encodings, line ends and containers gives the same table as plain CSV.
#include <gtest/gtest.h>

#include "io/data_testing.h"
#include "io/packing.h"
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

TEST(TextFormats, PackedTablesAreUnpacked) {
  EXPECT_EQ(read_numbers("a.csv.gz", gzipped(kTable)), kNumbers);
  EXPECT_EQ(read_numbers("a.csv.gz", gzipped(utf16(kTable, false))), kNumbers);
  // Some programs compress a file in parts: one stream follows another.
  EXPECT_EQ(read_numbers("a.csv.gz", gzipped("a,b\n1,2\n") + gzipped("3,4\n5,6\n")), kNumbers);
}

TEST(TextFormats, EveryTruncationOfAPackedTableIsDetected) {
  const std::string packed = gzipped(kTable);
  for (std::size_t left = 1; left + 4 < packed.size(); ++left)
    EXPECT_EQ(format_error("a.csv.gz", packed.substr(0, packed.size() - left)),
              "a.csv.gz: ends in the middle of its packed data: the file was cut off")
        << left;
}

TEST(TextFormats, ChangedBitsOfAPackedTableAreDetected) {
  const std::string packed = gzipped(kTable);
  constexpr std::size_t kHead = 10;  // of gzip, which has times and systems that say nothing
  std::size_t refused = 0;
  for (std::size_t at = kHead; at < packed.size(); ++at) {
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    try {
      EXPECT_EQ(read_numbers("a.csv.gz", changed), kNumbers) << at;  // a bit that fills a byte
    } catch (const FormatError&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, packed.size() - kHead - 2);
}

TEST(TextFormats, ExcessiveExpansionIsRefused) {
  EXPECT_EQ(format_error("bomb.gz", gzipped(std::string(std::size_t{4} << 20, '\n'))),
            "bomb.gz: unpacks to 1000 times its size, expected text (limit expansion)");
}

TEST(TextFormats, AZipArchiveIsTakenApartByItsProgram) {
  EXPECT_EQ(format_error("a.zip", zip_archive({{"__MACOSX/._a.csv", "x"}, {"folder/a.csv", "1"}})),
            "a.zip: a zip archive without NumPy arrays, expected an .npz file, or a table taken "
            "out of the archive: unzip -p a.zip folder/a.csv | bisector ... -");
}

TEST(TextFormats, FormattedNumbersAreNumbers) {
  EXPECT_EQ(read_numbers("a.csv", "price,cost\n\"$1,234.50\",89.1\n$2,5\n"),
            Matrix(2, 2, {1234.5, 89.1, 2, 5}));
}

// 7% is 7 in a column of percentages, and 0.07 in one of fractions.
TEST(TextFormats, APercentageIsNoPlainNumber) {
  EXPECT_THROW(read_numbers("a.csv", "part\n89.1 %\n5%\n"), FormatError);
}

}  // namespace
}  // namespace bisector
