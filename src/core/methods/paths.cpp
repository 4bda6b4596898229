#include "core/methods/paths.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "bisector/random.h"
#include "core/contrast/contrast.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

/// The midpoints of equal parts of the path, one for each reference. Of some random orders this is
/// the one that is least correlated with the features of the references.
std::vector<double> spread_fractions(const Matrix& rows, const std::vector<std::size_t>& chosen,
                                     std::uint64_t seed) {
  constexpr std::size_t kOrders = 64;
  const auto count = static_cast<double>(chosen.size());
  std::vector<double> order(chosen.size()), best;
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = (static_cast<double>(s) + 0.5) / count;
  const Matrix moments = standard_moments(gather_rows(rows, chosen));
  Random random(seed);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kOrders; ++i) {
    random.shuffle(std::span(order));
    std::vector<double> covariance(moments.cols(), 0.0);
    for (std::size_t s = 0; s < order.size(); ++s) {
      for (std::size_t v = 0; v < covariance.size(); ++v)
        covariance[v] += (order[s] - 0.5) * moments(s, v);
    }
    const double size = linalg::squared_norm(covariance);
    if (!best.empty() && size >= smallest) continue;
    smallest = size;
    best = order;
  }
  return best;
}

/// The standard errors of the means of terms that come step by step, for some rows.
class StepErrors {
 public:
  StepErrors(std::size_t rows, std::size_t features)
      : counts_(rows), means_(rows, features), squares_(rows, features) {}

  void add(std::size_t row, std::span<const double> terms) {
    const double count = ++counts_[row];
    double* const means = means_.row(row).data();
    double* const squares = squares_.row(row).data();
    for (std::size_t d = 0; d < terms.size(); ++d) {
      const double before = terms[d] - means[d];
      means[d] += before / count;
      squares[d] += before * (terms[d] - means[d]);
    }
  }
  /// 0 for fewer than two steps.
  void write(std::size_t row, std::span<double> out) const {
    const double count = counts_[row];
    for (std::size_t d = 0; d < out.size(); ++d)
      out[d] = count < 2.0 ? 0.0 : std::sqrt(squares_(row, d) / (count - 1.0) / count);
  }

 private:
  std::vector<double> counts_;
  Matrix means_, squares_;
};

}  // namespace

GradientsOnPaths::GradientsOnPaths(const Lrp& lrp, const RelevanceRule& rule,
                                   const Contrasts& contrasts, const ContrastOptions& options,
                                   OptionalRows background)
    : lrp_(lrp),
      rule_(&rule),
      contrasts_(&contrasts),
      source_(background ? ReferenceRows::Source::background : ReferenceRows::Source::points) {
  const Model& model = contrasts.model();
  if (lrp.references > 0) {
    drawn_ = draw_rows(model, background, kMaxDrawnRows, lrp.seed);
  } else {
    const auto one_row = [](std::span<const double> point) {
      return Matrix(1, point.size(), {point.begin(), point.end()});
    };
    drawn_ = {one_row(rule.reference().input), one_row(rule.reference().point)};
  }
  is_mean_ = drawn_.model_space.rows() > 1;
  if (!model.distance().categories().empty()) {
    OneHot one_hot(model);
    const Model expanded = one_hot.expanded(model);
    const std::vector<double> origin(expanded.features(), 0.0);
    RelevanceRule gradients({}, origin, origin, 0.0, expanded.distance());
    ContrastOptions own = options;
    own.values = gradients.values();
    drawn_.model_space = one_hot.expand(drawn_.model_space.view());
    categories_.reset(new CategorySpace{std::move(one_hot), {expanded, own}, std::move(gradients)});
  }
}

std::vector<double> GradientsOnPaths::g_at_drawn_rows(Model::ClassPair pair) const {
  const Matrix& drawn = drawn_.model_space;
  const auto rows = [&](std::size_t first, std::size_t count) {
    return MappedRows(drawn.view().rows(first, count));
  };
  std::vector<double> g;
  g.reserve(drawn.rows());
  for (const RowDecision& decision :
       contrasts().decide({source_, lrp_.seed, drawn.rows(), rows}, pair))
    g.push_back(decision.g);
  return g;
}

GradientsOnPaths::BothSides GradientsOnPaths::make_paths(Model::ClassPair pair) const {
  const Contrast& contrast = contrasts().of(pair);
  const auto choose = [&](const std::vector<std::size_t>& list, std::size_t count) {
    return balanced_choice(drawn_.model_space, list, count);
  };
  std::vector<std::size_t> all(drawn_.model_space.rows()), above, below;
  std::vector<double> g;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (lrp_.side != ReferenceSide::all) {
    g = g_at_drawn_rows(pair);
    for (const std::size_t n : all) (g[n] > 0.0 ? above : below).push_back(n);
  }
  // If no drawn row is on a side, all of them represent it.
  if (lrp_.side == ReferenceSide::all || above.empty() || below.empty())
    return {paths_from(choose(all, lrp_.steps), contrast, g), {}};
  if (lrp_.side == ReferenceSide::both) {
    std::vector<std::size_t> chosen = choose(above, (lrp_.steps + 1) / 2);
    const std::vector<std::size_t> others = choose(below, lrp_.steps / 2);
    chosen.insert(chosen.end(), others.begin(), others.end());
    return {paths_from(chosen, contrast, g), {}};
  }
  return {paths_from(choose(below, lrp_.steps), contrast, g),
          paths_from(choose(above, lrp_.steps), contrast, g)};
}

