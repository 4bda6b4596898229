#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/baselines/baselines.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/pair_groups.h"
#include "core/contrast/reference_rows.h"
#include "core/explain/all_classes.h"
#include "core/explain/auto_method.h"
#include "core/explain/contrast_gradients.h"
#include "core/explain/evidence.h"
#include "core/explain/outside.h"
#include "core/explain/resolve_options.h"
#include "core/explain/totals.h"
#include "core/explain/units.h"
#include "core/models/tiles.h"
#include "core/models/weighted_votes.h"
#include "core/rules/neighborhood.h"
#include "core/rules/prepared_rule.h"
#include "core/rules/relevance_rule.h"

namespace bisector {

using namespace detail;

namespace {

ContrastOptions contrast_options(const ResolvedOptions& resolved, const ExplainOptions& options,
                                 const RelevanceRule& rule) {
  // Exact Shapley values are computed in double precision and need no second copy of the points.
  const bool is_double = std::holds_alternative<ExactShapley>(resolved.method);
  return {resolved.choice,
          resolved.settings.level.value_or(0.0),
          resolved.beta,
          resolved.kappa,
          resolved.ignore_intercept,
          is_double ? Precision::float64 : options.precision,
          options.threads,
          rule.values()};
}

/// The rows of a background, which outlives the result.
OptionalRows rows_of(const std::optional<Background>& background) {
  return background ? OptionalRows(background->rows->view()) : std::nullopt;
}

}  // namespace

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const ExplainOptions& options,
                 std::optional<Background> background, ResolvedOptions resolved)
      : model_(model),
        options_(options),
        background_(std::move(background)),
        resolved_(std::move(resolved)),
        rule_(model_.input(), resolved_.reference.model_space, resolved_.reference.input_space,
              resolved_.eta, model_.distance()),
        of_contrasts_(contrast_options(resolved_, options_, rule_)),
        contrasts_(model_, of_contrasts_),
        is_outside_(make_outside_check(model_, rows_of(background_))),
        baseline_(PreparedBaseline::make(resolved_.method, contrasts_, options_,
                                         rows_of(background_), resolved_.settings.reference)) {
    if (resolved_.neighborhood > 0.0)
      neighborhood_.emplace(
          model_, options_.background ? options_.background->view() : rows_of(background_),
          of_contrasts_.level, seed_of(resolved_.method), options_.threads);
    if (options_.unit != Unit::g)
      scales_.emplace(contrasts_, rows_of(background_), options_.background.has_value());
    has_paths_ = resolved_.paths.has_value();
    is_path_ = has_paths_ && resolved_.neighborhood == 0.0;
    has_errors_ =
        baseline_ ? baseline_->is_drawn() : has_paths_ && resolved_.paths->candidates.rows() > 1;
    resolved_.settings.averages_points = averages_points();
    const bool is_rule = !baseline_ && !std::holds_alternative<NeighborhoodRule>(resolved_.method);
    if (is_rule) prepared_.emplace(rule_, contrasts_, of_contrasts_, std::move(resolved_.paths));
  }

  Explanation explain(MatrixView<const double> rows, std::size_t first_row) const {
    return explain(rows, first_row, contrasts_.vote(rows));
  }

  Explanation explain_pair(MatrixView<const double> rows, std::size_t first_row,
                           Model::ClassPair pair, const Predictions& votes) const {
    return explain(rows, first_row, contrasts_.vote(votes, pair));
  }

  Explanation explain(MatrixView<const double> rows, std::size_t first_row,
                      std::span<const RowDecision> votes) const {
    require_rows(model_, rows);
    Explanation result = empty_explanation(rows.rows());
    const std::vector<RowDecision> decided = decide(rows, votes, result);
    if (baseline_) explain_by_baseline(rows, decided, first_row, result);
    if (neighborhood_) blend_neighborhood(rows, decided, result);
    finish_rows(decided, std::nullopt, result);
    return result;
  }

  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const {
    if (!settings().has_evidence)
      throw InvalidInput(fmt::format(
          "evidence was asked for with method {}, expected lrp: only its relevance has pairs",
          name(resolved_.method)));
    const MappedRows mapped = map_one(row);
    return strongest_pairs(contrast_at(row).members(mapped.row(0)), rule_, model_.shared_points(),
                           row, mapped.row(0), count);
  }

  DecidingPoints deciding_points(std::span<const double> row, std::size_t count) const {
    const MappedRows mapped = map_one(row);
    return heaviest_points(contrast_at(row).voters(mapped.row(0)), count);
  }

  Network network(std::span<const double> row) const {
    const MappedRows mapped = map_one(row);
    return contrast_at(row).network(mapped.row(0));
  }

  ClassExplanations all_classes(MatrixView<const double> rows, std::size_t first_row) const {
    std::call_once(all_classes_once_, [this] {
      all_classes_ = std::make_unique<const AllClasses>(model_, resolved_.method, options_);
    });
    return (*all_classes_)(rows, first_row);
  }

  ContrastGradients gradients(MatrixView<const double> rows,
                              std::span<const Model::ClassPair> pairs) const {
    return contrast_gradients(contrasts_, rows, pairs);
  }

  Explanation complete(MatrixView<const double> rows, NetworkRelevance given) const {
    require_rows(model_, rows);
    const bool has_errors = given.standard_error.rows() > 0;
    if (given.relevance.rows() != rows.rows() || given.base.size() != rows.rows() ||
        (has_errors && (given.standard_error.rows() != rows.rows() ||
                        given.standard_error.cols() != given.relevance.cols())))
      throw InvalidInput("relevance, standard errors and base values of different rows");
    Explanation result = empty_explanation(rows.rows());
    const std::vector<RowDecision> decided = decide(rows, contrasts_.vote(rows), result);
    result.relevance = std::move(given.relevance);
    result.standard_error = std::move(given.standard_error);
    result.base = std::move(given.base);
    finish_rows(decided, given.is_path, result);
    return result;
  }

  Model model() const { return model_.with_background(background_); }
  const Method& method() const { return resolved_.method; }
  const ExplainSettings& settings() const { return resolved_.settings; }

 private:
  /// True if the base value is a mean over the points of a kernel machine.
  bool averages_points() const {
    if (background_ || options_.unit == Unit::g || has_ranked_pools(model_) ||
        model_.has_dot_product())
      return false;
    if (baseline_ && baseline_->output() != ExplainedOutput::g) return baseline_->is_drawn();
    return model_.unit_scales().empty();
  }

  Explanation empty_explanation(std::size_t rows) const {
    Explanation result;
    result.unit = options_.unit;
    result.relevance = Matrix(rows, model_.features());
    result.g.resize(rows);
    result.decision.resize(rows);
    result.tie.assign(rows, false);
    result.outside.assign(rows, false);
    result.without_neighbors.assign(rows, false);
    result.stretch.assign(rows, 1.0);
    result.limit.assign(rows, 0.0);
    result.alike.assign(rows, false);
    if (has_errors_) result.standard_error = Matrix(rows, model_.features());
    for (std::vector<double>* values :
         {&result.output, &result.base, &result.remainder, &result.correction})
      values->assign(rows, 0.0);
    if (model_.is_regressor()) {
      result.value.resize(rows);
    } else {
      result.prediction.resize(rows);
      result.positive.resize(rows);
      result.negative.resize(rows);
    }
    return result;
  }

  /// Decides all rows, group by group. A rule also writes their relevance and base values.
  std::vector<RowDecision> decide(MatrixView<const double> rows, std::span<const RowDecision> votes,
                                  Explanation& result) const {
    std::vector<RowDecision> decided(rows.rows());
    for (const RowGroup& group : contrasts_.groups(rows.rows(), votes)) {
      const bool has_all_rows = group.rows.size() == rows.rows();
      const Matrix own = has_all_rows ? Matrix() : gather_rows(rows, group.rows);
      const auto store = [&](std::size_t m, RowDecision decision) {
        const std::size_t r = group.rows[m];
        if (!votes.empty()) contrasts_.take(votes[r], decision);
        if (!decision.has_output) decision.g = 0.0;
        decided[r] = decision;
      };
      decide_group(group, has_all_rows ? rows : own.view(), store, result);
    }
    return decided;
  }

  template <class Store>  // store(row of the group, decision)
  void decide_group(const RowGroup& group, MatrixView<const double> rows, const Store& store,
                    Explanation& result) const {
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      const auto members = std::span(group.rows).subspan(tile.first, tile.count);
      std::vector<RowDecision> part;
      if (prepared_)
        part = explain_tile(*group.contrast, tile, members, result);
      else
        part = group.contrast->decide(tile);
      for (std::size_t r = 0; r < tile.count; ++r) {
        part[r].is_outside = part[r].is_outside || is_outside_(tile.rows.row(r));
        store(tile.first + r, part[r]);
      }
    });
  }

  std::vector<RowDecision> explain_tile(const Contrast& contrast, const RowTile& tile,
                                        std::span<const std::size_t> members,
                                        Explanation& result) const {
    PreparedRule::Result part = prepared_->explain(contrast, tile);
    for (std::size_t r = 0; r < tile.count; ++r) {
      std::ranges::copy(part.relevance.row(r), result.relevance.row(members[r]).begin());
      result.base[members[r]] = part.base[r];
      if (has_errors_) set_errors(part.standard_error.row(r), members[r], result);
    }
    return std::move(part.decisions);
  }

  /// The method has this share in a blend with the neighborhood, which has no standard error.
  void set_errors(std::span<const double> errors, std::size_t r, Explanation& result) const {
    const double share = 1.0 - resolved_.neighborhood;
    for (std::size_t d = 0; d < errors.size(); ++d) result.standard_error(r, d) = share * errors[d];
  }

  void set_decision(const RowDecision& decision, std::size_t r, Explanation& result) const {
    result.g[r] = decision.g;
    result.decision[r] = decision.f;
    result.tie[r] = decision.tie;
    result.outside[r] = decision.is_outside;
    result.without_neighbors[r] = !decision.has_output;
    if (model_.is_regressor()) {
      result.value[r] = decision.value;
    } else {
      result.prediction[r] = decision.prediction;
      result.positive[r] = decision.positive;
      result.negative[r] = decision.negative;
    }
  }

  /// `of_network`: whether the relevance of a network sums to its difference of g; empty without a
  /// network.
  void finish_rows(std::span<const RowDecision> decided, std::optional<bool> of_network,
                   Explanation& result) const {
    for (std::size_t r = 0; r < decided.size(); ++r) {
      set_decision(decided[r], r, result);
      if (!decided[r].has_output) remove_relevance(r, result);
      RowTotals of_row = totals(decided[r]);
      if (of_network) {
        of_row.is_path = *of_network;
        if (of_row.conversion != Conversion::none)
          of_row.conversion = *of_network ? Conversion::stretch : Conversion::scale;
      }
      finish_row(result, r, of_row);
    }
  }

  /// The output of a row without neighbors comes from no point, so that pools of points do not
  /// explain it. Methods on f do: they see how the features lead to this output.
  void remove_relevance(std::size_t r, Explanation& result) const {
    if (baseline_ && baseline_->output() != ExplainedOutput::g) return;
    std::ranges::fill(result.relevance.row(r), 0.0);
    if (result.standard_error.rows() > 0) std::ranges::fill(result.standard_error.row(r), 0.0);
  }

  /// Rows that share a pair of classes go together.
  void explain_by_baseline(MatrixView<const double> rows, std::span<const RowDecision> decided,
                           std::size_t first_row, Explanation& result) const {
    for (const auto& [classes, members] : group_by_pair(decided)) {
      const Model::ClassPair pair{classes.first, classes.second};
      std::vector<std::size_t> numbers = members;
      for (std::size_t& number : numbers) number += first_row;
      const Matrix own_rows = gather_rows(rows, members);
      const BaselineResult part =
          baseline_->explain({pair, contrasts_.of(pair), own_rows.view(), numbers});
      const double base = baseline_->base(pair);
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::ranges::copy(part.relevance.row(m), result.relevance.row(members[m]).begin());
        if (has_errors_) set_errors(part.standard_error.row(m), members[m], result);
        result.base[members[m]] = base;
      }
    }
  }

  void blend_neighborhood(MatrixView<const double> rows, std::span<const RowDecision> decided,
                          Explanation& result) const {
    std::vector<std::size_t> positive, negative;
    for (const RowDecision& row : decided) {
      positive.push_back(row.positive);
      negative.push_back(row.negative);
    }
    const Matrix neighbors = (*neighborhood_)(rows, positive, negative);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      blend(resolved_.neighborhood, neighbors.row(r), result.relevance.row(r));
  }

  /// What the method explains at a row, in the unit g and in the unit of the model's output.
  RowTotals totals(const RowDecision& decision) const {
    RowTotals result;
    const ExplainedOutput output = baseline_ ? baseline_->output() : ExplainedOutput::g;
    result.explained = output_of(decision, output);
    result.is_path = is_path_;
    if (options_.unit == Unit::g) return result;
    const bool is_outcome = output == ExplainedOutput::outcome;
    result.output = is_outcome              ? result.explained
                    : model_.is_regressor() ? decision.value
                                            : decision.f;
    // The points of dot products may be weights, which do not represent the data.
    const bool has_scale = !model_.has_dot_product() || background_;
    const ContrastScale scale =
        has_scale ? scales_->of({decision.positive, decision.negative}) : ContrastScale();
    result.is_alike = scale.is_alike;
    if (!is_outcome) result.limit = scale.limit;
    if (output != ExplainedOutput::g) {
      result.base = is_outcome ? 0.0 : of_contrasts_.level;
      return result;
    }
    // The midpoint term of a detector has the level alone for a base value.
    const bool is_from_level = prepared_ && !has_paths_ && rule_.eta() == 1.0 &&
                               resolved_.neighborhood == 0.0 && decision.level_output;
    result.conversion = is_from_level ? Conversion::parts
                        : has_paths_  ? Conversion::stretch
                                      : Conversion::scale;
    result.base = is_from_level ? *decision.level_output : scale.mean;
    const bool is_vote = has_ranked_pools(model_) && !decision.level_output;
    result.row = {0.0, scale.scale, scale.limit, decision.ratio, is_vote};
    return result;
  }

  MappedRows map_one(std::span<const double> row) const {
    const MatrixView<const double> view(row.data(), 1, row.size());
    require_rows(model_, view);
    return preprocessed(model_.input(), view, model_.model_features());
  }

  const Contrast& contrast_at(std::span<const double> row) const {
    return *contrasts_.groups(1, contrasts_.vote({row.data(), 1, row.size()})).front().contrast;
  }

  Model model_;
  ExplainOptions options_;
  std::optional<Background> background_;  // given, or the model's own
  ResolvedOptions resolved_;
  RelevanceRule rule_;
  ContrastOptions of_contrasts_;
  Contrasts contrasts_;
  OutsideCheck is_outside_;
  std::optional<Neighborhood> neighborhood_;
  std::optional<UnitScales> scales_;                  // for methods on g in other units
  std::unique_ptr<const PreparedBaseline> baseline_;  // null for rules
  std::optional<PreparedRule> prepared_;              // empty for baselines
  bool has_paths_ = false;                            // a path rule
  bool is_path_ = false;  // one whose sum is corrected: it is not blended
  bool has_errors_ = false;
  mutable std::once_flag all_classes_once_;
  mutable std::unique_ptr<const AllClasses> all_classes_;
};

