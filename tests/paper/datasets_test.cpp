// The descriptions of the paper's datasets, and the real files if they are available.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "bisector/error.h"
#include "common/dataset.h"
#include "common/study.h"
#include "common/synthetic.h"

namespace bisector::paper {
namespace {

std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("BISECTOR_DATA")) return folder;
  return std::filesystem::path(__FILE__).parent_path() / "../../../shared/data";
}

TEST(DatasetInfo, RefusesInvalidText) {
  const auto problem = [](const std::string& file, const std::string& paper) {
    const std::string text =
        R"({"id":"a","name":"A","sha256":"","address":"","license":"","file":")" + file +
        R"(","paper":)" + paper + "}";
    try {
      parse_dataset_info(text, "a.json");
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string("(no error)");
  };
  const std::string usual = R"({"gamma":1,"k":3})";
  EXPECT_EQ(problem("a/b.csv", usual), "(no error)");
  for (const char* file : {"../b.csv", "a/../../b.csv", "/etc/passwd", ""})
    EXPECT_EQ(problem(file, usual), "a.json: the file has a path that leaves the data folder");
  EXPECT_EQ(problem("b", R"({"gamma":0,"k":3})"), "a.json: gamma is not above 0");
  for (const char* k : {"0", "-3", "1e300", "2.5", "\"3\""})
    EXPECT_EQ(problem("b", R"({"gamma":1,"k":)" + std::string(k) + "}"),
              "a.json: k is not a whole number from 1 up");
  EXPECT_EQ(problem("b", R"({"k":3})"),
            "a.json: a part of the description is missing or of another type");
  EXPECT_EQ(problem("b", std::string(100, '[') + std::string(100, ']')),
            "a.json: nested over 8 levels deep, expected less");
  EXPECT_EQ(problem("b", "{"), "a.json: not a JSON object");
}

TEST(Datasets, AreThoseOfThePaperAndOneMore) {
  std::set<std::string> rows;
  std::size_t extras = 0;
  for (const DatasetInfo& info : dataset_infos()) {
    EXPECT_EQ(info.sha256.size(), 64u) << info.id;
    EXPECT_FALSE(info.address.empty()) << info.id;
    EXPECT_TRUE(published_aufc(info, "svm", "lrp")) << info.id;
    EXPECT_TRUE(published_aufc(info, "knn", "shapley")) << info.id;
    EXPECT_FALSE(published_aufc(info, "knn", "gi")) << info.id;
    extras += info.is_extra;
    rows.insert(info.published);
  }
  EXPECT_EQ(rows.size(), 11u);
  EXPECT_EQ(extras, 1u);
}

TEST(Datasets, HaveTheRowsAndClassesOfTheirSources) {
  struct Expected {
    std::size_t rows, features, positives;
  };
  const std::map<std::string, Expected> expected = {{"breastmnist", {780, 784, 570}},
                                                    {"breast_cancer_wisconsin", {569, 30, 212}},
                                                    {"breast_cancer_ljubljana", {286, 13, 85}},
                                                    {"car", {1728, 6, 1210}},
                                                    {"catalyst", {291, 49, 51}},
                                                    {"concrete", {1030, 8, 103}},
                                                    {"diabetes", {520, 16, 320}},
                                                    {"raisin", {900, 7, 450}},
                                                    {"real_estate", {414, 6, 207}},
                                                    {"rice", {3810, 7, 1630}},
                                                    {"wine", {4898, 11, 3258}}};
  std::size_t seen = 0;
  for (const DatasetInfo& info : dataset_infos()) {
    if (!expected.contains(info.id) || !std::filesystem::exists(location(info, data_folder())))
      continue;
    SCOPED_TRACE(info.id);
    EXPECT_TRUE(has_expected_content(info, data_folder()));
    const Dataset dataset = load(info, data_folder());
    const Expected& shape = expected.at(info.id);
    EXPECT_EQ(dataset.rows.rows(), shape.rows);
    EXPECT_EQ(dataset.rows.cols(), shape.features);
    EXPECT_EQ(std::size_t(std::ranges::count(dataset.target.classes, 1u)), shape.positives);
    ++seen;
  }
  if (seen == 0) GTEST_SKIP() << "no dataset is available";
}

// The file of Rice is ARFF; its rows are read as CSV.
TEST(Datasets, RowsBelowALineOfAnotherFormatAreRead) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rows_below";
  std::filesystem::create_directories(folder / "rice");
  const DatasetInfo info = chosen_datasets({"rice"}).front();
  const auto write = [&](const std::string& rows) {
    std::ofstream(location(info, folder)) << "@RELATION rice\n@ATTRIBUTE Area Integer\n\n@DATA\n"
                                          << rows;
  };
  write("1,2,3,4,5,6,7,Cammeo\n8,9,10,11,12,13,14.5,Osmancik\n");
  const Dataset dataset = load(info, folder);
  EXPECT_EQ(dataset.rows, Matrix(2, 7, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14.5}));
  EXPECT_EQ(dataset.target.classes, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(dataset.feature_names.front(), "Area");
  write("1,2,3,4,5,6,7,Cammeo\n8,9\n");
  EXPECT_THROW(load(info, folder), FormatError);
  std::filesystem::remove_all(folder);
}

TEST(Study, CombinesSeedsAndSamples) {
  const Estimate alone = combine({{0.5, 0.02}});
  EXPECT_DOUBLE_EQ(alone.mean, 0.5);
  EXPECT_DOUBLE_EQ(alone.standard_error, 0.02);
  // Seeds that differ more than their samples: the deviation of the means over root two.
  const Estimate apart = combine({{0.4, 0.01}, {0.6, 0.01}});
  EXPECT_DOUBLE_EQ(apart.mean, 0.5);
  EXPECT_NEAR(apart.standard_error, 0.1, 1e-12);
  // Seeds that happen to agree: the samples' own error still counts.
  const Estimate agreeing = combine({{0.5, 0.02}, {0.5, 0.02}});
  EXPECT_NEAR(agreeing.standard_error, 0.02 / std::sqrt(2.0), 1e-12);
}

TEST(Synthetic, IsSeededAndHasTheRequestedShares) {
  SyntheticOptions options;
  options.rows = 4000;
  options.positive_share = 0.2;
  options.wrong_labels = 0.0;
  const Dataset dataset = make_classification(options);
  EXPECT_EQ(dataset.rows, make_classification(options).rows);
  const auto positives = std::ranges::count(dataset.target.classes, 1u);
  EXPECT_NEAR(static_cast<double>(positives), 800.0, 100.0);
  options.seed = 1;
  EXPECT_NE(dataset.rows, make_classification(options).rows);
}

TEST(Synthetic, InformativeFeaturesSeparateTheClasses) {
  SyntheticOptions options;
  options.clusters_per_class = 1;
  options.separation = 5.0;
  options.redundant = 0;
  options.wrong_labels = 0.0;
  const Dataset dataset = make_classification(options);
  // One cluster per class at different corners: some feature's class means are 2 * 5 apart, and the
  // features of noise are alike.
  std::size_t telling = 0;
  for (std::size_t d = 0; d < options.features; ++d) {
    double mean[2] = {0, 0}, count[2] = {0, 0};
    for (std::size_t r = 0; r < options.rows; ++r) {
      mean[dataset.target.classes[r]] += dataset.rows(r, d);
      ++count[dataset.target.classes[r]];
    }
    telling += std::abs(mean[0] / count[0] - mean[1] / count[1]) > 5.0;
  }
  EXPECT_GE(telling, 1u);
  EXPECT_LE(telling, options.informative);
}

}  // namespace
}  // namespace bisector::paper
