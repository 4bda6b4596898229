// What a model learned goes through a bundle and back; what is broken there is refused.
#include "io/bundle/bundle_meta.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "io/temp_file.h"

namespace bisector::io {
namespace {

std::string target_problem(const nlohmann::json& value) {
  try {
    parse_target(value, [](const std::string& problem) { throw std::runtime_error(problem); });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(BundleTarget, ReadsBack) {
  for (const LearnedTarget& target :
       {LearnedTarget{}, LearnedTarget{"quality", 5.5, {}}, LearnedTarget{"größe", {}, "red"}}) {
    const auto json = nlohmann::json::parse(target_json(target).dump());
    EXPECT_EQ(parse_target(json, [](const std::string& problem) { FAIL() << problem; }), target);
  }
}

TEST(BundleTarget, IsOfTheModelThatIsReadBack) {
  const TempFile file("model.npz", "");
  const Model model = Model(CentroidModel(Matrix(2, 1, {0.0, 1.0}), {"above", "not above"}))
                          .with_target({"q", 5, {}});
  write_bundle(file.path(), model);
  EXPECT_EQ(read_bundle(file.path()), model);
}

// Pages and evidence name the rows of the training table, so a model file must keep them.
TEST(BundleTrainingRows, AreKeptAndPaddedWithTheModel) {
  const TempFile file("model.npz", "");
  const Model plain(CentroidModel(Matrix(2, 1, {0.0, 1.0}), {"above", "not above"}));
  const Model model = plain.with_training_rows({235, 7});
  write_bundle(file.path(), model);
  EXPECT_EQ(read_bundle(file.path()), model);
  EXPECT_NE(model, plain);
  EXPECT_EQ(pad_features(model, 3).training_rows(), (std::vector<std::size_t>{235, 7}));
  EXPECT_THROW(plain.with_training_rows({1}), InvalidModel);
}

TEST(BundleTarget, RefusesWhatIsBroken) {
  EXPECT_EQ(target_problem({{"column", "x"}, {"above", 3}}), "");
  EXPECT_NE(target_problem({{"column", 3}}), "");
  EXPECT_NE(target_problem({{"above", "5"}}), "");
  EXPECT_NE(target_problem({{"positive", 1}}), "");
  EXPECT_NE(target_problem(nlohmann::json::array()), "");
}

}  // namespace
}  // namespace bisector::io
