// Neighbor models whose rows stay in an .npy file: reading, bundles, and the same explanations.
#include "bisector/io/rows_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "bisector/predict.h"
#include "bisector/random.h"
#include "io/arrays/npy.h"
#include "io/temp_file.h"
#include "reference/error_of.h"
#include "reference/random_models.h"

namespace bisector {
namespace {

std::string npy_of(const std::vector<float>& values, std::vector<std::size_t> shape) {
  io::NpyHeader header;
  header.item_size = sizeof(float);
  header.shape = std::move(shape);
  std::string bytes = io::npy_header(header);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

std::vector<std::size_t> thirds(std::size_t rows) {
  std::vector<std::size_t> classes(rows);
  for (std::size_t n = 0; n < rows; ++n) classes[n] = n * 7 % 3;
  return classes;
}

struct InBoth {
  explicit InBoth(std::size_t rows = 1500, std::size_t features = 30) {
    Random random(5);
    const Matrix drawn = reference::random_matrix(random, rows, features);
    floats.assign(drawn.values().begin(), drawn.values().end());
    for (std::size_t n = 0; n < rows; ++n)
      for (std::size_t d = 0; d < 5; ++d) floats[n * features + d] += static_cast<float>(n * 7 % 3);
    points = Matrix(rows, features, std::vector<double>(floats.begin(), floats.end()));
    file.emplace("rows.npy", npy_of(floats, {rows, features}));
  }
  Model in_file(const NeighborVote& vote = {}) const {
    return Model(
        NeighborModel(rows_in_file(file->path()), thirds(points.rows()), {"a", "b", "c"}, 9, vote));
  }
  Model in_memory(const NeighborVote& vote = {}) const {
    return Model(NeighborModel(points, thirds(points.rows()), {"a", "b", "c"}, 9, vote));
  }

  std::vector<float> floats;
  Matrix points;
  std::optional<TempFile> file;
};

TEST(RowsFile, ExplanationsAreThoseOfRowsInMemory) {
  const InBoth data;
  Random random(6);
  const Matrix rows = reference::random_matrix(random, 20, data.points.cols());
  for (const auto weights : {NeighborVote::Weights::uniform, NeighborVote::Weights::distance}) {
    NeighborVote vote;
    vote.weights = weights;
    const Model in_file = data.in_file(vote), in_memory = data.in_memory(vote);
    for (const Method& method : {Method(Auto{}), Method(EtaRule{}), Method(PathRule{})}) {
      const Explanation a = explain(in_file, rows, method), b = explain(in_memory, rows, method);
      EXPECT_EQ(a.relevance, b.relevance) << name(method);
      EXPECT_EQ(a.output, b.output);
      EXPECT_EQ(a.base, b.base);
      EXPECT_EQ(a.outside, b.outside);
      EXPECT_EQ(a.prediction, b.prediction);
    }
    EXPECT_EQ(DecisionFunction(in_file)(rows).decisions,
              DecisionFunction(in_memory)(rows).decisions);
  }
}

TEST(RowsFile, ABundleNamesTheFileInItsFolder) {
  const InBoth data;
  const std::filesystem::path bundle = data.file->path().parent_path() / "model.npz";
  write_bundle(bundle, data.in_file());
  EXPECT_LT(std::filesystem::file_size(bundle), 50'000);
  const Model read = read_model(bundle);
  EXPECT_EQ(read.shared_points().file()->path(), data.file->path().string());
  EXPECT_EQ(read, data.in_file());
  EXPECT_EQ(read, data.in_memory());
  const TempFile elsewhere("model.npz", "");
  EXPECT_NE(error_of([&] { write_bundle(elsewhere.path(), data.in_file()); }).find("in one folder"),
            std::string::npos);
}

TEST(RowsFile, FilesOfOtherNumbersAreRefused) {
  const auto message = [](const std::string& bytes) {
    const TempFile file("rows.npy", bytes);
    return error_of([&] { rows_in_file(file.path()); });
  };
  const std::vector<double> doubles(6, 1.0);
  EXPECT_NE(message(io::encode_npy(std::span(doubles), {2, 3})).find("float64 of shape (2, 3)"),
            std::string::npos);
  EXPECT_NE(message(npy_of(std::vector<float>(6), {6})).find("expected rows and columns"),
            std::string::npos);
  EXPECT_NE(message(npy_of(std::vector<float>(5), {2, 3})).find("the file is cut off"),
            std::string::npos);
  EXPECT_NE(message(npy_of({}, {0, 3})).find("0 x 3 numbers"), std::string::npos);
  EXPECT_NE(message("text").find("rows.npy"), std::string::npos);
  EXPECT_THROW(rows_in_file("no such file.npy"), FileError);
}

TEST(RowsFile, PointsAreCheckedWhereverTheyAre) {
  std::vector<float> floats(4000 * 100, 0.5f);
  floats[3999 * 100 + 7] = std::numeric_limits<float>::quiet_NaN();
  const TempFile file("rows.npy", npy_of(floats, {4000, 100}));
  const auto make = [&](const NeighborVote& vote) {
    return NeighborModel(rows_in_file(file.path()), thirds(4000), {"a", "b", "c"}, 3, vote);
  };
  EXPECT_NE(error_of([&] { make({}); }).find("point 4000, feature 8 is nan"), std::string::npos);
  const InBoth data;
  NeighborVote cosine;
  cosine.distance = Distance::cosine();
  EXPECT_NE(error_of([&] { data.in_file(cosine); }).find("expected the Euclidean distance"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              CentroidModel(rows_in_file(data.file->path()), {"a", "b"});
            }).find("expected rows in memory"),
            std::string::npos);
}

// A file may be cut off after it was opened.
TEST(RowsFile, AFileThatShrinksIsAnError) {
  const InBoth data;
  const SharedMatrix rows = rows_in_file(data.file->path());
  std::filesystem::resize_file(data.file->path(), 1000);
  std::vector<double> buffer;
  EXPECT_NE(error_of([&] { rows.row(1400, buffer); }).find("the file ends early"),
            std::string::npos);
}

}  // namespace
}  // namespace bisector
