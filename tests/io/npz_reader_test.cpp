#include <gtest/gtest.h>

#include "io/arrays/npy.h"
#include "io/data_testing.h"
#include "io/zip_testing.h"

namespace bisector {

using namespace io;

namespace {

using Names = std::vector<std::string>;
using Shape = std::vector<std::size_t>;

std::string numbers(const std::vector<double>& values, Shape shape) {
  return encode_npy(std::span<const double>(values), std::move(shape));
}
std::string integers(const std::vector<std::int64_t>& values) {
  return encode_npy(std::span<const std::int64_t>(values), {values.size()});
}
std::string texts(const Names& values) {
  return encode_npy(std::span<const std::string>(values), {values.size()});
}

const std::string kTable = numbers({1, 2, 3, 4, 5, 6}, {3, 2});
const Matrix kExpected = matrix({{1, 2}, {3, 4}, {5, 6}});

std::string npz_error(const std::vector<ZipContent>& entries, const DataFormat& format = {}) {
  return message_of<InvalidInput>([&] { read_numbers("a.npz", zip_archive(entries), format); });
}

TEST(NpzFile, ReadsStoredAndDeflatedArrays) {
  for (const bool is_deflated : {false, true})
    EXPECT_EQ(read_numbers("a.npz", zip_archive({{"X.npy", kTable, is_deflated}})), kExpected);
}

TEST(NpzFile, ReadsBigArraysInChunks) {
  std::vector<double> values(300'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 * static_cast<double>(i);
  const TempFile file("a.npz", zip_archive({{"X.npy", numbers(values, {100'000, 3}), true}}));
  const auto reader = open_data(file.path());
  EXPECT_EQ(read_in_chunks(*reader, 777).numbers, Matrix(100'000, 3, values));
}

TEST(NpzFile, ReadsFortranOrder) {
  std::string file = npy_header({.kind = 'f', .item_size = 8, .fortran = true, .shape = {3, 2}});
  file += kTable.substr(kTable.size() - 48);
  const TempFile archive("a.npz", zip_archive({{"X.npy", file, true}}));
  EXPECT_EQ(read_in_chunks(*open_data(archive.path()), 2).numbers,
            matrix({{1, 4}, {2, 5}, {3, 6}}));
}

TEST(NpzFile, ChoosesTheArray) {
  const std::string other = numbers({7, 8}, {1, 2});
  const auto both = zip_archive({{"Z.npy", other}, {"X.npy", kTable}});
  EXPECT_EQ(read_numbers("a.npz", both), kExpected);
  EXPECT_EQ(read_numbers("a.npz", both, {.array = "Z"}), matrix({{7, 8}}));
  EXPECT_EQ(read_numbers("a.npz", zip_archive({{"names.npy", texts({"a"})},
                                               {"weights.npy", integers({1, 2, 3})},
                                               {"table.npy", kTable}})),
            kExpected);
}

TEST(NpzFile, ListsTheArraysWhereTheChoiceFails) {
  EXPECT_EQ(
      npz_error({{"A.npy", kTable}, {"B.npy", kTable}}),
      "a.npz has no array \"X\" and several tables of numbers, so the array must be named, as in "
      "a.npz:NAME, and that of the target by --target NAME; it has A (3, 2) float64, B (3, 2) "
      "float64");
  EXPECT_EQ(npz_error({{"A.npy", texts({"a"})}}),
            "a.npz has no array \"X\" and no tables of numbers, so the array must be named, as in "
            "a.npz:NAME, and that of the target by --target NAME; it has A (1) Unicode text");
  EXPECT_EQ(npz_error({{"X.npy", kTable}}, {.array = "Q"}),
            "a.npz has no array \"Q\"; it has X (3, 2) float64");
}

TEST(NpzFile, TheArrayMayBeNamedBehindTheFile) {
  const TempFile file("a.npz", zip_archive({{"X.npy", kTable},
                                            {"Z.npy", numbers({7, 8}, {1, 2})},
                                            {"labels.npy", integers({1, 0, 1})}}));
  EXPECT_EQ(read_all(*open_data(file.path().string() + ":Z")).numbers, matrix({{7, 8}}));
  const auto labeled = open_data(file.path(), {.target_array = "labels"});
  EXPECT_EQ(labeled->target(), std::optional<std::size_t>(2));
  EXPECT_FALSE(open_data(file.path(), {.target_array = "pH"})->target()) << "it may be a column";
  EXPECT_EQ(split_array("dir/a.npz:train").second, "train");
  EXPECT_EQ(split_array("dir/a.csv:train").first, "dir/a.csv:train");
}

TEST(NpzFile, NamesItsColumns) {
  const TempFile file("a.npz",
                      zip_archive({{"X.npy", kTable}, {"feature_names.npy", texts({"pH", "é"})}}));
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(), (Names{"pH", "é"}));
  EXPECT_TRUE(reader->has_meaningful_names());
  EXPECT_FALSE(reader->target());
  EXPECT_EQ(match_features(*reader, "a.npz", {"é"}, 1), Shape{1});
  EXPECT_EQ(npz_error({{"X.npy", kTable}, {"feature_names.npy", texts({"a", "b", "c"})}}),
            "a.npz: feature_names: shape (3), expected one name for each of the 2 columns of X");
  EXPECT_EQ(npz_error({{"X.npy", kTable}, {"feature_names.npy", integers({1, 2})}}),
            "a.npz: feature_names: the elements are int64, expected Unicode text");
}

TEST(NpzFile, TheTargetIsTheLastColumn) {
  const TempFile file("a.npz", zip_archive({{"X.npy", kTable, true},
                                            {"y.npy", integers({9007199254740993, 0, -1}), true},
                                            {"feature_names.npy", texts({"pH", "alcohol"})}}));
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(), (Names{"pH", "alcohol", "y"}));
  EXPECT_EQ(reader->columns(), 3u);
  EXPECT_EQ(reader->target(), std::optional<std::size_t>(2));
  EXPECT_EQ(find_column(*reader, "a.npz", "y"), 2u);
  reader->select({{1}, {2}});
  const DataChunk chunk = read_in_chunks(*reader, 2);
  EXPECT_EQ(chunk.numbers, matrix({{2}, {4}, {6}}));
  EXPECT_EQ(chunk.text[0], (Names{"9007199254740993", "0", "-1"}));
}

TEST(NpzFile, MatchingByPositionLeavesTheTargetOut) {
  const TempFile file("a.npz", zip_archive({{"X.npy", kTable}, {"y.npy", integers({1, 0, 1})}}));
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->names(), (Names{"1", "2", "y"}));
  EXPECT_FALSE(reader->has_meaningful_names());
  EXPECT_EQ(match_features(*reader, "a.npz", {"a", "b"}, 2), (Shape{0, 1}));
  EXPECT_EQ(read_all(*reader).numbers, matrix({{1, 2, 1}, {3, 4, 0}, {5, 6, 1}}));
}

TEST(NpzFile, TheTargetMayBeText) {
  const auto archive = zip_archive({{"X.npy", kTable}, {"y.npy", texts({"M", "B", "2"})}});
  EXPECT_EQ(read_content("a.npz", archive, {{0}, {2}}).text[0], (Names{"M", "B", "2"}));
  EXPECT_EQ(format_error("a.npz", archive),
            "a.npz: row 1, column \"y\" is \"M\", expected a number");
}

TEST(NpzFile, OnlyATargetAloneIsLeftAlone) {
  const TempFile other("a.npz", zip_archive({{"X.npy", kTable}, {"y.npy", integers({1, 0})}}));
  EXPECT_EQ(open_data(other.path())->columns(), 2u);
  const TempFile own("a.npz", zip_archive({{"X.npy", kTable}, {"y.npy", integers({1, 0})}}));
  EXPECT_EQ(read_all(*open_data(own.path(), {.array = "y"})).numbers, matrix({{1}, {0}}));
}

TEST(NpzFile, RefusesDamage) {
  EXPECT_EQ(npz_error({{"X.npy", kTable, false, 0, 1}}), "a.npz: X.npy: damaged: CRC error");
  EXPECT_EQ(npz_error({{"X.npy", kTable, true, 0, 1}}), "a.npz: X.npy: damaged: CRC error");
  EXPECT_EQ(npz_error({{"X.npy", numbers({1, 2}, {3, 2})}}),
            "a.npz: X: an array of 48 bytes, but only 16 follow the header");
  EXPECT_EQ(npz_error({{"X.npy", kTable, true, 4'000'000'000}}),
            "a.npz: X.npy: 4000000000 bytes packed into 181, more than possible");
  EXPECT_EQ(npz_error({{"X.npy", "no array"}}),
            "a.npz: X: not an NPY array: the first bytes are not those of NumPy");
  EXPECT_EQ(npz_error({{"X.npy", kTable.substr(0, 20)}}), "a.npz: X.npy: the array ends early");
}

// Fortran order is loaded whole: a claim that the packed bytes could just hold must not be believed
// before they are unpacked.
TEST(NpzFile, UnpacksNoMoreThanThereIs) {
  const std::string header =
      npy_header({.kind = 'f', .item_size = 8, .fortran = true, .shape = {500, 100}});
  EXPECT_EQ(npz_error({{"X.npy", header + std::string(800, 'x'), true, 400'128}}),
            "a.npz: X.npy: the array ends early");
}

// Changed bytes anywhere end in an error of ours or in numbers; the sanitizers see to the rest.
TEST(NpzFile, SurvivesDamage) {
  const std::string good = zip_archive({{"X.npy", kTable, true}, {"y.npy", integers({1, 0, 1})}});
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    try {
      read_numbers("a.npz", damaged, {.kind = DataFormat::Kind::npz});
    } catch (const InvalidInput&) {
    } catch (const FileError&) {
    }
  }
  for (std::size_t length = 0; length < good.size(); length += 7)
    EXPECT_THROW(read_numbers("a.npz", good.substr(0, length), {.kind = DataFormat::Kind::npz}),
                 std::exception)
        << length;
}

}  // namespace
}  // namespace bisector
