// The data columns behind a model's features.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/report/report.h"

namespace bisector::report {

/// `names` are used if the model has none.
std::vector<ReportColumn> columns_of(const Model& model, const std::vector<std::string>& names);

/// The values of the columns of a row. A one-hot column has the position of its largest feature.
void column_values(const std::vector<ReportColumn>& columns, std::span<const double> features,
                   std::span<double> values);

/// Relevance summed over the features of each column.
Matrix by_column(const Model& model, const Matrix& relevance);

/// The group of every feature. Throws InvalidInput unless every column is in one group.
std::vector<std::size_t> players_of(const std::vector<ReportColumn>& columns,
                                    const std::vector<ReportGroup>& groups);

/// Inverts the preprocessing: exactly if it is feature-wise, else to the nearest point with the
/// same image.
class BackMap {
 public:
  explicit BackMap(const AffineMap& map);
  std::vector<double> operator()(std::span<const double> point) const;

 private:
  const AffineMap& map_;
  Matrix inverse_;  // of the matrix, inputs x outputs
};

}  // namespace bisector::report
