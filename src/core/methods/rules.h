// The rules of layer-wise relevance propagation, which are presets of one, and the neighborhood
// rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/affine_map.h"
#include "bisector/distance.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/point_values.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/vectors.h"
#include "core/methods/attribution.h"

namespace bisector::detail {

/// An LRP rule. lrp has no steps, lrp-path steps from the reference point, and lrp-expected one
/// step from each of many references. explain/resolve.cpp decides what a preset leaves open.
struct Lrp {
  double eta = 0.0;            // the weight of the midpoint term
  std::size_t steps = 0;       // of the gradient term along paths; 0: it is that at the row
  std::size_t references = 0;  // drawn from the data; 0: the reference point alone
  ReferenceSide side = ReferenceSide::all;  // of the references that are drawn
  std::uint64_t seed = 0;
};

/// The relevance of one row from two moments per pool. With u' = u - c for any center c, the pools'
/// means of u' and of u'*u' give
///
///     E_1   = 2 (x - c) (mean_P u' - mean_N u') + mean_N u'^2 - mean_P u'^2   (for every c)
///     E_eta = (1 - eta) 2 (x - r) (mean_P u' - mean_N u') + eta E_1
///
/// so the center only keeps rounding small: the points' mean serves whole tiles, x itself is exact.
/// PointValues says what the moments are behind a matrix and for other distances. Path rules keep
/// E_1 at x and average the gradient term along paths from references to x.
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

class GradientsOnPaths;

/// An LRP rule ready for the contrasts of a model.
class PreparedLrp {
 public:
  /// `rule`, which has the eta of `lrp`, and `contrasts` with their options outlive this object.
  PreparedLrp(const Lrp& lrp, const RelevanceRule& rule, const Contrasts& contrasts,
              const ContrastOptions& options, OptionalRows background);
  PreparedLrp(PreparedLrp&&) noexcept;
  ~PreparedLrp();

  Attribution explain(const RowDecider& decide, const InputRows& in) const;
  ExplainedOutput output() const { return ExplainedOutput::g; }
  bool has_errors() const;
  Accounting accounting(const RowDecision& decision) const;

 private:
  std::vector<RowDecision> explain_tile(const Contrast& contrast, const RowTile& tile,
                                        std::span<const std::size_t> places,
                                        Attribution& result) const;
  /// E_0 at the rows where the difference of the means does not give it; else without columns.
  Matrix gradient_term_at_rows(const RowTile& tile, const TileMoments& moments) const;
  void explain_row(const Contrast& contrast, const RowTile& tile, std::size_t r,
                   const TileMoments& moments, std::span<const double> gradient_term,
                   std::span<double> relevance) const;

  const RelevanceRule* rule_;
  std::unique_ptr<const GradientsOnPaths> paths_;  // null: the gradient term is that at the row
};

/// The neighborhood rule: mean distances, per feature, to background rows of the two classes.
class Neighborhood {
 public:
  /// Takes at most 2,000 rows of the background or of the model's points, drawn with the seed and
  /// labeled by the model (regressors: 0 above the level, 1 below).
  Neighborhood(const Model& model, OptionalRows background, double level, std::uint64_t seed,
               unsigned threads);

  /// The relevance of every row of the input space for its pair of classes. A class without rows
  /// adds nothing.
  Matrix relevance(MatrixView<const double> rows, std::span<const RowDecision> decided) const;

  Attribution explain(const RowDecider& decide, const InputRows& in) const;
  ExplainedOutput output() const { return ExplainedOutput::g; }
  bool has_errors() const { return false; }
  Accounting accounting(const RowDecision&) const { return {Conversion::scale, false}; }

 private:
  void add_class(std::size_t side, std::span<const double> input, std::span<const double> row,
                 double sign, std::span<double> relevance) const;

  Model model_;
  unsigned threads_;
  Matrix rows_;                                    // behind the preprocessing
  Matrix input_rows_;                              // before it, if it mixes features
  std::vector<std::vector<std::size_t>> classes_;  // the rows of each
};

}  // namespace bisector::detail
