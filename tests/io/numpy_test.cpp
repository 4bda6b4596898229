// The array formats against NumPy itself; skipped where there is no Python with NumPy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/arrays/npy.h"
#include "io/data_testing.h"
#include "io/numpy_testing.h"
#include "io/zip_testing.h"

namespace bisector {

using namespace io;

namespace {

using Names = std::vector<std::string>;

class Numpy : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_numpy()) GTEST_SKIP() << "no Python with NumPy (BISECTOR_TEST_PYTHON names one)";
  }
  /// Runs a script in the folder of `place`; true if it ends well.
  static bool run(const TempFile& place, const std::string& script) {
    const auto folder = place.path().parent_path();
    std::ofstream(folder / "script.py") << "import numpy as np\n" << script;
    const auto command = fmt::format("cd '{}' && '{}' script.py", folder.string(), test_python());
    return std::system(command.c_str()) == 0;
  }
  static std::filesystem::path beside(const TempFile& place, const std::string& name) {
    return place.path().parent_path() / name;
  }
};

/// The table that the scripts below make: element (r, c) is (37 r + 11 c) % 100.
Matrix expected_table(std::size_t rows, std::size_t columns) {
  Matrix table(rows, columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      table(r, c) = static_cast<double>((37 * r + 11 * c) % 100);
  return table;
}
constexpr const char* kMakeTable =
    "r, c = np.meshgrid(np.arange(50), np.arange(7), indexing='ij')\n"
    "table = (37 * r + 11 * c) % 100\n";

TEST_F(Numpy, ReadsEveryTypeOrderAndVersion) {
  const TempFile place("place", "");
  ASSERT_TRUE(run(place, std::string(kMakeTable) +
                             "for t in 'f4 f8 i1 i2 i4 i8 u1 u2 u4 u8'.split():\n"
                             "  for e in '<>':\n"
                             "    for o in 'CF':\n"
                             "      for v in (1, 2, 3):\n"
                             "        with open(f'{t}{e}{o}{v}.npy'.replace('<', 'l')"
                             ".replace('>', 'b'), 'wb') as f:\n"
                             "          a = np.array(table, dtype=e + t, order=o)\n"
                             "          np.lib.format.write_array(f, a, version=(v, 0))\n"));
  for (const std::string type : {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"}) {
    for (const std::string variant : {"lC1", "lC2", "lC3", "lF1", "lF2", "lF3", "bC1", "bF3"}) {
      SCOPED_TRACE(type + variant);
      const auto reader = open_data(beside(place, type + variant + ".npy"));
      EXPECT_EQ(read_in_chunks(*reader, 13).numbers, expected_table(50, 7));
    }
  }
}

TEST_F(Numpy, ReadsCompressedArchives) {
  const TempFile place("place", "");
  ASSERT_TRUE(run(place, std::string(kMakeTable) +
                             "names = np.array(['a', 'b\\u20ac', 'c', 'd', 'e', 'f', 'g'])\n"
                             "y = np.arange(50) % 3 == 0\n"
                             "np.savez_compressed('c.npz', X=table, y=y, feature_names=names)\n"
                             "np.savez('f.npz', X=np.asfortranarray(table), y=y)\n"
                             "o = np.array([None, 1], dtype=object)\n"
                             "np.savez('o.npz', table=table, o=o, y=y.astype(str))\n"));
  const auto reader = open_data(beside(place, "c.npz"));
  EXPECT_EQ(reader->names(), (Names{"a", "b\u20ac", "c", "d", "e", "f", "g", "y"}));
  reader->select({{0, 1, 2, 3, 4, 5, 6}, {7}});
  const DataChunk chunk = read_all(*reader);
  EXPECT_EQ(chunk.numbers, expected_table(50, 7));
  EXPECT_EQ(chunk.text[0][2], "0");
  EXPECT_EQ(chunk.text[0][3], "1");
  for (const std::string name : {"f.npz", "o.npz"}) {
    const auto other = open_data(beside(place, name));
    EXPECT_EQ(other->columns(), 8u);
    other->select({{0, 1, 2, 3, 4, 5, 6}, {7}});
    const DataChunk rows = read_all(*other);
    EXPECT_EQ(rows.numbers, expected_table(50, 7));
    EXPECT_EQ(rows.text[0][3], name == "o.npz" ? "True" : "1");
  }
}

TEST_F(Numpy, NumpyReadsWhatWeWrite) {
  const Matrix table = expected_table(50, 7);
  const std::vector<std::int64_t> integers{-1, 9007199254740993};
  const Names texts{"", "b\u20ac\U0001F377"};
  const Names meta{"{\"kind\": \"svm\"}"};
  const TempFile place(
      "a.npz",
      zip_archive({{"table.npy", encode_npy(std::span<const double>(table.values()), {50, 7})},
                   {"integers.npy", encode_npy(std::span<const std::int64_t>(integers), {2})},
                   {"texts.npy", encode_npy(std::span<const std::string>(texts), {2, 1})},
                   {"meta.npy", encode_npy(std::span<const std::string>(meta), {})}}));
  EXPECT_TRUE(run(place, std::string(kMakeTable) +
                             "a = np.load('a.npz', allow_pickle=False)\n"
                             "assert a['table'].dtype == np.float64\n"
                             "assert (a['table'] == table).all()\n"
                             "assert a['integers'].dtype == np.int64\n"
                             "assert a['integers'].tolist() == [-1, 9007199254740993]\n"
                             "assert a['texts'].tolist() == [[''], ['b\\u20ac\\U0001F377']]\n"
                             "assert str(a['meta']) == '{\"kind\": \"svm\"}'\n"
                             "assert a['meta'].shape == ()\n"));
}

}  // namespace
}  // namespace bisector
