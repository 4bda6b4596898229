// Cross-validated scores of many parameters, which share kernel values and neighbors.
#pragma once

#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/tune.h"
#include "train/folds.h"

namespace bisector::detail {

/// The result is scores(trial, fold); the trials are gammas x costs (or lambdas), in that order.
/// options.score must not be automatic.
Matrix cross_validate(const SvmLearner& learner, MatrixView<const double> rows,
                      const ClassTarget& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> costs);
Matrix cross_validate(const SvrLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> costs);
Matrix cross_validate(const RidgeLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const double> gammas,
                      std::span<const double> lambdas);

/// For neighbors with the learner's weights and distance. Every k is at most the number of training
/// rows of each fold.
Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const ClassTarget& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks);
Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks);

}  // namespace bisector::detail
