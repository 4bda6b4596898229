// What a file may ask for before it has proved its size, and how its reader is told to allow more.
#include "bisector/limits.h"

#include <gtest/gtest.h>

#include <sstream>

#include "bisector/error.h"
#include "bisector/io/data_reader.h"
#include "bisector/io/model_file.h"
#include "bisector/random.h"
#include "io/arrays/npy.h"
#include "io/packing.h"
#include "io/temp_file.h"
#include "io/zip_testing.h"
#include "reference/error_of.h"

namespace bisector {

using namespace io;

namespace {

constexpr std::uint64_t kMany = std::uint64_t{1} << 62;

bool names_limit(const std::string& message, const std::string& name) {
  return message.find("(limit") != std::string::npos && message.find(name) != std::string::npos;
}

TEST(Limits, NoShapeWrapsAround) {
  const Limits limits;
  EXPECT_FALSE(limits.allow_table(kMany, kMany, kMany));
  EXPECT_FALSE(limits.allow_table(kMany, 2, kMany));
  EXPECT_FALSE(limits.allow_table(kMany, std::uint64_t{1} << 32, std::uint64_t{1} << 32));
  EXPECT_TRUE(limits.allow_table(0, kMany, 0));
  EXPECT_TRUE(limits.allow_table(0, 0, kMany));
}

TEST(Limits, ATableIsFreeUpToASizeAndThenBoundToTheFile) {
  const Limits limits;
  constexpr std::uint64_t kFree = Limits::kFreeBytes / sizeof(double);
  EXPECT_TRUE(limits.allow_table(1, 1, kFree));
  EXPECT_FALSE(limits.allow_table(1, 1, kFree + 1));
  EXPECT_TRUE(limits.allow_table(1'000'000, 1, 100'000'000));
  EXPECT_FALSE(limits.allow_table(1'000'000, 1, 130'000'000));
  EXPECT_TRUE((Limits{.max_expansion = 2000}.allow_table(1'000'000, 1, 130'000'000)));
  EXPECT_FALSE(limits.allow_table(kMany, 1, limits.max_elements));
  EXPECT_TRUE(limits.allow_table(kMany, 1, limits.max_elements - 1));
}

std::string sparse_model(std::size_t lines, const std::string& last_index) {
  std::string text = "svm_type one_class\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv " +
                     std::to_string(lines) + "\nrho 0.5\nSV\n";
  for (std::size_t n = 1; n < lines; ++n) text += "1 1:1\n";
  return text + "1 " + last_index + ":1\n";
}

TEST(LimitsOfLibsvmModels, AFewLinesCannotAskForGigabytes) {
  const std::string text = sparse_model(100, "9000000");
  const auto read = [](const std::string& model, const Limits& limits) {
    return error_of([&] {
      std::istringstream in(model);
      read_libsvm_model(in, "m", limits);
    });
  };
  EXPECT_TRUE(names_limit(read(text, {}), "expansion")) << read(text, {});
  EXPECT_EQ(read(sparse_model(10, "100000"), {}), "(no error)");
  EXPECT_TRUE(
      names_limit(read(sparse_model(10, "100000"), {.max_elements = 1'000'000}), "elements"));
  EXPECT_TRUE(names_limit(read(sparse_model(10, "100000"), {.max_features = 99'999}), "features"));
  EXPECT_EQ(
      read(sparse_model(1, "20000000"), {.max_features = 20'000'000, .max_expansion = 10'000'000}),
      "(no error)");
}

TEST(LimitsOfLibsvmData, AFewBytesCannotAskForMillionsOfColumns) {
  const TempFile file("a.libsvm", "1 10000000:1\n");
  const auto open = [&](const Limits& limits) {
    return error_of([&] { open_data(file.path(), {.limits = limits}); });
  };
  EXPECT_TRUE(names_limit(open({}), "expansion")) << open({});
  EXPECT_TRUE(names_limit(open({.max_features = 9'999'999}), "features"));
  EXPECT_EQ(open({.max_expansion = 10'000'000}), "(no error)");
}

TEST(LimitsOfLibsvmData, RowsReadAtOnceAreBoundToTheirText) {
  std::string text = "1 1000000:1\n";
  for (int n = 0; n < 9; ++n) text += "1 1:1\n";
  const TempFile file("a.libsvm", text);
  const auto reader = open_data(file.path());
  EXPECT_EQ(reader->read(4).rows(), 4u);
  const auto again = open_data(file.path());
  const std::string problem = error_of([&] { read_all(*again); });
  EXPECT_TRUE(names_limit(problem, "expansion")) << problem;
  EXPECT_NE(problem.find("a.libsvm:9: 9 rows of 1000001 numbers"), std::string::npos) << problem;
}

TEST(LimitsOfArchives, DataDoNotUnpackToAThousandTimesTheirSize) {
  const std::string zeros =
      npy_header({.kind = 'u', .item_size = 1, .shape = {1 << 22, 1}}) + std::string(1 << 22, '\0');
  const TempFile file(
      "a.npz",
      zip_archive(
          {{.name = "X.npy", .bytes = zeros, .is_deflated = true, .packed = raw_deflated(zeros)}}));
  const auto read = [&](const Limits& limits) {
    return error_of([&] { read_all(*open_data(file.path(), {.limits = limits})); });
  };
  EXPECT_TRUE(names_limit(read({}), "expansion")) << read({});
  EXPECT_EQ(read({.max_expansion = 2000}), "(no error)");
}

TEST(LimitsOfPackedText, ASmallFileOfGigabytesStopsAtTheLimit) {
  std::string rows = "a,b\n", other = rows;
  Random random(1);
  while (rows.size() < (std::size_t{2} << 20)) rows += "1,2\n";
  while (other.size() < (std::size_t{2} << 20))
    other += std::to_string(random.normal()) + "," + std::to_string(random.normal()) + "\n";
  const TempFile packed("a.csv.gz", gzipped(rows)), usual("b.csv.gz", gzipped(other));
  const auto read = [](const TempFile& file) {
    const Limits limits{.max_expansion = 1'000'000, .max_unpacked_bytes = 1 << 20};
    return error_of([&] { read_all(*open_data(file.path(), {.limits = limits})); });
  };
  EXPECT_TRUE(names_limit(read(packed), "unpacked-bytes")) << read(packed);
  EXPECT_EQ(read(usual), "(no error)") << "a large table is no attack";
}

// Nothing is ever written where an archive says, so its paths lead nowhere.
TEST(LimitsOfArchives, PathsInsideLeadNowhere) {
  const std::string array = encode_npy(std::vector<double>{1, 2}, {1, 2});
  const TempFile file("a.npz", zip_archive({{.name = "../../escaped.npy", .bytes = array},
                                            {.name = "/tmp/escaped.npy", .bytes = array}}));
  const auto folder = file.path().parent_path();
  const auto reader = open_data(file.path(), {.array = "../../escaped"});
  EXPECT_EQ(read_all(*reader).numbers, Matrix(1, 2, {1, 2}));
  EXPECT_FALSE(std::filesystem::exists(folder / "../../escaped.npy"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/escaped.npy"));
  EXPECT_NE(error_of([&] { read_bundle(file.path()); }).find("expected a name without a path"),
            std::string::npos);
}

TEST(LimitsOfText, ARowMayBeSoLong) {
  const TempFile file("a.csv", "1," + std::string(std::size_t{3} << 20, '0') + "\n");
  const auto read = [&](const Limits& limits) {
    return error_of([&] { read_all(*open_data(file.path(), {.limits = limits})); });
  };
  EXPECT_EQ(read({}), "(no error)");
  EXPECT_TRUE(names_limit(read({.max_row_bytes = 1 << 20}), "row-bytes"))
      << read({.max_row_bytes = 1 << 20});
}

}  // namespace
}  // namespace bisector
