// The pools of a contrast at one row: members, distances and responsibilities. The network and the
// evidence are made from them; their size is linear in the points.
#pragma once

#include <cstddef>
#include <vector>

#include "bisector/network.h"

namespace bisector::detail {

struct PoolAtRow {
  std::vector<PoolMember> members;
  std::vector<double> exponents;  // -gamma z_k, up to a summand that both pools share
  std::vector<double> weights;    // p_k; they sum to one
};

struct PoolsAtRow {
  PoolAtRow positive, negative;
  double gamma = 1.0;  // 1 for ranked pools, whose scores are squared distances

  /// z_ij, the detection unit of two members.
  double detection(std::size_t i, std::size_t j) const {
    return (positive.exponents[i] - negative.exponents[j]) / gamma;
  }
};

/// All pairs of members, without h_j and g, which differ between soft and ranked pools.
inline Network all_pairs(const PoolsAtRow& pools) {
  Network network;
  network.positive = pools.positive.members;
  network.negative = pools.negative.members;
  network.positive_weights = pools.positive.weights;
  network.negative_weights = pools.negative.weights;
  network.detection = Matrix(network.positive.size(), network.negative.size());
  for (std::size_t i = 0; i < network.positive.size(); ++i) {
    for (std::size_t j = 0; j < network.negative.size(); ++j)
      network.detection(i, j) = pools.detection(i, j);
  }
  return network;
}

}  // namespace bisector::detail
