// The data columns behind a model's features.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/report/report.h"

namespace bisector::report {

/// The columns of the data, then the groups. `names` are used if the model has none. Throws
/// InvalidInput for an empty group, an unknown column, a column of two groups, and a group with the
/// name of a column.
std::vector<ReportColumn> columns_of(const Model& model, const std::vector<std::string>& names,
                                     const std::vector<ReportGroup>& groups);

/// The values of the columns of a row. A one-hot column has the position of its largest feature, a
/// group has 0.
void column_values(const std::vector<ReportColumn>& columns, std::span<const double> features,
                   std::span<double> values);

/// The group of each column, or the column itself.
std::vector<std::size_t> explained_as(const std::vector<ReportColumn>& columns);

/// The player of each input feature if there are groups; else empty.
std::vector<std::size_t> players_of(const std::vector<ReportColumn>& columns, const Model& model);

/// Relevance summed over the features of each column, or of the group that the column is in.
Matrix by_column(const Model& model, const std::vector<ReportColumn>& columns,
                 const Matrix& relevance);

/// The given columns with the members of a group in its place.
std::vector<std::size_t> value_columns(const std::vector<ReportColumn>& columns,
                                       const std::vector<std::size_t>& given);

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
