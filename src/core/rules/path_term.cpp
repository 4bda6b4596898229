#include "core/rules/path_term.h"

#include <cmath>
#include <map>
#include <vector>

#include "core/contrast/pair_groups.h"
#include "core/models/rows.h"

namespace bisector::detail {
namespace {

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

PathTerm::PathTerm(const RelevanceRule& rule, const Contrasts& contrasts,
                   const ContrastOptions& options, PathPlan plan)
    : rule_(&rule),
      contrasts_(&contrasts),
      is_mean_(plan.candidates.rows() > 1),
      plan_(std::move(plan)) {
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
    return std::make_unique<const ContrastPaths>(plan_, contrasts(), own);
  });
}

PathTerm::Result PathTerm::operator()(const RowTile& tile,
                                      std::span<const RowDecision> decided) const {
  if (!categories_) return along_paths(tile, decided);
  const Matrix rows = categories_->one_hot.expand(tile.rows);
  const RowTile expanded{tile.first, tile.count, rows.view(), rows.view(), tile.threads};
  Result result = along_paths(expanded, decided);
  result.term = categories_->one_hot.fold(result.term);
  return result;
}

PathTerm::Result PathTerm::along_paths(const RowTile& tile,
                                       std::span<const RowDecision> decided) const {
  Result result{Matrix(tile.count, tile.input.cols()), {}, std::vector<double>(tile.count)};
  if (is_mean_) result.standard_error = Matrix(tile.count, contrasts_->model().features());
  for (const auto& [classes, rows] : group_by_pair(decided)) {
    const Model::ClassPair pair{classes.first, classes.second};
    const ContrastPaths& paths = paths_of(pair);
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

void PathTerm::add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                         std::span<const std::size_t> members, Result& result) const {
  const bool is_mixed = paths.input_references.rows() > 0;
  const auto steps = static_cast<double>(paths.steps.size());
  const Matrix rows = gather_rows(tile.rows, members);
  StepErrors errors(is_mean_ ? members.size() : 0, result.standard_error.cols());
  std::vector<double> single(tile.input.cols());  // the terms of one step
  contrast.gradients_on_lines(
      rows.view(), paths.lines(), tile.threads,
      [&](std::size_t m, std::size_t step, std::span<const double> half_gradient, double factor) {
        const std::size_t r = members[m], start = paths.steps[step].start;
        const RelevanceRule::End row{tile.rows.row(r), tile.input.row(r)};
        const RelevanceRule::End reference{
            paths.references.row(start),
            is_mixed ? paths.input_references.row(start) : std::span<const double>()};
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
