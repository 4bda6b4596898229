#include "core/flips/row_goal.h"

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

Outcomes outcomes_of(Predictions predictions, bool is_regressor) {
  Outcomes result;
  result.classes = std::move(predictions.classes);
  result.are_known.assign(predictions.decisions.rows(), true);
  for (const std::size_t r : predictions.without_neighbors) result.are_known[r] = false;
  for (std::size_t r = 0; is_regressor && r < predictions.decisions.rows(); ++r)
    result.values.push_back(predictions.decisions(r, 0));
  return result;
}

}  // namespace

Matrix matrix_of(const std::vector<Row>& rows, std::size_t features) {
  Matrix matrix(rows.size(), features);
  for (std::size_t r = 0; r < rows.size(); ++r) std::ranges::copy(rows[r], matrix.row(r).begin());
  return matrix;
}

Outcomes FlipModel::predict(MatrixView<const double> rows) const {
  return outcomes_of(decide(rows), model.is_regressor());
}

RowGoal::RowGoal(const FlipModel& shared, std::span<const double> row)
    : shared_(shared),
      x_(row.begin(), row.end()),
      own_(outcomes_of(shared.decide({x_.data(), 1, x_.size()}), shared.model.is_regressor())) {
  if (!shared_.regions || !shared_.regions->has_majority() || model().input().has_matrix()) return;
  const MappedRows mapped =
      preprocessed(model().input(), {x_.data(), 1, x_.size()}, model().model_features());
  neighbors_.emplace(*shared_.regions, mapped.row(0), own_.classes[0]);
}

bool RowGoal::is_there() const { return shared_.to_class && own_.classes[0] == *shared_.to_class; }

bool RowGoal::is_goal(const Outcomes& outcomes, std::size_t row) const {
  if (!outcomes.are_known[row]) return false;
  if (shared_.model.is_regressor()) {
    const double value = outcomes.values[row], reach = *shared_.reach;
    return own_.values[0] < reach ? value >= reach : value <= reach;
  }
  if (shared_.to_class) return outcomes.classes[row] == *shared_.to_class;
  return outcomes.classes[row] != own_.classes[0];
}

std::vector<bool> RowGoal::flips(const std::vector<Row>& rows) const {
  std::vector<bool> result(rows.size());
  if (rows.empty()) return result;
  const Outcomes outcomes = shared_.predict(matrix_of(rows, x_.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) result[r] = is_goal(outcomes, r);
  return result;
}

std::vector<bool> RowGoal::likely_flips(const std::vector<Row>& rows) const {
  if (!neighbors_) return flips(rows);
  const Matrix inputs = matrix_of(rows, x_.size());
  const MappedRows mapped = preprocessed(model().input(), inputs, model().model_features());
  std::vector<bool> result(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) result[r] = neighbors_->flips(mapped.row(r));
  return result;
}

std::optional<std::size_t> RowGoal::first_likely(const std::vector<Row>& rows) const {
  // Neighbors are found row by row, kernels faster for all rows together.
  const std::vector<bool> together = neighbors_ ? std::vector<bool>() : flips(rows);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (neighbors_ ? likely_flips({rows[r]})[0] : together[r]) return r;
  return std::nullopt;
}

const Contrast* RowGoal::contrast(const Row& other) const {
  Model::ClassPair pair{0, 1};
  if (!model().is_regressor()) {
    pair = {own_.classes[0], outcome(other).classes[0]};
    if (pair.positive == pair.negative) pair.negative = shared_.to_class.value_or(pair.negative);
    if (pair.positive == pair.negative) {
      if (model().labels().size() != 2) return nullptr;
      pair.negative = 1 - pair.positive;
    }
  }
  try {
    return &shared_.contrasts.of(pair);
  } catch (const InvalidModel&) {
    return nullptr;
  }
}

bool RowGoal::is_rising() const {
  return model().is_regressor() && own_.values[0] < *shared_.reach;
}

std::optional<RowGoal::Slope> RowGoal::slope(const Contrast& contrast, const Row& row) const {
  const std::size_t features = model().model_features();
  const MatrixView<const double> input(row.data(), 1, row.size());
  const MappedRows mapped = preprocessed(model().input(), input, features);
  const RowTile tile{0, 1, input, mapped.view(), 1};
  Slope result{0.0, Row(row.size())};
  Matrix gradient(1, features);
  if (model().kernel() == nullptr) {
    const linalg::LineStep end{0, 1.0};
    const Matrix start(1, features);
    contrast.gradients_on_lines(
        mapped.view(), {start.view(), {&end, 1}}, 1,
        [&](std::size_t, std::size_t, std::span<const double> half, double factor) {
          for (std::size_t d = 0; d < features; ++d) gradient(0, d) = 2.0 * factor * half[d];
        });
  } else if (model().kernel()->is_of_distance()) {
    const TileMoments moments = contrast.moments(tile);
    result.value = moments.decisions[0].g;
    for (std::size_t d = 0; d < features; ++d)
      gradient(0, d) = 2.0 * (moments.half_gradients.rows() > 0
                                  ? moments.half_gradients(0, d)
                                  : moments.positive[0].mean[d] - moments.negative[0].mean[d]);
  } else {
    result.value = contrast.decide(tile)[0].f;
    contrast.gradients(ExplainedOutput::f, tile, gradient.view());
  }
  pull_back(model().input(), gradient.row(0), result.gradient);
  result.value *= sign();
  bool is_finite = std::isfinite(result.value);
  for (double& entry : result.gradient) {
    entry *= sign();
    is_finite = is_finite && std::isfinite(entry);
  }
  if (!is_finite) return std::nullopt;
  return result;
}

}  // namespace bisector::detail
