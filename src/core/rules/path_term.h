// The gradient term of path rules: the mean gradient of g along paths from references to a row.
#pragma once

#include <memory>
#include <optional>
#include <span>

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

  /// E_0 of the rows of a tile by the input features. Sets the base value of each row: the mean of
  /// g over the references of its paths.
  Matrix operator()(const RowTile& tile, std::span<const RowDecision> decided,
                    std::span<double> base) const;

 private:
  /// The model in whose space the paths are straight, if it is not the explained one.
  struct CategorySpace {
    OneHot one_hot;
    Contrasts contrasts;
    RelevanceRule rule;
  };

  const ContrastPaths& paths_of(Model::ClassPair pair) const;
  Matrix along_paths(const RowTile& tile, std::span<const RowDecision> decided,
                     std::span<double> base) const;
  void add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                 std::span<const std::size_t> members, Matrix& term) const;
  const Contrasts& contrasts() const { return categories_ ? categories_->contrasts : *contrasts_; }
  const RelevanceRule& rule() const { return categories_ ? categories_->rule : *rule_; }

  const RelevanceRule* rule_;
  const Contrasts* contrasts_;
  std::unique_ptr<const CategorySpace> categories_;
  PathPlan plan_;
  PairCache<ContrastPaths> paths_;
};

}  // namespace bisector::detail
