// How strongly pairs of columns act together, over some rows of a report.
#pragma once

#include <optional>

#include "bisector/explain.h"
#include "bisector/interactions.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/report/report.h"

namespace bisector::report {

/// Means over rows that are spread evenly over the shown ones. How many follows from the cost.
class PairSummary {
 public:
  /// `is_asked`: any kernel machine of a distance, and more time. Otherwise product kernels only.
  /// Throws InvalidInput if pairs are asked for and the model has none or has too many.
  PairSummary(const Model& model, const Method& method, const ExplainOptions& explain,
              bool is_asked);

  /// Empty if the pairs were not asked for and would take long.
  std::optional<ReportPairs> operator()(MatrixView<const double> rows,
                                        const std::vector<std::size_t>& by_importance) const;

 private:
  std::size_t row_count(std::size_t rows) const;

  bool is_asked_;
  unsigned threads_;
  double cost_ = 0.0;                            // of one row
  std::optional<InteractionExplainer> explain_;  // empty: no pairs
};

}  // namespace bisector::report
