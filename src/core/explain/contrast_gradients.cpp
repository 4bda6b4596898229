#include "core/explain/contrast_gradients.h"

#include <fmt/format.h>

#include <vector>

#include "bisector/error.h"
#include "core/contrast/pair_groups.h"
#include "core/models/rows.h"
#include "core/models/tiles.h"

namespace bisector::detail {
namespace {

void require_pair(const Model& model, Model::ClassPair pair) {
  const std::size_t classes = model.is_regressor() ? 2 : model.labels().size();
  if (pair.positive < classes && pair.negative < classes && pair.positive != pair.negative) return;
  throw InvalidInput(fmt::format("the pair of classes {} and {}, expected two of {} classes",
                                 pair.positive, pair.negative, classes));
}

void require_gradients(const Model& model, MatrixView<const double> rows,
                       std::span<const Model::ClassPair> pairs) {
  require_rows(model, rows);
  if (pairs.size() != rows.rows())
    throw InvalidInput(fmt::format("{} pairs of classes, expected one for each of {} rows",
                                   pairs.size(), rows.rows()));
  if (!model.distance().categories().empty())
    throw InvalidInput(
        "the gradient of a model with categories was asked for, which have none; expected a model "
        "of numbers");
  for (const Model::ClassPair pair : pairs) require_pair(model, pair);
}

}  // namespace

ContrastGradients contrast_gradients(const Contrasts& contrasts, MatrixView<const double> rows,
                                     std::span<const Model::ClassPair> pairs) {
  const Model& model = contrasts.model();
  require_gradients(model, rows, pairs);
  ContrastGradients result{std::vector<double>(rows.rows()), Matrix(rows.rows(), model.features())};
  std::vector<RowDecision> of_pairs(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    of_pairs[r].positive = pairs[r].positive;
    of_pairs[r].negative = pairs[r].negative;
  }
  for (const auto& [classes, members] : group_by_pair(of_pairs)) {
    const Matrix own = gather_rows(rows, members);
    const Contrast& contrast = contrasts.of({classes.first, classes.second});
    const std::span<const std::size_t> numbers(members);  // clang 14 captures no binding
    for_each_tile(model, own.view(), contrasts.threads(), [&](const RowTile& tile) {
      const std::vector<RowDecision> decided = contrast.decide(tile);
      Matrix gradients(tile.count, model.model_features());
      contrast.gradients(ExplainedOutput::g, tile, gradients.view());
      for (std::size_t r = 0; r < tile.count; ++r) {
        const std::size_t row = numbers[tile.first + r];
        result.g[row] = decided[r].g;
        pull_back(model.input(), gradients.row(r), result.gradient.row(row));
      }
    });
  }
  return result;
}

}  // namespace bisector::detail
