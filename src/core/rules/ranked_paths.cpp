#include "core/rules/ranked_paths.h"

#include <algorithm>
#include <map>

namespace bisector::detail {

using Side = RankedPools::Side;

double RankedRule::pool_mean(const linalg::GroupedNeighbors& found,
                             const RankedPools::Decision& decision, Side side,
                             std::span<const double> center, std::span<double> mean) const {
  const auto pool = RankedPools::pool(found, decision, side);
  const RankedPools::Responsible who = pools->responsible(found, decision, side, kappa);
  if (who.count == 0) {
    rule.values(std::vector<double>(center.size(), 0.0), center, mean);
    return who.scale;
  }
  std::vector<const double*> points;
  points.reserve(who.count);
  for (std::size_t n = 0; n < who.count; ++n)
    points.push_back(pools->points().row(pool[who.first + n].index).data());
  rule.mean_values(points, center, mean, who.weights);
  return who.scale;
}

const Paths& RankedPaths::to(const RankedPools::Decision& decision) const {
  const Model::ClassPair pair{decision.contrast.positive, decision.contrast.negative};
  return paths_
      .get(pair,
           [this](Model::ClassPair of) {
             const auto outputs = [&](MatrixView<const double> points) {
               std::vector<double> g;
               for (const auto& found : rule_.pools->nearest(points, 0))
                 g.push_back(rule_.pools->decide(found, {of.positive, of.negative}).g);
               return g;
             };
             return std::make_unique<const ContrastPaths>(plan_, outputs);
           })
      .to(decision.g);
}

/// Adds a step of a row's way to its half, from what was found at the point of the way.
void RankedPaths::add_step(const RelevanceRule::End& row, const Paths& ways, std::size_t step,
                           const ClassChoice& pair, const linalg::GroupedNeighbors& found,
                           StepSpace& space, std::span<double> half) const {
  const RankedPools::Decision at_point = rule_.pools->decide(found, pair);
  // The first moments of Euclidean pools do not depend on the center, and around the row they lose
  // less to rounding. Other parts are seen from the point, and those of a detector's points do not
  // add up to one.
  auto center = row.point;
  if (!rule_.pools->have_means()) {
    linalg::point_on_line(center, {ways.references.view(), {}}, ways.steps[step], space.point);
    center = space.point;
  }
  const double scale = rule_.pool_mean(found, at_point, Side::positive, center, space.positive) *
                       rule_.pool_mean(found, at_point, Side::negative, center, space.negative);
  const std::size_t features = row.point.size();
  for (std::size_t d = 0; d < features; ++d) space.positive[d] -= space.negative[d];
  const std::size_t start = ways.steps[step].start;
  const bool is_mixed = ways.input_references.rows() > 0;
  rule_.rule.add_step(row,
                      {ways.references.row(start),
                       is_mixed ? ways.input_references.row(start) : std::span<const double>()},
                      std::span<const double>(space.positive).first(features),
                      scale / static_cast<double>(ways.steps.size()), half);
}

Matrix RankedPaths::gradient_term(MatrixView<const double> rows, MatrixView<const double> inputs,
                                  std::span<const RankedPools::Decision> decided,
                                  unsigned threads) const {
  std::map<const Paths*, std::vector<std::size_t>> together;  // the rows with the same ways
  for (std::size_t r = 0; r < rows.rows(); ++r) together[&to(decided[r])].push_back(r);
  // So many steps at once, that what is found at them needs little memory.
  constexpr std::size_t kStepsAtOnce = 32;
  Matrix half(rows.rows(), inputs.cols());
  StepSpace space{std::vector<double>(rule_.rule.columns()),
                  std::vector<double>(rule_.rule.columns()), std::vector<double>(rows.cols())};
  for (const auto& [ways, members] : together) {
    const Matrix own = gather_rows(rows, members);
    for (std::size_t first = 0; first < ways->steps.size(); first += kStepsAtOnce) {
      const auto steps =
          std::span(ways->steps).subspan(first, std::min(kStepsAtOnce, ways->steps.size() - first));
      const auto found = rule_.pools->nearest_on_lines(own.view(), {ways->references.view(), steps},
                                                       rule_.kappa, threads);
      for (std::size_t m = 0; m < members.size(); ++m) {
        const std::size_t r = members[m];
        const ClassChoice pair{decided[r].contrast.positive, decided[r].contrast.negative};
        for (std::size_t s = 0; s < steps.size(); ++s)
          add_step({rows.row(r), inputs.row(r)}, *ways, first + s, pair,
                   found[m * steps.size() + s], space, half.row(r));
      }
    }
  }
  return half;
}

}  // namespace bisector::detail