/// `g_of_all` has g at the drawn rows, or is empty.
GradientsOnPaths::Paths GradientsOnPaths::paths_from(const std::vector<std::size_t>& chosen,
                                                     const Contrast& contrast,
                                                     std::span<const double> g_of_all) const {
  Paths paths;
  std::map<std::size_t, std::size_t> places;
  std::vector<std::size_t> unique;
  const std::vector<double> fractions = spread_fractions(drawn_.model_space, chosen, lrp_.seed);
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    const auto [place, is_new] = places.emplace(chosen[s], unique.size());
    if (is_new) unique.push_back(chosen[s]);
    paths.steps.push_back({place->second, fractions[s]});
  }
  paths.references = gather_rows(drawn_.model_space, unique);
  paths.input_references = gather_rows(drawn_.input_space, unique);
  if (!contrast.center().empty())
    paths.starts = centered(paths.references.view(), contrast.center());
  std::vector<double> g;
  if (g_of_all.empty()) g = contrast.g_at(paths.references);
  for (std::size_t n = 0; !g_of_all.empty() && n < unique.size(); ++n)
    g.push_back(g_of_all[unique[n]]);
  double finite = 0.0;
  for (const linalg::LineStep& step : paths.steps) {
    if (!std::isfinite(g[step.start])) continue;
    paths.base += g[step.start];
    ++finite;
  }
  if (finite > 0.0) paths.base /= finite;
  return paths;
}

GradientsOnPaths::Result GradientsOnPaths::average(const RowTile& tile,
                                                   std::span<const RowDecision> decided) const {
  if (!categories_) return along_paths(tile, decided);
  const Matrix rows = categories_->one_hot.expand(tile.rows);
  const RowTile expanded{tile.first, tile.count, rows.view(), rows.view(), tile.threads};
  Result result = along_paths(expanded, decided);
  result.term = categories_->one_hot.fold(result.term);
  return result;
}

GradientsOnPaths::Result GradientsOnPaths::along_paths(const RowTile& tile,
                                                       std::span<const RowDecision> decided) const {
  Result result{Matrix(tile.count, tile.input.cols()), {}, std::vector<double>(tile.count)};
  if (is_mean_) result.standard_error = Matrix(tile.count, contrasts_->model().features());
  for (const auto& [classes, rows] : group_by_pair(decided)) {
    const Model::ClassPair pair{classes.first, classes.second};
    const BothSides& paths = paths_.get(pair, [this](Model::ClassPair own) {
      return std::make_unique<const BothSides>(make_paths(own));
    });
    std::map<const Paths*, std::vector<std::size_t>> members;  // rows with the same paths
    for (const std::size_t r : rows) {
      const Paths& own = paths.to(decided[r].g);
      result.base[r] = own.base;
      members[&own].push_back(r);
    }
    for (const auto& [own, same] : members)
      add_paths(tile, contrasts().of(pair), *own, same, result);
  }
  return result;
}

void GradientsOnPaths::add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                                 std::span<const std::size_t> members, Result& result) const {
  const auto steps = static_cast<double>(paths.steps.size());
  const Matrix rows = gather_rows(tile.rows, members);
  StepErrors errors(is_mean_ ? members.size() : 0, result.standard_error.cols());
  std::vector<double> single(tile.input.cols());  // the terms of one step
  contrast.gradients_on_lines(
      rows.view(), paths.lines(), tile.threads,
      [&](std::size_t m, std::size_t step, std::span<const double> half_gradient, double factor) {
        const std::size_t r = members[m], start = paths.steps[step].start;
        const RelevanceRule::End row{tile.rows.row(r), tile.input.row(r)};
        const RelevanceRule::End reference{paths.references.row(start),
                                           paths.input_references.row(start)};
        const double own = 2.0 * factor, share = 2.0 * (factor / steps);
        double* const term = result.term.row(r).data();
        double* const of_step = single.data();
        rule().for_each_input(row, reference, half_gradient,
                              [=](std::size_t d, double difference, double gradient) {
                                term[d] += share * difference * gradient;
                                of_step[d] = own * difference * gradient;
                              });
        if (!is_mean_) return;
        if (categories_)
          errors.add(m, categories_->one_hot.fold(Matrix(1, single.size(), single)).values());
        else
          errors.add(m, single);
      });
  if (!is_mean_) return;
  for (std::size_t m = 0; m < members.size(); ++m)
    errors.write(m, result.standard_error.row(members[m]));
}

}  // namespace bisector::detail
