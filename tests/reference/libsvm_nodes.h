// A row as LIBSVM wants it.
#pragma once

#include <libsvm/svm.h>

#include <cstddef>
#include <span>
#include <vector>

namespace bisector::reference {

inline std::vector<svm_node> nodes_of(std::span<const double> row) {
  std::vector<svm_node> nodes;
  for (std::size_t d = 0; d < row.size(); ++d) {
    if (row[d] != 0.0) nodes.push_back({static_cast<int>(d) + 1, row[d]});
  }
  nodes.push_back({-1, 0.0});
  return nodes;
}

}  // namespace bisector::reference
