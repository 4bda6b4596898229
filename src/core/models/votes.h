// The votes of one-vs-one machines, and who wins a vote.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bisector::detail {

/// One vote per pair of classes: for the first where its decision value is above zero, else for the
/// second, as LIBSVM counts. `decisions` are in the order (0,1), (0,2), ..., (1,2), ...
std::vector<double> one_vs_one_votes(std::span<const double> decisions, std::size_t classes);

/// The first of the largest.
std::size_t winner(std::span<const double> votes);

}  // namespace bisector::detail
