#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "io/arrays/npy.h"
#include "io/data_testing.h"

namespace bisector {

using namespace io;

namespace {

using Names = std::vector<std::string>;

/// An .npy file whose element (r, c) is `element(r, c)`, in the order and byte order of the header.
template <class T, class Element>
std::string npy_file(NpyHeader header, Element element) {
  std::string file = npy_header(header);
  const std::size_t rows = header.shape[0];
  const std::size_t columns = header.shape.size() == 1 ? 1 : header.shape[1];
  for (std::size_t i = 0; i < rows * columns; ++i) {
    const T value =
        header.fortran ? element(i % rows, i / rows) : element(i / columns, i % columns);
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (header.swapped) std::ranges::reverse(bytes);
    file += bytes;
  }
  return file;
}

double number_at(std::size_t row, std::size_t column) {
  return static_cast<double>(row) + 0.001 * static_cast<double>(column);
}

// More rows than a block holds, so that orders and blocks meet.
TEST(NpyFile, ReadsEveryOrderInEveryChunkSize) {
  constexpr std::size_t kRows = 40'000, kColumns = 3;
  for (const bool fortran : {false, true}) {
    for (const bool swapped : {false, true}) {
      const TempFile file("a.npy", npy_file<double>({.kind = 'f',
                                                     .item_size = 8,
                                                     .swapped = swapped,
                                                     .fortran = fortran,
                                                     .shape = {kRows, kColumns}},
                                                    number_at));
      for (const std::size_t chunk_rows : {std::size_t{999}, kRows, kRows + 1}) {
        const auto reader = open_data(file.path());
        EXPECT_EQ(reader->columns(), kColumns);
        EXPECT_TRUE(reader->names().empty());
        reader->select({{2, 0}, {}});
        const Matrix numbers = read_in_chunks(*reader, chunk_rows).numbers;
        ASSERT_EQ(numbers.rows(), kRows);
        for (std::size_t r = 0; r < kRows; ++r) {
          ASSERT_EQ(numbers(r, 0), number_at(r, 2));
          ASSERT_EQ(numbers(r, 1), number_at(r, 0));
        }
      }
    }
  }
}

TEST(NpyFile, OneDimensionIsOneColumn) {
  const std::vector<double> values{1, 2.5, -3};
  EXPECT_EQ(read_numbers("a.npy", encode_npy(std::span<const double>(values), {3})),
            matrix({{1}, {2.5}, {-3}}));
}

TEST(NpyFile, FurtherDimensionsBecomeColumns) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(read_numbers("a.npy", encode_npy(std::span<const double>(values), {2, 2, 2})),
            matrix({{1, 2, 3, 4}, {5, 6, 7, 8}}));
}

TEST(NpyFile, NumbersAsText) {
  const std::vector<double> values{1, 2.5, 7, std::numeric_limits<double>::quiet_NaN()};
  const auto chunk =
      read_content("a.npy", encode_npy(std::span<const double>(values), {2, 2}), {{0}, {1, 0}});
  EXPECT_EQ(chunk.text, (std::vector<Names>{{"2.5", "nan"}, {"1", "7"}}));
}

TEST(NpyFile, SaysWhichNumberIsWrong) {
  const auto error = [](double bad) {
    const std::vector<double> values{1, 2, 3, 4, bad, 6};
    return format_error("a.npy", encode_npy(std::span<const double>(values), {3, 2}));
  };
  EXPECT_EQ(error(std::numeric_limits<double>::quiet_NaN()),
            "a.npy: row 3, column 1 is nan, expected a finite number");
  EXPECT_EQ(error(-std::numeric_limits<double>::infinity()),
            "a.npy: row 3, column 1 is -inf, expected a finite number");
  EXPECT_EQ(error(1e200), "a.npy: row 3, column 1 is 1e+200, expected a number within ±1e100");
}

// Columns are taken out one after the other, and blocks have any size: neither shows.
TEST(NpyFile, NamesTheFirstRowThatIsWrong) {
  const TempFile file(
      "a.npy", npy_file<double>({.shape = {3, 2}}, [](std::size_t row, std::size_t column) {
        const bool is_wrong = (row == 2 && column == 0) || (row == 1 && column == 1);
        return is_wrong ? std::numeric_limits<double>::infinity() : 0.0;
      }));
  for (const std::size_t chunk_rows : {1, 2, 3}) {
    try {
      read_in_chunks(*open_data(file.path()), chunk_rows);
      ADD_FAILURE() << "no error";
    } catch (const FormatError& error) {
      EXPECT_TRUE(std::string(error.what())
                      .ends_with("a.npy: row 2, column 2 is inf, expected a finite number"))
          << error.what();
    }
  }
}

TEST(NpyFile, RefusesArraysThatAreNoTables) {
  const std::vector<double> values(24);
  const std::span<const double> span(values);
  EXPECT_EQ(format_error("a.npy", encode_npy(span.first(1), {})),
            "a.npy: an array of shape (), expected two dimensions: rows and columns");
  EXPECT_EQ(format_error("a.npy", encode_npy(span.first(0), {5, 0})),
            "a.npy: an array of 5 rows and 0 columns, expected at least one column");
  EXPECT_EQ(format_error("a.npy", encode_npy(span.first(0), {0, 2'000'000})),
            "a.npy: an array of 0 rows and 2000000 columns, expected rows");
  const std::vector<std::string> texts{"a", "b"};
  EXPECT_EQ(
      format_error("a.npy", encode_npy(std::span<const std::string>(texts), {2})),
      "a.npy: the elements are Unicode text, expected numbers (float16 to float64, integers or "
      "bool)");
}

TEST(NpyFile, NoRowsAreNoError) {
  EXPECT_EQ(read_numbers("a.npy", encode_npy(std::span<const double>(), {0, 3})), Matrix(0, 3));
}

// The claims of a header are compared with the file before memory is taken for them.
TEST(NpyFile, RefusesShapesThatTheFileDoesNotHold) {
  const std::string header =
      npy_header({.kind = 'f', .item_size = 8, .shape = {1'000'000'000'000, 10}});
  EXPECT_EQ(format_error("a.npy", header + "12345678"),
            "a.npy: an array of 80000000000000 bytes, but only 8 follow the header");
  const std::vector<double> values{1, 2, 3};
  std::string cut = encode_npy(std::span<const double>(values), {3});
  cut.pop_back();
  EXPECT_EQ(format_error("a.npy", cut),
            "a.npy: an array of 24 bytes, but only 23 follow the header");
}

}  // namespace
}  // namespace bisector
