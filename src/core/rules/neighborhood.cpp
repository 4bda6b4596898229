#include "core/rules/neighborhood.h"

#include <algorithm>
#include <utility>

#include "bisector/predict.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"
#include "core/util/parallel.h"

namespace bisector::detail {
namespace {

constexpr std::size_t kMaxRows = 2000, kSmallest = 10;

/// The responsibility of ranks 1, 2, ... of a pool: the mean over k = 10, 20, 40, ... within it of
/// 1/k for the k nearest. A smaller pool is one neighborhood.
std::vector<double> rank_responsibilities(std::size_t pool) {
  std::vector<std::size_t> sizes{std::min(kSmallest, pool)};
  while (2 * sizes.back() <= pool && pool >= kSmallest) sizes.push_back(2 * sizes.back());
  std::vector<double> p(sizes.back(), 0.0);
  for (const std::size_t k : sizes) {
    for (std::size_t rank = 0; rank < k; ++rank)
      p[rank] += 1.0 / (static_cast<double>(k) * static_cast<double>(sizes.size()));
  }
  return p;
}

}  // namespace

Neighborhood::Neighborhood(const Model& model, OptionalRows background, double level,
                           std::uint64_t seed, unsigned threads)
    : model_(model), threads_(threads) {
  DrawnRows drawn = draw_rows(model, background, kMaxRows, seed);
  rows_ = std::move(drawn.model_space);
  const Predictions predictions =
      DecisionFunction(model, Precision::float64, threads)(drawn.input_space.view());
  if (model.input().has_matrix()) input_rows_ = std::move(drawn.input_space);
  // Rows outside one class have nothing in common, so they form no pool.
  const bool is_one_class = model.is_detector();
  classes_.resize(std::max<std::size_t>(2, model.labels().size()));
  for (std::size_t n = 0; n < rows_.rows(); ++n) {
    std::size_t side = 0;
    if (model.is_regressor())
      side = predictions.decisions(n, 0) > level ? 0 : 1;
    else if (!is_one_class)
      side = predictions.classes[n];
    classes_[side].push_back(n);
  }
}

Matrix Neighborhood::operator()(MatrixView<const double> rows,
                                std::span<const std::size_t> positive,
                                std::span<const std::size_t> negative) const {
  Matrix relevance(rows.rows(), rows.cols());
  const MappedRows mapped = preprocessed(model_.input(), rows, model_.model_features());
  util::parallel_for(rows.rows(), threads_, [&] {
    return [&](std::size_t r) {
      add_class(positive[r], rows.row(r), mapped.row(r), -1.0, relevance.row(r));
      add_class(negative[r], rows.row(r), mapped.row(r), 1.0, relevance.row(r));
    };
  });
  return relevance;
}

/// Adds sign * sum_b p_b (x - b)^2. For inputs that a matrix mixes this is
/// sign * sum_b p_b (x0 - b0) (A^T (x - b)), which has the same sum; for other distances the terms
/// are the parts of the distance.
void Neighborhood::add_class(std::size_t side, std::span<const double> input,
                             std::span<const double> row, double sign,
                             std::span<double> relevance) const {
  const bool is_euclidean = model_.distance().is_euclidean();
  const linalg::RowDistance from(model_.distance(), row);
  std::vector<std::pair<double, std::size_t>> nearest;
  for (const std::size_t n : classes_[side])
    nearest.emplace_back(
        is_euclidean ? linalg::squared_distance(row, rows_.row(n)) : from.sum(rows_.row(n).data()),
        n);
  if (nearest.empty()) return;
  std::ranges::sort(nearest);
  const std::vector<double> p = rank_responsibilities(nearest.size());
  std::vector<double> difference(row.size()), at_inputs(input.size());
  for (std::size_t rank = 0; rank < p.size(); ++rank) {
    const std::size_t n = nearest[rank].second;
    if (!is_euclidean) {
      from.add(rows_.row(n).data(), sign * p[rank], difference, relevance);
      continue;
    }
    for (std::size_t d = 0; d < row.size(); ++d) difference[d] = row[d] - rows_(n, d);
    if (!model_.input().has_matrix()) {
      for (std::size_t d = 0; d < row.size(); ++d)
        relevance[d] += sign * p[rank] * difference[d] * difference[d];
      continue;
    }
    pull_back(model_.input(), difference, at_inputs);
    for (std::size_t d = 0; d < input.size(); ++d)
      relevance[d] += sign * p[rank] * (input[d] - input_rows_(n, d)) * at_inputs[d];
  }
}

void blend(double share, std::span<const double> neighborhood, std::span<double> relevance) {
  const double size = linalg::absolute_sum(neighborhood);
  const double scale = share == 1.0 ? 1.0
                       : size > 0.0 ? linalg::absolute_sum(relevance) / size
                                    : 0.0;
  for (std::size_t d = 0; d < relevance.size(); ++d)
    relevance[d] = (1.0 - share) * relevance[d] + share * scale * neighborhood[d];
}

}  // namespace bisector::detail
