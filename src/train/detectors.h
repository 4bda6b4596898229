// Detectors with the threshold that the training rows give.
#pragma once

#include "bisector/train/learner.h"

namespace bisector::detail {

Predictor fit_detector(const DetectorLearner& learner, SharedMatrix points, unsigned threads);
OneClassMachine fit_density(const DensityLearner& learner, SharedMatrix points, unsigned threads);

}  // namespace bisector::detail
