#include "core/contrast/ranked_contrast_function.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "core/models/tiles.h"

namespace bisector::detail {

RankedContrastFunction::RankedContrastFunction(const Model& model,
                                               std::shared_ptr<const RankedPools> pools,
                                               unsigned threads)
    : model_(model), threads_(threads), pools_(std::move(pools)) {}

template <class Use>
void RankedContrastFunction::for_each_row(Model::ClassPair pair, MatrixView<const double> rows,
                                          const Use& use) const {
  const ClassChoice choice{pair.positive, pair.negative};
  for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
    const auto nearest = pools_->nearest(tile.rows, 0, tile.threads);
    for (std::size_t r = 0; r < tile.count; ++r)
      use(tile.first + r, pools_->decide(nearest[r], choice));
  });
}

std::string RankedContrastFunction::group_name(std::size_t group) const {
  if (!model_.is_regressor()) return model_.labels()[group];
  return group == Voters::above ? "above the level" : "below the level";
}

void RankedContrastFunction::f(Model::ClassPair pair, MatrixView<const double> rows,
                               std::span<double> values) const {
  for_each_row(pair, rows, [&](std::size_t r, const RankedPools::Decision& decision) {
    values[r] = model_.is_regressor()                  ? decision.vote_difference
                : decision.prediction == pair.positive ? 1.0
                                                       : -1.0;
  });
}

void RankedContrastFunction::votes(Model::ClassPair pair, MatrixView<const double> rows,
                                   std::span<double> values) const {
  for_each_row(pair, rows, [&](std::size_t r, const RankedPools::Decision& decision) {
    values[r] = decision.vote_difference;
  });
}

void RankedContrastFunction::g(Model::ClassPair pair, MatrixView<const double> rows,
                               std::span<double> values) const {
  for_each_row(pair, rows, [&](std::size_t r, const RankedPools::Decision& decision) {
    if (!std::isfinite(decision.g))
      throw InvalidInput(fmt::format(
          "g is infinite: class \"{}\" has fewer points than the rank {} at which the "
          "classes are compared, expected more points or a method on f",
          group_name(decision.g > 0.0 ? pair.negative : pair.positive),
          decision.g > 0.0 ? decision.contrast.negative_rank : decision.contrast.positive_rank));
    values[r] = decision.g;
  });
}

}  // namespace bisector::detail
