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

// The number of quadrature nodes of exact Shapley values.
//
// The integrand is a product of linear functions t A_d + (1 - t) B_d. With L = sum_d |log A_d - log
// B_d| it is no steeper than exp(L t), so few nodes suffice if L is small, whatever the number of
// factors. A polynomial of degree D - 1 needs at most ceil(D / 2) nodes.

class ShapleyNodes {
 public:
  /// For products of `factors` factors, of which one is left out.
  explicit ShapleyNodes(std::size_t factors);

  /// The nodes for integrands with sums of at most `steepness` = L: the relative error of the
  /// integral is at most 1e-10. A steepness that is not a number takes all nodes.
  const Quadrature& operator()(double steepness) const;

 private:
  struct Rule {
    double steepness;  // the largest that the rule is for
    Quadrature quadrature;
  };
  std::vector<Rule> rules_;  // ascending; the last is exact
};

}  // namespace bisector::linalg
