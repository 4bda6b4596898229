#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/random.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"

namespace bisector {

using namespace detail;

namespace {

/// The orders of removal of some rows: entry (row, sequence, step) is the feature that is removed
/// at this step.
class RemovalOrders {
 public:
  RemovalOrders(std::span<const std::size_t> row_numbers, std::size_t features,
                const SampledShapley& options)
      : features_(features),
        orders_(checked_product({row_numbers.size(), options.sequences, features})) {
    auto rest = std::span(orders_);
    for (const std::size_t number : row_numbers) {
      Random random(derived_seed(options.seed, number));
      for (std::size_t s = 0; s < options.sequences; ++s, rest = rest.subspan(features)) {
        const auto order = rest.first(features);
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(order);
      }
    }
  }

  /// The order of sequence number `sequence`, counted through all rows.
  std::span<const std::size_t> of(std::size_t sequence) const {
    return std::span(orders_).subspan(sequence * features_, features_);
  }

 private:
  std::size_t features_;
  std::vector<std::size_t> orders_;
};

/// Sums over sequences of the decrease of f at the step of each feature, and of its square.
struct Decreases {
  MatrixView<double> sum, squares;

  void add(std::size_t row, std::size_t feature, double decrease) const {
    sum(row, feature) += decrease;
    squares(row, feature) += decrease * decrease;
  }
};

/// Adds the decreases of rows whose orders are drawn together. `full` are the rows' values and
/// `empty` is f(r).
void sample(const BatchFunction& function, MatrixView<const double> rows,
            std::span<const double> reference, const RemovalOrders& orders, std::size_t sequences,
            std::span<const double> full, double empty, const Decreases& decreases) {
  const std::size_t features = rows.cols();
  // The last step of a sequence leaves the reference itself, whose value is known.
  const std::size_t steps = features - 1;
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const std::size_t sequence = i / steps;
    std::ranges::copy(rows.row(sequence / sequences), row.begin());
    for (const std::size_t d : orders.of(sequence).first(i % steps + 1)) row[d] = reference[d];
  };
  double before = 0.0;
  const auto use = [&](std::size_t i, double after) {
    const std::size_t sequence = i / steps, step = i % steps, row = sequence / sequences;
    const auto order = orders.of(sequence);
    if (step == 0) before = full[row];
    decreases.add(row, order[step], before - after);
    if (step + 1 == steps) decreases.add(row, order[step + 1], after - empty);
    before = after;
  };
  evaluate_made_rows(function, checked_product({rows.rows(), sequences, steps}), features, fill,
                     use);
}

BaselineResult sampled(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::span<const std::size_t> row_numbers) {
  require_reference(rows, reference);
  require_some(options.sequences, "sequences");
  if (row_numbers.size() != rows.rows())
    throw InvalidInput(fmt::format("{} row numbers, expected {}: one for each row",
                                   row_numbers.size(), rows.rows()));
  const std::size_t features = rows.cols();
  const std::vector<double> full = evaluate_rows(function, rows);
  const double empty = evaluate_rows(function, {reference.data(), 1, features}).front();
  Matrix relevance(rows.rows(), features), squares(rows.rows(), features);
  if (features == 1) {  // nothing to order
    for (std::size_t r = 0; r < rows.rows(); ++r) relevance(r, 0) = full[r] - empty;
    return {std::move(relevance), std::move(squares)};
  }
  // The orders of as many rows as fill a batch are drawn together, at least those of one row.
  const std::size_t together = std::max<std::size_t>(
      1, batch_rows(features) / checked_product({options.sequences, features}));
  for (std::size_t first = 0; first < rows.rows(); first += together) {
    const std::size_t count = std::min(together, rows.rows() - first);
    const RemovalOrders orders(row_numbers.subspan(first, count), features, options);
    sample(function, rows.rows(first, count), reference, orders, options.sequences,
           std::span(full).subspan(first, count), empty,
           {relevance.view().rows(first, count), squares.view().rows(first, count)});
  }
  const auto sequences = static_cast<double>(options.sequences);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < features; ++d) {
      relevance(r, d) /= sequences;
      const double variance = squares(r, d) / sequences - relevance(r, d) * relevance(r, d);
      squares(r, d) =
          options.sequences < 2 ? 0.0 : std::sqrt(std::max(0.0, variance) / (sequences - 1.0));
    }
  }
  return {std::move(relevance), std::move(squares)};
}

}  // namespace

Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::span<const std::size_t> row_numbers) {
  return sampled(function, rows, reference, options, row_numbers).relevance;
}

Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::size_t first_row) {
  std::vector<std::size_t> numbers(rows.rows());
  std::iota(numbers.begin(), numbers.end(), first_row);
  return sampled_shapley(function, rows, reference, options, numbers);
}

}  // namespace bisector

namespace bisector::detail {

Baseline make_baseline(const SampledShapley& method, const BaselineInput& in) {
  require_some(method.sequences, "sequences");
  return [=](const PairRows& of) {
    return sampled(of.contrast.function(method.output), of.rows, in.reference, method, of.numbers);
  };
}

}  // namespace bisector::detail
