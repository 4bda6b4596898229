// The gradient term of path rules: the mean gradient of g along paths from references to a row.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/one_hot.h"
#include "core/contrast/pair_cache.h"
#include "core/rules/contrast_paths.h"
#include "core/rules/relevance_rule.h"

namespace bisector::detail {

class PathTerm {
 public:
  /// `rule` and `contrasts` are those of the explained model. Paths between categories lead through
  /// a model of one-hot columns, with the options of the contrasts.
  PathTerm(const RelevanceRule& rule, const Contrasts& contrasts, const ContrastOptions& options,
           PathPlan plan);

  /// The result for a tile of rows, by the input features.
  struct Result {
    Matrix term;               // E_0
    Matrix standard_error;     // of E_0 as a mean over the references; empty for one reference
    std::vector<double> base;  // mean of g over the references of a row's paths
  };
  Result operator()(const RowTile& tile, std::span<const RowDecision> decided) const;

 private:
  /// The model in whose space the paths are straight, if it is not the explained one.
  struct CategorySpace {
    OneHot one_hot;
    Contrasts contrasts;
    RelevanceRule rule;
  };

  const ContrastPaths& paths_of(Model::ClassPair pair) const;
  /// E_0 of the rows in the space of the paths, and its standard errors by the model's inputs.
  Result along_paths(const RowTile& tile, std::span<const RowDecision> decided) const;
  void add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                 std::span<const std::size_t> members, Result& result) const;
  const Contrasts& contrasts() const { return categories_ ? categories_->contrasts : *contrasts_; }
  const RelevanceRule& rule() const { return categories_ ? categories_->rule : *rule_; }

  const RelevanceRule* rule_;
  const Contrasts* contrasts_;
  std::unique_ptr<const CategorySpace> categories_;
  bool is_mean_;  // over more than one reference
  PathPlan plan_;
  PairCache<ContrastPaths> paths_;
};

}  // namespace bisector::detail
