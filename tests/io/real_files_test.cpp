// Public datasets as their authors wrote them. They are not part of the source: the tests skip
// where neither BISECTOR_DATA nor the folder beside the source tree has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "io/data_testing.h"

namespace bisector {
namespace {

std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("BISECTOR_DATA")) return folder;
  const auto tests = std::filesystem::path(__FILE__).parent_path().parent_path();
  return tests.parent_path().parent_path() / "shared" / "data";
}

class RealFiles : public testing::Test {
 protected:
  std::unique_ptr<DataReader> open(const std::string& name, const DataFormat& format = {}) {
    return open_data(data_folder() / name, format);
  }
  void SetUp() override {
    if (!std::filesystem::exists(data_folder() / "wine_quality"))
      GTEST_SKIP() << "no datasets in " << data_folder();
  }
};

std::vector<std::size_t> range(std::size_t first, std::size_t end) {
  std::vector<std::size_t> columns(end - first);
  std::iota(columns.begin(), columns.end(), first);
  return columns;
}

TEST_F(RealFiles, WineHasSemicolonsAndQuotedNames) {
  const auto reader = open("wine_quality/winequality-white.csv");
  EXPECT_EQ(reader->columns(), 12u);
  EXPECT_EQ(reader->names()[0], "fixed acidity");
  const std::size_t quality = find_column(*reader, "wine", "quality");
  EXPECT_EQ(quality, 11u);
  reader->select({range(0, 11), {quality}});
  const DataChunk wine = read_in_chunks(*reader, 1000);
  EXPECT_EQ(wine.rows(), 4898u);
  EXPECT_EQ(wine.numbers(0, 3), 20.7);
  EXPECT_EQ(std::ranges::count_if(wine.text[0], [](const auto& q) { return q > "5"; }), 3258);
}

TEST_F(RealFiles, BreastCancerHasNoHeader) {
  const auto reader = open("breast_cancer/wdbc.data");
  EXPECT_EQ(reader->columns(), 32u);
  EXPECT_TRUE(reader->names().empty());
  EXPECT_EQ(match_features(*reader, "wdbc", {}, 30, {"1", "2"}), range(2, 32));
  reader->select({range(2, 32), {1}});
  const DataChunk cells = read_all(*reader);
  EXPECT_EQ(cells.rows(), 569u);
  EXPECT_EQ(std::ranges::count(cells.text[0], "M"), 212);
}

TEST_F(RealFiles, DiabetesHasCarriageReturns) {
  const auto reader = open("diabetes_risk/diabetes_data_upload.csv");
  EXPECT_EQ(reader->names().back(), "class");
  reader->select({{0}, {16}});
  const DataChunk patients = read_all(*reader);
  EXPECT_EQ(patients.rows(), 520u);
  EXPECT_EQ(patients.numbers(0, 0), 40);
  EXPECT_EQ(std::ranges::count(patients.text[0], "Positive"), 320);
}

TEST_F(RealFiles, CatalystsHaveAColumnWithoutAName) {
  const auto reader = open("catalyst/ocm_cat_data.csv");
  EXPECT_EQ(reader->names()[0], "");
  const std::size_t positive = find_column(*reader, "catalysts", "Positive");
  EXPECT_EQ(positive + 1, reader->columns());
  reader->select({{}, {0, positive}});
  const DataChunk catalysts = read_all(*reader);
  EXPECT_EQ(catalysts.rows(), 291u);
  EXPECT_EQ(catalysts.text[0][0], "Li-K-Mn/MgO");
  EXPECT_EQ(std::ranges::count(catalysts.text[1], "TRUE"), 51);
}

TEST_F(RealFiles, ConcreteHasACommaInAName) {
  const auto reader = open("concrete/Concrete_Data.csv");
  EXPECT_EQ(reader->columns(), 9u);
  EXPECT_EQ(read_all(*reader).rows(), 1030u);
}

TEST_F(RealFiles, MedmnistLabelsAreInACompressedArchive) {
  const auto labels = open("medmnist/breastmnist.npz", {.array = "train_labels"});
  const Matrix numbers = read_all(*labels).numbers;
  EXPECT_EQ(numbers.rows(), 546u);
  EXPECT_EQ(numbers.cols(), 1u);
  EXPECT_TRUE(std::ranges::all_of(numbers.values(), [](double v) { return v == 0 || v == 1; }));
  const auto images = open("medmnist/breastmnist.npz", {.array = "train_images"});
  EXPECT_EQ(images->columns(), 28u * 28u);
}

}  // namespace
}  // namespace bisector
