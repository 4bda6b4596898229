#include "core/rules/path_term.h"

#include <map>
#include <vector>

#include "core/contrast/pair_groups.h"
#include "core/models/rows.h"

namespace bisector::detail {

PathTerm::PathTerm(const RelevanceRule& rule, const Contrasts& contrasts,
                   const ContrastOptions& options, PathPlan plan)
    : rule_(&rule), contrasts_(&contrasts), plan_(std::move(plan)) {
  const Model& model = contrasts.model();
  if (!model.distance().categories().empty()) {
    OneHot one_hot(model);
    const Model expanded = one_hot.expanded(model);
    const std::vector<double> origin(expanded.features(), 0.0);
    RelevanceRule gradients({}, origin, origin, 0.0, expanded.distance());
    ContrastOptions own = options;
    own.values = gradients.values();
    plan_.candidates = one_hot.expand(plan_.candidates.view());
    categories_.reset(new CategorySpace{std::move(one_hot), {expanded, own}, std::move(gradients)});
  }
  const auto pair = contrasts.only_pair();
  if (!pair) return;
  paths_of(*pair);
  // The candidates are not needed any more.
  plan_.candidates = Matrix();
  plan_.input_candidates = Matrix();
}

const ContrastPaths& PathTerm::paths_of(Model::ClassPair pair) const {
  return paths_.get(pair, [this](Model::ClassPair own) {
    return std::make_unique<const ContrastPaths>(plan_, contrasts().of(own));
  });
}

Matrix PathTerm::operator()(const RowTile& tile, std::span<const RowDecision> decided,
                            std::span<double> base) const {
  if (!categories_) return along_paths(tile, decided, base);
  const Matrix rows = categories_->one_hot.expand(tile.rows);
  const RowTile expanded{tile.first, tile.count, rows.view(), rows.view(), tile.threads};
  return categories_->one_hot.fold(along_paths(expanded, decided, base));
}

Matrix PathTerm::along_paths(const RowTile& tile, std::span<const RowDecision> decided,
                             std::span<double> base) const {
  Matrix term(tile.count, tile.input.cols());
  for (const auto& [classes, rows] : group_by_pair(decided)) {
    const Model::ClassPair pair{classes.first, classes.second};
    const ContrastPaths& paths = paths_of(pair);
    std::map<const Paths*, std::vector<std::size_t>> members;  // rows with the same paths
    for (const std::size_t r : rows) {
      const Paths& own = paths.to(decided[r].g);
      base[r] = own.base;
      members[&own].push_back(r);
    }
    for (const auto& [own, same] : members) add_paths(tile, contrasts().of(pair), *own, same, term);
  }
  return term;
}

void PathTerm::add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                         std::span<const std::size_t> members, Matrix& term) const {
  const bool is_mixed = paths.input_references.rows() > 0;
  const auto steps = static_cast<double>(paths.steps.size());
  const Matrix rows = gather_rows(tile.rows, members);
  contrast.gradients_on_lines(
      rows.view(), paths.lines(), tile.threads,
      [&](std::size_t m, std::size_t step, std::span<const double> half_gradient, double factor) {
        const std::size_t r = members[m], start = paths.steps[step].start;
        rule().add_step({tile.rows.row(r), tile.input.row(r)},
                        {paths.references.row(start),
                         is_mixed ? paths.input_references.row(start) : std::span<const double>()},
                        half_gradient, factor / steps, term.row(r));
      });
}

}  // namespace bisector::detail
