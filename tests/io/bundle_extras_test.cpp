// The training record of a bundle: it is read back, and a malformed one is refused.
#include "bisector/io/bundle_extras.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bisector/io/model_file.h"
#include "io/bundle/bundle_meta.h"
#include "io/model_test_support.h"

namespace bisector {
namespace {

class BundleExtrasOf : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  const Model model_ = Model(CentroidModel(Matrix(2, 1, {0, 1}), {"a", "b"}));
  std::filesystem::path path_ = test::temporary_path("model.npz");
};

TEST_F(BundleExtrasOf, ATrainingRecordIsReadBackAndIsNoPartOfTheModel) {
  const TrainingRecord record{"credit.csv", 700, "gamma 1, cost 1", "accuracy 0.9, 5-fold"};
  std::ofstream out(path_, std::ios::binary);
  write_bundle(out, model_, BundleExtras{std::nullopt, record});
  out.close();
  EXPECT_EQ(read_bundle_extras(path_).training, record);
  EXPECT_EQ(read_model(path_), model_);
}

TEST_F(BundleExtrasOf, ABundleWithoutARecordHasNone) {
  write_bundle(path_, model_);
  EXPECT_FALSE(read_bundle_extras(path_).training.has_value());
}

TEST_F(BundleExtrasOf, AMalformedRecordIsRefused) {
  const auto fail = [](const std::string& problem) { throw std::invalid_argument(problem); };
  for (const char* const text : {"[]", R"({"rows": -1})", R"({"rows": "7"})", R"({"data": 7})"})
    EXPECT_THROW(io::parse_training(nlohmann::json::parse(text), fail), std::invalid_argument)
        << text;
}

}  // namespace
}  // namespace bisector
