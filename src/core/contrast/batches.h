// Evaluation of functions at generated rows, in batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "bisector/baselines.h"
#include "bisector/matrix.h"

namespace bisector::detail {

/// Rows per batch: enough for every thread and its tiles, and at most 16 MB unless a tile is
/// larger.
constexpr std::size_t batch_rows(std::size_t columns) {
  constexpr std::size_t kMax = 4096, kLeast = 64, kNumbers = 2u << 20;
  return std::clamp(kNumbers / std::max<std::size_t>(columns, 1), kLeast, kMax);
}

/// Calls fill(i, row) for i < count, and evaluate(rows, first) for every batch of at most
/// batch_rows(columns) filled rows; `first` is the i of the first row of the batch.
template <class Fill, class Evaluate>
void in_batches(std::size_t count, std::size_t columns, const Fill& fill,
                const Evaluate& evaluate) {
  const std::size_t capacity = std::min(batch_rows(columns), count);
  Matrix batch(capacity, columns);
  for (std::size_t first = 0; first < count; first += capacity) {
    const std::size_t size = std::min(capacity, count - first);
    for (std::size_t i = 0; i < size; ++i) fill(first + i, batch.row(i));
    evaluate(batch.view().rows(0, size), first);
  }
}

/// Calls use(i, value) for i < count, in this order, with the function's value at the row that
/// fill(i, row) writes.
template <class Fill, class Use>
void evaluate_made_rows(const BatchFunction& function, std::size_t count, std::size_t columns,
                        const Fill& fill, const Use& use) {
  std::vector<double> values(std::min(batch_rows(columns), count));
  in_batches(count, columns, fill, [&](MatrixView<const double> rows, std::size_t first) {
    const auto batch_values = std::span(values).first(rows.rows());
    function(rows, batch_values);
    for (std::size_t i = 0; i < rows.rows(); ++i) use(first + i, batch_values[i]);
  });
}

/// The same with gradients.
template <class Fill, class Use>
void differentiate_made_rows(const BatchGradient& gradient, std::size_t count, std::size_t columns,
                             const Fill& fill, const Use& use) {
  Matrix gradients(std::min(batch_rows(columns), count), columns);
  in_batches(count, columns, fill, [&](MatrixView<const double> rows, std::size_t first) {
    gradient(rows, gradients.view().rows(0, rows.rows()));
    for (std::size_t i = 0; i < rows.rows(); ++i) use(first + i, std::as_const(gradients).row(i));
  });
}

/// The function's values at given rows.
std::vector<double> evaluate_rows(const BatchFunction& function, MatrixView<const double> rows);

/// Throws InvalidInput unless the reference is as long as the rows, at least one feature.
void require_reference(MatrixView<const double> rows, std::span<const double> reference);
/// The product; throws InvalidInput if it overflows.
std::size_t checked_product(std::initializer_list<std::size_t> factors);
/// Throws InvalidInput for a count of 0.
void require_some(std::size_t count, std::string_view what);

}  // namespace bisector::detail
