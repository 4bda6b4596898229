#include "core/neuralize/ranked_pools.h"

#include <algorithm>
#include <numeric>

#include "bisector/error.h"
#include "core/models/visit.h"
#include "core/models/votes.h"

namespace bisector::detail {
RankedPools::Labeled RankedPools::labeled(const Model& model) {
  return std::visit(
      Overloaded{[](const NeighborModel& m) {
                   return Labeled{m.shared_points(), m.classes(), m.labels().size(), m.k()};
                 },
                 [](const CentroidModel& m) {
                   std::vector<std::size_t> own(m.labels().size());
                   std::iota(own.begin(), own.end(), std::size_t{0});
                   return Labeled{m.shared_points(), std::move(own), m.labels().size(), 1};
                 },
                 [](const auto&) -> Labeled {
                   throw InvalidInput("a kernel machine, expected a model of neighbours");
                 }},
      model.predictor());
}

RankedPools::RankedPools(const Model& model) : RankedPools(labeled(model)) {}

RankedPools::RankedPools(const Labeled& model)
    : k_(model.k), search_(model.points, model.classes, model.class_count) {}

std::vector<linalg::GroupedNeighbors> RankedPools::nearest(MatrixView<const double> rows,
                                                           std::size_t kappa,
                                                           unsigned threads) const {
  // The k nearest for the vote, and the band of ranks around the largest q that k allows. No pool
  // has ranks beyond the number of points, and a sum with a larger kappa could wrap.
  const std::size_t band = std::min(kappa, points().rows());
  return search_.search(rows, std::max(k_, contrast_rank(k_, 0) + band), threads);
}

RankedPools::Decision RankedPools::decide(const linalg::GroupedNeighbors& nearest,
                                          const ClassChoice& choice) const {
  const std::vector<std::size_t> votes = neighbor_votes(nearest, k_);
  const std::size_t prediction = winner(votes);
  const std::size_t positive = choice.positive.value_or(prediction);
  const std::size_t negative =
      choice.negative ? *choice.negative : strongest_rival(nearest, votes, positive);
  RankedContrast contrast = contrast_classes(votes, positive, negative);
  contrast.tie = contrast.tie || depends_on_order(nearest, votes, k_);
  return {prediction, contrast, ranked_output(nearest, contrast),
          static_cast<double>(votes[positive]) - static_cast<double>(votes[negative])};
}

}  // namespace bisector::detail
