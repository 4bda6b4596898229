// Rows grouped by the pair of classes that explains them, so that each group runs through one
// contrast.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/contrast/contrast.h"

namespace bisector::detail {

/// The rows of each pair (class of P, class of N), ascending.
using PairGroups = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>>;

inline PairGroups group_by_pair(std::span<const RowDecision> decided) {
  PairGroups groups;
  for (std::size_t r = 0; r < decided.size(); ++r)
    groups[{decided[r].positive, decided[r].negative}].push_back(r);
  return groups;
}

}  // namespace bisector::detail