Explainer::Explainer(const Model& model, const Method& method, const ExplainOptions& options) {
  std::optional<Background> background = model.background();
  if (options.background) background = background_of(model, *options.background, seed_of(method));
  const Model checked = checked_for(method, model, background, options.threads);
  ResolvedOptions resolved = resolve_options(checked, method, options, background);
  implementation_ = std::make_shared<const Implementation>(checked, options, std::move(background),
                                                           std::move(resolved));
}

Explanation Explainer::operator()(MatrixView<const double> rows, std::size_t first_row) const {
  return implementation_->explain(rows, first_row);
}
Explanation Explainer::explain_pair(MatrixView<const double> rows, std::size_t first_row,
                                    Model::ClassPair pair, const Predictions& votes) const {
  return implementation_->explain_pair(rows, first_row, pair, votes);
}
std::vector<Evidence> Explainer::evidence(std::span<const double> row, std::size_t count) const {
  return implementation_->evidence(row, count);
}
DecidingPoints Explainer::deciding_points(std::span<const double> row, std::size_t count) const {
  return implementation_->deciding_points(row, count);
}
Network Explainer::network(std::span<const double> row) const {
  return implementation_->network(row);
}
ClassExplanations Explainer::all_classes(MatrixView<const double> rows,
                                         std::size_t first_row) const {
  return implementation_->all_classes(rows, first_row);
}
ContrastGradients Explainer::gradients(MatrixView<const double> rows,
                                       std::span<const Model::ClassPair> pairs) const {
  return implementation_->gradients(rows, pairs);
}
Explanation Explainer::complete(MatrixView<const double> rows, NetworkRelevance relevance) const {
  return implementation_->complete(rows, std::move(relevance));
}
Model Explainer::model() const { return implementation_->model(); }
const Method& Explainer::method() const { return implementation_->method(); }
const ExplainSettings& Explainer::settings() const { return implementation_->settings(); }

Explanation explain(const Model& model, MatrixView<const double> rows, const Method& method,
                    const ExplainOptions& options) {
  return Explainer(model, method, options)(rows);
}

}  // namespace bisector
