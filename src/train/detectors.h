// Fits of outlier detectors, with the threshold of the training rows.
#pragma once

#include "bisector/train/learner.h"

namespace bisector::detail {

Predictor fit_detector(const DetectorLearner& learner, SharedMatrix points, unsigned threads);
OneClassMachine fit_density(const DensityLearner& learner, SharedMatrix points, unsigned threads);

}  // namespace bisector::detail
