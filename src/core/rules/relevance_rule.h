// The eta rule: relevance from two moments per pool. With u' = u - c for any center c, the pools'
// means of u' and of u'*u' give
//
//     E_1   = 2 (x - c) (mean_P u' - mean_N u') + mean_N u'^2 - mean_P u'^2   (for every c)
//     E_eta = (1 - eta) 2 (x - r) (mean_P u' - mean_N u') + eta E_1
//
// so the center only keeps rounding small: the points' mean serves whole tiles, x itself is exact.
// PointValues says what the moments are behind a matrix and for other distances. Path rules keep
// E_1 at x and average the gradient term along paths from references to x.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "core/contrast/point_values.h"
#include "core/linalg/vectors.h"

namespace bisector::detail {

class RelevanceRule {
 public:
  /// `input` is the map in front of the model, `reference` a point of the model's space and
  /// `input_reference` the same in the input space.
  RelevanceRule(const AffineMap& input, std::vector<double> reference,
                std::vector<double> input_reference, double eta, const Distance& distance = {});

  double eta() const { return eta_; }
  /// The values of points whose means the rule needs.
  const std::shared_ptr<const PointValues>& values() const { return values_; }

  /// A row: x0 before the preprocessing, and behind it x - c and c.
  struct Row {
    std::span<const double> input, centered, center;
  };
  /// The relevance of a row from the pools' means of the values. `gradient_term` is E_0 along paths
  /// to the row; empty: E_0 at x. Returns the cancellation: the largest term of any feature divided
  /// by the largest relevance, which is the factor by which relative errors grow.
  double relevance(const Row& row, std::span<const double> positive_mean,
                   std::span<const double> negative_mean, std::span<const double> gradient_term,
                   std::span<double> out) const;

  /// One end of a path in the model's space and, if that is another one, in the input space.
  struct End {
    std::span<const double> point, input;
  };
  End reference() const { return {values_->reference(), input_reference_}; }
  /// Calls use(d, x_d - r_d, half of the gradient of g by x_d) for every input feature d.
  template <class Use>
  void for_each_input(const End& row, const End& reference, std::span<const double> half_gradient,
                      const Use& use) const {
    if (!values_->has_matrix()) {
      for (std::size_t d = 0; d < half_gradient.size(); ++d)
        use(d, row.point[d] - reference.point[d], half_gradient[d]);
      return;
    }
    for (std::size_t d = 0; d < row.input.size(); ++d)
      use(d, row.input[d] - reference.input[d], linalg::dot(values_->map().row(d), half_gradient));
  }

 private:
  double relevance_behind_matrix(const Row& row, std::span<const double> positive_mean,
                                 std::span<const double> negative_mean,
                                 std::span<const double> gradient_term,
                                 std::span<double> out) const;

  std::vector<double> input_reference_;  // r0
  double eta_;
  std::shared_ptr<const PointValues> values_;
};

}  // namespace bisector::detail
