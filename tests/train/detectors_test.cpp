// Detectors leave the asked share of their training rows outside, each scored by the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "bisector/train/learner.h"
#include "train/toy_data.h"

namespace bisector::test {
namespace {

double distance(const Matrix& rows, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t d = 0; d < rows.cols(); ++d) sum += std::pow(rows(a, d) - rows(b, d), 2);
  return std::sqrt(sum);
}

/// The distances of a row to all others, ascending.
std::vector<double> to_others(const Matrix& rows, std::size_t row) {
  std::vector<double> distances;
  for (std::size_t other = 0; other < rows.rows(); ++other)
    if (other != row) distances.push_back(distance(rows, row, other));
  std::ranges::sort(distances);
  return distances;
}

TEST(DetectorLearner, TheShareOfRowsIsBeyondTheThreshold) {
  const Matrix rows = clouds(4, 50, 2).rows;
  for (const double share : {0.0, 0.1, 0.5}) {
    const DetectorLearner learner{OutlierDetector::Score::kth_distance, 3, share, {}};
    const auto detector = std::get<OutlierDetector>(fit(learner, rows.view(), std::monostate(), 1));
    std::size_t outside = 0;
    for (std::size_t r = 0; r < rows.rows(); ++r)
      outside += to_others(rows, r)[2] > detector.threshold() * (1.0 + 1e-12);
    EXPECT_EQ(outside, static_cast<std::size_t>(share * 50.0));
  }
}

TEST(DetectorLearner, TheLocalOutlierFactorIsThatOfTheOthers) {
  const Matrix rows = clouds(5, 40, 2).rows;
  const DetectorLearner learner{OutlierDetector::Score::local_outlier_factor, 4, 0.25, {}};
  const auto detector = std::get<OutlierDetector>(fit(learner, rows.view(), std::monostate(), 1));
  std::vector<double> factors;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const double reach = to_others(rows, r)[3];
    double sum = 0.0;
    for (std::size_t other = 0; other < rows.rows(); ++other)
      if (other != r && distance(rows, r, other) <= reach)
        sum +=
            detector.local_densities().densities[other] / detector.local_densities().densities[r];
    factors.push_back(sum / 4.0);
  }
  EXPECT_EQ(std::ranges::count_if(
                factors, [&](double f) { return f > detector.threshold() * (1.0 + 1e-12); }),
            10);
}

TEST(DensityLearner, TheShareOfRowsIsOutside) {
  const Matrix rows = clouds(6, 50, 2).rows;
  const Predictor density = fit(DensityLearner{0.5, 0.2}, rows.view(), std::monostate(), 1);
  const Predictions predictions = predict(Model(density), rows.view());
  EXPECT_EQ(std::ranges::count(predictions.classes, std::size_t{1}), 10);
}

TEST(DetectorLearner, RefusesATargetAndSharesOutOfRange) {
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
