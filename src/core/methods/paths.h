// The gradient term of path rules: the mean gradient of g along straight paths from references to a
// row.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bisector/matrix.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/one_hot.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/lines.h"
#include "core/methods/rules.h"

namespace bisector::detail {

class GradientsOnPaths {
 public:
  /// `rule` and `contrasts` are those of the explained model. Paths between categories lead through
  /// a model of one-hot columns, with the options of the contrasts.
  GradientsOnPaths(const Lrp& lrp, const RelevanceRule& rule, const Contrasts& contrasts,
                   const ContrastOptions& options, OptionalRows background);

  /// The result for a tile of rows, by the input features.
  struct Result {
    Matrix term;               // E_0
    Matrix standard_error;     // of E_0 as a mean over the references; empty for one reference
    std::vector<double> base;  // mean of g over the references of a row's paths
  };
  Result average(const RowTile& tile, std::span<const RowDecision> decided) const;
  /// True if there is more than one reference.
  bool is_mean() const { return is_mean_; }

 private:
  /// Some of the references, and a step from each. The choice is balanced: the means and variances
  /// of the chosen references are close to those of all on their side. A random choice of so few
  /// would miss them.
  struct Paths {
    Matrix references, input_references;  // in the model's and in the input space
    Matrix starts;  // references relative to the contrast's center; empty: the references
    std::vector<linalg::LineStep> steps;
    double base = 0.0;  // mean of g over the references of the steps at which it is finite

    linalg::Lines<double> lines() const {
      return {starts.rows() > 0 ? starts.view() : references.view(), steps};
    }
  };
  /// The paths of one contrast to rows with g above 0, and to others if those differ.
  struct BothSides {
    Paths above;
    std::optional<Paths> below;

    const Paths& to(double g) const { return below && !(g > 0.0) ? *below : above; }
  };
  /// The model in whose space the paths are straight, if it is not the explained one.
  struct CategorySpace {
    OneHot one_hot;
    Contrasts contrasts;
    RelevanceRule rule;
  };

  BothSides make_paths(Model::ClassPair pair) const;
  /// g at all drawn rows.
  std::vector<double> g_at_drawn_rows(Model::ClassPair pair) const;
  Paths paths_from(const std::vector<std::size_t>& chosen, const Contrast& contrast,
                   std::span<const double> g_of_all) const;
  /// E_0 of the rows in the space of the paths, and its standard errors by the model's inputs.
  Result along_paths(const RowTile& tile, std::span<const RowDecision> decided) const;
  void add_paths(const RowTile& tile, const Contrast& contrast, const Paths& paths,
                 std::span<const std::size_t> members, Result& result) const;
  const Contrasts& contrasts() const { return categories_ ? categories_->contrasts : *contrasts_; }
  const RelevanceRule& rule() const { return categories_ ? categories_->rule : *rule_; }

  Lrp lrp_;
  const RelevanceRule* rule_;
  const Contrasts* contrasts_;
  std::unique_ptr<const CategorySpace> categories_;
  DrawnRows drawn_;               // for references
  ReferenceRows::Source source_;  // of the drawn rows
  bool is_mean_;
  PairCache<BothSides> paths_;
};

}  // namespace bisector::detail
