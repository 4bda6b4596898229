// The columns of the data behind a model's features: values as a reader knows them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/report/report.h"

namespace bisector::report {

/// `names` serve a model without names of its own.
std::vector<ReportColumn> columns_of(const Model& model, const std::vector<std::string>& names);

/// A row's features as the values of its columns; of a one-hot column the level that is highest.
void column_values(const std::vector<ReportColumn>& columns, std::span<const double> features,
                   std::span<double> values);

/// Relevance of features summed onto the columns.
Matrix by_column(const Model& model, const Matrix& relevance);

/// Takes points of the model back in front of its preprocessing: exactly where that goes feature by
/// feature, else to the nearest point that is mapped there.
class BackMap {
 public:
  explicit BackMap(const AffineMap& map);
  std::vector<double> operator()(std::span<const double> point) const;

 private:
  const AffineMap& map_;
  Matrix inverse_;  // of the matrix, inputs x outputs
};

}  // namespace bisector::report
