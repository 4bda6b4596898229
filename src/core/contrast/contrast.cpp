#include "core/contrast/contrast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "core/models/rows.h"

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

}  // namespace bisector::detail
