// Gauss-Legendre quadrature on [0, 1].
#pragma once

#include <cstddef>
#include <vector>

namespace bisector::linalg {

/// integral over [0, 1] of p = sum_q weights[q] p(nodes[q]), exactly for polynomials of degree up
/// to 2 count - 1. Nodes ascend.
struct Quadrature {
  std::vector<double> nodes, weights;
};

/// `count` > 0 nodes. Good to the last digits for thousands of nodes, in time O(count^2).
Quadrature gauss_legendre(std::size_t count);

}  // namespace bisector::linalg
