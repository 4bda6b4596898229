#include "core/contrast/contrast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bisector/error.h"
#include "core/models/rows.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

void require_finite_g(const Model& model, const RowDecision& decision) {
  if (std::isfinite(decision.g)) return;
  const bool is_negative_empty = decision.g > 0.0;
  const std::string pool =
      model.is_regressor()
          ? std::string(is_negative_empty ? "below" : "above")
          : model.labels()[is_negative_empty ? decision.negative : decision.positive];
  throw InvalidInput(
      fmt::format("g is infinite: class \"{}\" has fewer points than the rank at which the classes "
                  "are compared, expected more points or a method on f",
                  pool));
}

[[noreturn]] void refuse_pools() {
  throw InvalidInput(
      "a kernel of the dot product has no pools of points, expected a kernel of a distance");
}

}  // namespace

double output_of(const RowDecision& decision, ExplainedOutput output) {
  switch (output) {
    case ExplainedOutput::g:
      return decision.g;
    case ExplainedOutput::outcome:
      return decision.prediction == decision.positive ? 1.0 : -1.0;
    case ExplainedOutput::f:
    case ExplainedOutput::votes:
      break;
  }
  return decision.f;
}

TileMoments Contrast::moments(const RowTile&) const { refuse_pools(); }
ExactMeans Contrast::exact_means(const RowTile&, std::size_t, const TileMoments&) const {
  refuse_pools();
}
void Contrast::gradients_on_lines(MatrixView<const double>, const linalg::Lines<double>&, unsigned,
                                  const UseGradient&) const {
  refuse_pools();
}
PoolsAtRow Contrast::members(std::span<const double>) const { refuse_pools(); }
Network Contrast::network(std::span<const double>) const { refuse_pools(); }

BatchFunction Contrast::function(ExplainedOutput output) const {
  return [this, output](MatrixView<const double> rows, std::span<double> values) {
    for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
      const std::vector<RowDecision> decided = decide(tile);
      for (std::size_t r = 0; r < tile.count; ++r) {
        if (output == ExplainedOutput::g) require_finite_g(model_, decided[r]);
        values[tile.first + r] = output_of(decided[r], output);
      }
    });
  };
}

BatchGradient Contrast::gradient(ExplainedOutput output) const {
  return [this, output](MatrixView<const double> rows, MatrixView<double> gradients) {
    for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
      Matrix own(tile.count, model_.model_features());
      this->gradients(output, tile, own.view());
      for (std::size_t r = 0; r < tile.count; ++r)
        pull_back(model_.input(), own.row(r), gradients.row(tile.first + r));
    });
  };
}

std::vector<double> Contrast::g_at(const Matrix& points) const {
  std::vector<double> g;
  for (std::size_t first = 0; first < points.rows(); first += linalg::kRowTile) {
    const std::size_t count = std::min(linalg::kRowTile, points.rows() - first);
    const auto rows = points.view().rows(first, count);
    for (const RowDecision& decision : decide({first, count, rows, rows, threads_}))
      g.push_back(decision.g);
  }
  return g;
}

namespace {

std::size_t class_index(const Model& model, const std::string& label) {
  const std::vector<std::string> labels = model.labels();
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end())
    throw InvalidInput(fmt::format("the model has no class \"{}\", expected one of {}", label,
                                   fmt::join(labels, ", ")));
  return static_cast<std::size_t>(found - labels.begin());
}

}  // namespace

ClassChoice resolve_classes(const Model& model, const std::optional<std::string>& of_class,
                            const std::optional<std::string>& versus) {
  ClassChoice choice;
  if (of_class) choice.positive = class_index(model, *of_class);
  if (versus) choice.negative = class_index(model, *versus);
  if (choice.negative && !choice.positive && model.labels().size() > 2)
    throw InvalidInput("a class to contrast with, expected the class of interest with it");
  if (choice.positive && choice.positive == choice.negative)
    throw InvalidInput(
        fmt::format("class \"{}\" versus itself, expected two different classes", *versus));
  if (const auto fixed = model.fixed_pair()) {
    if (!choice.positive)
      choice.positive = choice.negative ? 1 - *choice.negative : fixed->positive;
    choice.negative = 1 - *choice.positive;
  }
  return choice;
}

Model::ClassPair choose_pair(const ClassChoice& choice, std::span<const double> scores) {
  const std::size_t positive = choice.positive.value_or(winner(scores));
  if (choice.negative) return {positive, *choice.negative};
  // A class other than `positive` even if sums of huge decision values are NaN.
  std::size_t rival = positive == 0 ? 1 : 0;
  for (std::size_t c = 0; c < scores.size(); ++c)
    if (c != positive && scores[c] > scores[rival]) rival = c;
  return {positive, rival};
}

}  // namespace bisector::detail
