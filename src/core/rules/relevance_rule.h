// The eta rule: relevance from two moments per pool. Both engines fill the moments; this alone
// knows what they are and what becomes of them.
//
// With u' = u - c for any center c, the pools' means of u' and of u'*u' give
//
//     E_1   = 2 (x - c) (mean_P u' - mean_N u') + mean_N u'^2 - mean_P u'^2   (whatever c is)
//     E_eta = (1 - eta) 2 (x - r) (mean_P u' - mean_N u') + eta E_1
//
// so the center only keeps rounding small: the points' mean serves whole tiles, x itself is exact.
// Behind a matrix A the second moment becomes a*b with a = A^+ (u - r) and b = A^T (u - r), which
// METHOD's affine extension combines.
//
// Other distances are sums over features, too: seen from x, a point's values are minus half of the
// derivative of its part of the distance, and the part itself, in the place of u - x and its
// square.
//
// Path rules keep E_1 at x and take the first half along the ways from references to x.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/distance.h"
#include "bisector/matrix.h"

namespace bisector::detail {

class RelevanceRule {
 public:
  /// `input` is the map in front of the model, `reference` a point of the model's space and
  /// `input_reference` the same in the input space.
  RelevanceRule(const AffineMap& input, std::vector<double> reference,
                std::vector<double> input_reference, double eta, Distance distance = {});

  double eta() const { return eta_; }

  /// How many values a point contributes to the moments: its coordinates, and, unless eta is 0, as
  /// many second values as there are inputs.
  std::size_t columns() const;
  /// False where the second values are the squares of the coordinates, or none.
  bool has_own_values() const { return has_matrix() && eta_ != 0.0; }
  /// True where the center has to be x.
  bool is_seen_from_row() const { return !distance_.is_euclidean(); }
  /// The values of a point u, from u - c and c.
  void values(std::span<const double> centered, std::span<const double> center,
              std::span<double> out) const;
  /// The mean values of some points u, each given by where it starts; with weights that add up to
  /// one, their weighted mean.
  void mean_values(std::span<const double* const> points, std::span<const double> center,
                   std::span<double> mean, std::span<const double> weights = {}) const;

  /// A row: x0 before the preprocessing, and behind it x - c and c.
  struct Row {
    std::span<const double> input, centered, center;
  };
  /// The relevance of a row from the pools' means of the values. `gradient_term` is E_0 as the ways
  /// to the row make it: empty for the one at x. Returns how far the terms exceed their sum, as the
  /// largest term of any feature over the largest relevance: so much precision is lost.
  double relevance(const Row& row, std::span<const double> positive_mean,
                   std::span<const double> negative_mean, std::span<const double> gradient_term,
                   std::span<double> out) const;

  /// One end of a way in the model's space and, where that is another, in the input space.
  struct End {
    std::span<const double> point, input;
  };
  End reference() const { return {reference_, input_reference_}; }
  /// Adds `weight` 2 (x - r) (mean_P u - mean_N u), by input features, to a first half.
  void add_step(const End& row, const End& reference, std::span<const double> moment_difference,
                double weight, std::span<double> gradient_term) const;

 private:
  bool has_matrix() const { return map_.rows() > 0; }
  std::vector<double> to_inputs(const Matrix& matrix, std::span<const double> centered,
                                std::span<const double> center) const;
  double relevance_behind_matrix(const Row& row, std::span<const double> positive_mean,
                                 std::span<const double> negative_mean,
                                 std::span<const double> gradient_term,
                                 std::span<double> out) const;

  std::vector<double> reference_;        // r
  std::vector<double> input_reference_;  // r0
  double eta_;
  Distance distance_;
  Matrix map_;      // A^T, inputs x outputs, only where the inputs are mixed
  Matrix inverse_;  // A^+, inputs x outputs
};

}  // namespace bisector::detail
