// The vote of the nearest neighbours, and of one-vs-one machines.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/linalg/neighbor_search.h"

namespace bisector::detail {

/// How many of the k nearest points each class has, from at least the k nearest of every class.
std::vector<std::size_t> neighbor_votes(const linalg::GroupedNeighbors& nearest, std::size_t k);

/// Whether equal distances leave open who wins: with other points of the k-th distance among the k
/// nearest, another class would have won. `votes` are those of neighbor_votes().
bool depends_on_order(const linalg::GroupedNeighbors& nearest, std::span<const std::size_t> votes,
                      std::size_t k);

/// One vote per pair of classes: for the first where its decision value is above zero, else for the
/// second, as LIBSVM counts. `decisions` are in the order (0,1), (0,2), ..., (1,2), ...
std::vector<std::size_t> one_vs_one_votes(std::span<const double> decisions, std::size_t classes);

/// The class with the most votes, the first of equals.
std::size_t winner(std::span<const std::size_t> votes);

}  // namespace bisector::detail
