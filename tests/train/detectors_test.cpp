// Detectors predict the given fraction of their training rows as outliers.
#include <gtest/gtest.h>

#include <algorithm>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/train/learner.h"
#include "train/toy_data.h"

namespace bisector::test {
namespace {

std::size_t count_outside(const Predictor& detector, const Matrix& rows) {
  const Predictions predictions = predict(Model(detector), rows.view());
  return static_cast<std::size_t>(std::ranges::count(predictions.classes, std::size_t{1}));
}

TEST(DetectorLearner, PredictsTheFractionOfItsTrainingRowsAsOutliers) {
  const Matrix rows = clouds(4, 50, 2).rows;
  using Score = decltype(DetectorLearner::score);
  for (const Score score :
       {Score::kth_distance, Score::mean_distance, Score::local_outlier_factor}) {
    for (const double fraction : {0.0, 0.1, 0.5}) {
      const DetectorLearner learner{score, 3, fraction, {}};
      EXPECT_EQ(count_outside(fit(learner, rows.view(), std::monostate(), 1), rows),
                static_cast<std::size_t>(fraction * 50.0));
    }
  }
}

TEST(DensityLearner, PredictsTheFractionOfItsTrainingRowsAsOutliers) {
  const Matrix rows = clouds(6, 50, 2).rows;
  const Predictor density = fit(DensityLearner{0.5, 0.2}, rows.view(), std::monostate(), 1);
  EXPECT_EQ(count_outside(density, rows), 10u);
}

TEST(DetectorLearner, RefusesATargetAndFractionsOutOfRange) {
  const ToyClasses toy = clouds(7, 20, 2);
  EXPECT_THROW(fit(DetectorLearner{}, toy.rows.view(), toy.target, 1), InvalidInput);
  DetectorLearner all;
  all.outliers = 1.0;
  EXPECT_THROW(fit(all, toy.rows.view(), std::monostate(), 1), InvalidInput);
  DetectorLearner crowded;
  crowded.k = 20;
  EXPECT_THROW(fit(crowded, toy.rows.view(), std::monostate(), 1), InvalidInput);
}

}  // namespace
}  // namespace bisector::test
