// The rules of LRP as the passes over the pools see them: which eta they want, and what they take
// for mean_P u - mean_N u in the first half of the relevance. One file for each rule.
#pragma once

#include <functional>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/method.h"

namespace bisector::detail {

/// mean_P u - mean_N u at points of the model's space: one for each row of a tile, with that row's
/// pair of classes.
using MomentDifference = std::function<Matrix(MatrixView<const double> points)>;

/// What the first half takes for the difference, for the rows of a tile in the model's space. None:
/// the difference at the rows themselves.
using Directions =
    std::function<Matrix(MatrixView<const double> rows, const MomentDifference& difference)>;

template <class M>
concept LrpRule = requires(const M& method) {
  method.responsibilities;
};

/// By the model's gamma and median distance, or its k, which the settings have.
double default_eta(const EtaRule& rule, const ExplainSettings& settings);
double default_eta(const PathRule& rule, const ExplainSettings& settings);

/// `reference` is a point of the model's space.
Directions make_directions(const EtaRule& rule, const std::vector<double>& reference);
Directions make_directions(const PathRule& rule, const std::vector<double>& reference);

}  // namespace bisector::detail
