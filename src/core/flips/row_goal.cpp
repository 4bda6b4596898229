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

Matrix matrix_of(const std::vector<Row>& rows, std::size_t features) {
  Matrix matrix(rows.size(), features);
  for (std::size_t r = 0; r < rows.size(); ++r) std::ranges::copy(rows[r], matrix.row(r).begin());
  return matrix;
}

}  // namespace

Outcomes FlipModel::predict(MatrixView<const double> rows) const {
  return outcomes_of(decide(rows), model.is_regressor());
}

RowGoal::RowGoal(const FlipModel& shared, std::span<const double> row)
    : shared_(shared),
      x_(row.begin(), row.end()),
      own_(outcomes_of(shared.decide({x_.data(), 1, x_.size()}), shared.model.is_regressor())) {
  if (!shared_.regions || !shared_.regions->has_majority() || model().input().has_matrix()) return;
  neighbors_.emplace(*shared_.regions, in_model_space({x_}).row(0), own_.classes[0]);
}

Matrix RowGoal::in_model_space(const std::vector<Row>& rows) const {
  const Matrix inputs = matrix_of(rows, x_.size());
  return preprocessed(model().input(), inputs, model().model_features()).copy();
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
  const Matrix mapped = in_model_space(rows);
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

std::vector<std::optional<RowGoal::Slope>> RowGoal::slopes(const Contrast& contrast,
                                                           const std::vector<Row>& rows) const {
  const std::size_t count = rows.size(), features = model().model_features();
  const Matrix inputs = matrix_of(rows, x_.size());
  const MappedRows mapped = preprocessed(model().input(), inputs, features);
  const RowTile tile{0, count, inputs, mapped.view(), 1};
  std::vector<double> values(count, 0.0);
  Matrix gradients(count, features);
  if (model().kernel() == nullptr) {
    const linalg::LineStep end{0, 1.0};
    const Matrix start(1, features);
    contrast.gradients_on_lines(
        mapped.view(), {start.view(), {&end, 1}}, 1,
        [&](std::size_t r, std::size_t, std::span<const double> half, double factor) {
          for (std::size_t d = 0; d < features; ++d) gradients(r, d) = 2.0 * factor * half[d];
        });
  } else if (model().kernel()->is_of_distance()) {
    const TileMoments moments = contrast.moments(tile);
    for (std::size_t r = 0; r < count; ++r) {
      values[r] = moments.decisions[r].g;
      for (std::size_t d = 0; d < features; ++d)
        gradients(r, d) = 2.0 * (moments.half_gradients
                                     ? (*moments.half_gradients)(r, d)
                                     : moments.positive[r].mean[d] - moments.negative[r].mean[d]);
    }
  } else {
    const std::vector<RowDecision> decisions = contrast.decide(tile);
    for (std::size_t r = 0; r < count; ++r) values[r] = decisions[r].f;
    contrast.gradients(ExplainedOutput::f, tile, gradients.view());
  }
  std::vector<std::optional<Slope>> result(count);
  for (std::size_t r = 0; r < count; ++r) {
    Slope slope{sign() * values[r], Row(x_.size())};
    pull_back(model().input(), gradients.row(r), slope.gradient);
    for (double& entry : slope.gradient) entry *= sign();
    if (std::isfinite(slope.value) &&
        std::ranges::all_of(slope.gradient, [](double entry) { return std::isfinite(entry); }))
      result[r] = std::move(slope);
  }
  return result;
}

}  // namespace bisector::detail
