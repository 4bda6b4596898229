// Cross-validated scores of many parameters at once, sharing what can be shared.
#pragma once

#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/tune.h"
#include "train/folds.h"

namespace bisector::detail {

/// Each: scores(trial, fold), with the trials of gammas x costs (lambdas) in that order.
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

/// The same for neighbors with the learner's weights and distance; every k is at most the training
/// rows of any fold.
Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const ClassTarget& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks);
Matrix cross_validate(const NeighborLearner& learner, MatrixView<const double> rows,
                      const std::vector<double>& target, std::span<const Fold> folds,
                      const TuneOptions& options, std::span<const std::size_t> ks);

}  // namespace bisector::detail
