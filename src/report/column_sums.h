// Sums over all rows of a report, column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "bisector/report/report.h"
#include "report/report_columns.h"

namespace bisector::report {

/// Sums over the rows, for the means of the columns.
class ColumnSums {
 public:
  explicit ColumnSums(std::size_t columns) : columns_(columns) {}

  void add(std::span<const double> values, std::span<const double> relevance) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      ColumnSummary& sum = columns_[c];
      sum.mean_for += std::max(relevance[c], 0.0);
      sum.mean_against += std::max(-relevance[c], 0.0);
      sum.mean += values[c];
      sum.least = rows_ == 0 ? values[c] : std::min(sum.least, values[c]);
      sum.most = rows_ == 0 ? values[c] : std::max(sum.most, values[c]);
    }
    ++rows_;
  }

  /// Counts the imputed columns of a row.
  void add_imputed(std::span<const std::size_t> columns) {
    for (const std::size_t c : columns) ++columns_[c].imputed;
    imputed_rows_ += columns.empty() ? 0 : 1;
  }

  std::size_t rows() const { return rows_; }
  std::size_t imputed_rows() const { return imputed_rows_; }

  std::vector<ColumnSummary> means() const {
    std::vector<ColumnSummary> result = columns_;
    for (ColumnSummary& column : result) {
      for (double* sum : {&column.mean_for, &column.mean_against, &column.mean})
        *sum /= static_cast<double>(rows_);
      column.mean_absolute = column.mean_for + column.mean_against;
    }
    return result;
  }

 private:
  std::vector<ColumnSummary> columns_;
  std::size_t rows_ = 0, imputed_rows_ = 0;
};

/// The columns that are explained on their own and the groups, the most important first.
inline std::vector<std::size_t> order_of(const std::vector<ColumnSummary>& summary,
                                         const std::vector<ReportColumn>& columns) {
  const std::vector<std::size_t> explained = explained_as(columns);
  std::vector<std::size_t> order(summary.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t c) { return explained[c] != c; });
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t c) { return summary[c].mean_absolute; });
  return order;
}

/// The mean without the smallest and the largest tenth.
inline double trimmed_mean(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t cut = values.size() / 10;
  const auto kept = std::span(values).subspan(cut, values.size() - 2 * cut);
  return std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
}

}  // namespace bisector::report
