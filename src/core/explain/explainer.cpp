#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"
#include "core/contrast/pair_cache.h"
#include "core/contrast/pair_groups.h"
#include "core/contrast/pair_machine.h"
#include "core/explain/auto_method.h"
#include "core/explain/evidence.h"
#include "core/explain/outside.h"
#include "core/explain/ranked_contrast_explainer.h"
#include "core/explain/resolve_options.h"
#include "core/explain/soft_contrast_explainer.h"
#include "core/explain/totals.h"
#include "core/models/tiles.h"
#include "core/rules/neighborhood.h"
#include "core/rules/reference_candidates.h"

namespace bisector {

using namespace detail;

using ClassPair = Model::ClassPair;

namespace {

template <class M>
concept Baselined = requires(const M& method, const BaselineInput& input) {
  make_baseline(method, input);
};

}  // namespace

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const Method& method, const ExplainOptions& options)
      : model_(model),
        options_(options),
        resolved_(resolve_options(model, method, options)),
        is_outside_(
            options.background
                ? SharedMatrix(
                      draw_rows(model, options.background, OutsideCheck::kSample, 0).model_space)
                : model_.shared_points(),
            options.background ? OutsideCheck::Points::sample : points_kind(model),
            model.distance()) {
    if (has_dot_product(model))
      decision_.emplace(model_, options_.precision, options_.threads);
    else if (has_ranked_pools(model))
      ranked_.emplace(model_, resolved_.choice, make_rule(),
                      RankedContrastExplainerOptions{settings().level.value_or(0.0),
                                                     resolved_.kappa, resolved_.ways});
    else if (one_pair())
      prepare_pair();
    else
      decision_.emplace(model_, options_.precision, options_.threads);
    if (has_level_in_sums()) value_.emplace(model_, options_.precision, options_.threads);
    if (resolved_.neighborhood > 0.0)
      neighborhood_.emplace(model_, options_.background, settings().level.value_or(0.0),
                            seed_of(resolved_.method), options_.threads);
    std::visit([this](const auto& own) { prepare_baseline(own); }, resolved_.method);
  }

  Explanation explain(MatrixView<const double> rows, std::size_t first_row) const {
    require_rows(model_, rows);
    Explanation result = empty_explanation(rows.rows());
    if (has_dot_product(model_))
      decide_by_dot_product(rows, result);
    else if (ranked_)
      explain_ranked(rows, result);
    else if (decision_)
      explain_many_classes(rows, result);
    else
      explain_one_contrast(rows, result);
    if (value_) result.value = (*value_)(rows).decisions.values();
    if (baseline_) explain_by_baseline(rows, first_row, result);
    if (neighborhood_) blend_neighborhood(rows, result);
    const bool is_path = resolved_.ways && resolved_.neighborhood == 0.0;
    for (std::size_t r = 0; r < rows.rows(); ++r)
      finish_row(result, r, explained(result, r), is_path);
    return result;
  }

  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const {
    if (!settings().has_evidence)
      throw InvalidInput(fmt::format(
          "evidence was asked for with method {}, expected lrp: only its relevance has pairs",
          name(resolved_.method)));
    const MappedRows mapped = map_one(row);
    const auto strongest = [&](const auto& engine) {
      return strongest_pairs(engine.pools_at(mapped.row(0)), engine.rule(), model_.points(), row,
                             mapped.row(0), count);
    };
    return ranked_ ? strongest(*ranked_) : strongest(engine_at(row));
  }

  DecidingPoints deciding_points(std::span<const double> row, std::size_t count) const {
    const MappedRows mapped = map_one(row);
    return heaviest_points(
        ranked_ ? ranked_->pools_at(mapped.row(0)) : engine_at(row).pools_at(mapped.row(0)), count);
  }

  Network network(std::span<const double> row) const {
    if (has_dot_product(model_))
      throw InvalidInput("the network of a kernel of the dot product, expected one of a distance");
    const MappedRows mapped = map_one(row);
    return ranked_ ? ranked_->network(mapped.row(0)) : engine_at(row).network(mapped.row(0));
  }

  const Method& method() const { return resolved_.method; }
  const ExplainSettings& settings() const { return resolved_.settings; }

 private:
  template <class M>
  void prepare_baseline(const M& method) {
    if constexpr (Baselined<M>) make_ready(method);  // a rule is all in the passes
  }

  /// Makes the only engine, so that an unusable model is refused now. What its ways were chosen
  /// from has served then.
  void prepare_pair() {
    pair_engine(*one_pair());
    if (!resolved_.ways) return;
    resolved_.ways->candidates = Matrix();
    resolved_.ways->input_candidates = Matrix();
  }

  template <class M>
  void make_ready(const M& method) {
    contrasts_.emplace(model_, settings().level.value_or(0.0), options_.threads,
                       ranked_ ? ranked_->pools() : nullptr,
                       [this](ClassPair pair) { return pair_engine(pair).pools(); });
    if constexpr (requires { method.output; }) contrasts_->require_output(method.output);
    const std::vector<double>& reference = settings().reference;
    // A reference that was asked for goes before the background.
    const bool over_background =
        options_.background && options_.reference.kind == Reference::Kind::automatic;
    const MatrixView<const double> alone(reference.data(), 1, reference.size());
    if constexpr (requires { method.references; }) {
      if (method.references)
        references_ =
            balanced_references(model_, options_.background, *method.references, method.seed);
    }
    const BaselineInput input{*contrasts_, reference,
                              references_.rows() > 0 ? references_.view()
                              : over_background      ? options_.background->view()
                                                     : alone};
    baseline_ = make_baseline(method, input);
    base_rows_ = std::is_same_v<M, ExactShapley> ? input.references : alone;
    if constexpr (requires { method.output; })
      output_ = method.output;
    else
      output_ = ExplainedOutput::f;
  }

  RelevanceRule make_rule() const {
    return RelevanceRule(model_.input(), resolved_.reference.model_space,
                         resolved_.reference.input_space, resolved_.eta, model_.distance());
  }

  /// The pair of a kernel machine that is the same for every row: of two classes, or of none.
  std::optional<ClassPair> one_pair() const {
    if (model_.is_regressor()) return ClassPair{0, 1};
    if (model_.labels().size() > 2) return std::nullopt;
    return ClassPair{*resolved_.choice.positive, *resolved_.choice.negative};
  }

  /// The engine of a pair of classes of a kernel machine, positive for the first.
  const SoftContrastExplainer& pair_engine(ClassPair pair) const {
    return engines_.get(pair, [this](ClassPair of) {
      // Exact Shapley values are computed in double precision, so a copy in single has no use.
      const bool single = options_.precision == Precision::float32 &&
                          !std::holds_alternative<ExactShapley>(resolved_.method);
      const PoolOptions pools{resolved_.beta, resolved_.ignore_intercept, single,
                              resolved_.eta == 0.0 ? std::size_t{1} : std::size_t{2}};
      return std::make_unique<const SoftContrastExplainer>(
          neuralize(pair_machine(model_, of, settings().level.value_or(0.0))), make_rule(), pools,
          resolved_.ways);
    });
  }

  const SoftContrastExplainer& engine_at(std::span<const double> row) const {
    if (!decision_) return pair_engine(*one_pair());
    const Predictions predictions = (*decision_)({row.data(), 1, row.size()});
    return pair_engine(choose_pair(resolved_.choice, model_, predictions.decisions.row(0)));
  }

  /// A regressor whose value would come out of sums around the level, and so differ from what
  /// predict says in the last digits.
  bool has_level_in_sums() const {
    if (const auto* neighbors = std::get_if<NeighborRegressor>(&model_.predictor()))
      return settings().level.value_or(0.0) != neighbors->target_mean();
    return model_.is_regressor() && !has_dot_product(model_);
  }

  MappedRows map_one(std::span<const double> row) const {
    const MatrixView<const double> view(row.data(), 1, row.size());
    require_rows(model_, view);
    return preprocessed(model_.input(), view, model_.model_features());
  }

  Explanation empty_explanation(std::size_t rows) const {
    Explanation result;
    result.unit = options_.unit;
    result.relevance = Matrix(rows, model_.features());
    result.g.resize(rows);
    result.decision.resize(rows);
    result.tie.assign(rows, false);
    result.outside.assign(rows, false);
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

  void explain_with(const SoftContrastExplainer& engine, MatrixView<const double> rows,
                    Explanation& result) const {
    std::vector<char> outside(rows.rows());
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      const auto part = [&](auto& values) {
        return std::span(values).subspan(tile.first, tile.count);
      };
      engine.explain(tile, {result.relevance.view().rows(tile.first, tile.count), part(result.g),
                            part(result.decision), part(result.base), part(outside)});
      for (std::size_t r = 0; r < tile.count; ++r)
        outside[tile.first + r] |= static_cast<char>(is_outside_(tile.rows.row(r)));
    });
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      result.tie[r] = result.g[r] == 0.0;
      result.outside[r] = outside[r] != 0;
    }
  }

  void explain_one_contrast(MatrixView<const double> rows, Explanation& result) const {
    const ClassPair pair = *one_pair();
    explain_with(pair_engine(pair), rows, result);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (!model_.is_regressor()) {
        result.positive[r] = pair.positive;
        result.negative[r] = pair.negative;
        // The model's first class wins above zero, whichever class is explained.
        const double for_first = pair.positive == 0 ? result.g[r] : -result.g[r];
        result.prediction[r] = for_first > 0.0 ? 0 : 1;
      }
    }
  }

  /// Rows are grouped by their pair of classes, so that each group runs through one engine.
  void explain_many_classes(MatrixView<const double> rows, Explanation& result) const {
    const Predictions predictions = (*decision_)(rows);
    result.prediction = predictions.classes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const ClassPair pair = choose_pair(resolved_.choice, model_, predictions.decisions.row(r));
      result.positive[r] = pair.positive;
      result.negative[r] = pair.negative;
    }
    for (const auto& [pair, members] : group_by_pair(result.positive, result.negative)) {
      Explanation part = empty_explanation(members.size());
      explain_with(pair_engine({pair.first, pair.second}), gather_rows(rows, members).view(), part);
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::ranges::copy(part.relevance.row(m), result.relevance.row(members[m]).begin());
        result.g[members[m]] = part.g[m];
        result.decision[members[m]] = part.decision[m];
        result.tie[members[m]] = part.tie[m];
        result.outside[members[m]] = part.outside[m];
        result.base[members[m]] = part.base[m];
      }
    }
  }

  /// There is no g of its own: it is f. The relevance comes from a method on f.
  void decide_by_dot_product(MatrixView<const double> rows, Explanation& result) const {
    const Predictions predictions = (*decision_)(rows);
    result.prediction = predictions.classes;
    const bool has_classes = !model_.is_regressor();
    const std::optional<ClassPair> fixed = one_pair();
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const auto decisions = predictions.decisions.row(r);
      const ClassPair pair = fixed ? *fixed : choose_pair(resolved_.choice, model_, decisions);
      const double f = pair_decision(model_, pair, decisions, settings().level.value_or(0.0));
      result.g[r] = result.decision[r] = f;
      result.tie[r] = f == 0.0;
      if (has_classes) {
        result.positive[r] = pair.positive;
        result.negative[r] = pair.negative;
      } else {
        result.value[r] = decisions[0];
      }
    }
    for_each_tile(model_, rows, 1, [&](const RowTile& tile) {
      for (std::size_t r = 0; r < tile.count; ++r)
        result.outside[tile.first + r] = is_outside_(tile.rows.row(r));
    });
  }

  void explain_ranked(MatrixView<const double> rows, Explanation& result) const {
    // std::vector<bool> packs bits that threads would share.
    std::vector<char> ties(rows.rows()), outside(rows.rows());
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      const auto decided =
          ranked_->explain(tile, result.relevance.view().rows(tile.first, tile.count),
                           std::span(result.base).subspan(tile.first, tile.count));
      for (std::size_t r = 0; r < tile.count; ++r) {
        if (decided[r].ballot.neighbors() == 0)
          throw InvalidRow(tile.first + r,
                           "no point is within the radius, expected a neighbor that votes");
        result.g[tile.first + r] = decided[r].g;
        result.decision[tile.first + r] = decided[r].vote_difference;
        if (model_.is_regressor()) {
          result.value[tile.first + r] = decided[r].value;
        } else {
          result.prediction[tile.first + r] = decided[r].prediction;
          result.positive[tile.first + r] = decided[r].contrast.positive;
          result.negative[tile.first + r] = decided[r].contrast.negative;
        }
        ties[tile.first + r] = decided[r].contrast.tie || decided[r].g == 0.0;
        outside[tile.first + r] = is_outside_(tile.rows.row(r));
      }
    });
    result.tie.assign(ties.begin(), ties.end());
    result.outside.assign(outside.begin(), outside.end());
  }

  /// Replaces the relevance; rows that share a contrast go together.
  void explain_by_baseline(MatrixView<const double> rows, std::size_t first_row,
                           Explanation& result) const {
    for (const auto& [pair, members] : groups(result)) {
      std::vector<std::size_t> numbers = members;
      for (std::size_t& number : numbers) number += first_row;
      const Matrix own_rows = gather_rows(rows, members);
      const Matrix part = baseline_({{pair.first, pair.second}, own_rows.view(), numbers});
      const double base = baseline_base({pair.first, pair.second});
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::ranges::copy(part.row(m), result.relevance.row(members[m]).begin());
        result.base[members[m]] = base;
      }
    }
  }

  /// The mean of the baseline's output over what it takes for "absent".
  double baseline_base(ClassPair pair) const {
    return bases_.get(pair, [this](ClassPair of) {
      const std::vector<double> values = evaluate_rows(contrasts_->value(of, output_), base_rows_);
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      return std::make_unique<const double>(sum / static_cast<double>(values.size()));
    });
  }

  void blend_neighborhood(MatrixView<const double> rows, Explanation& result) const {
    const bool has_classes = !model_.is_regressor();
    const std::vector<std::size_t> above(has_classes ? 0 : rows.rows(), 0);
    const std::vector<std::size_t> below(has_classes ? 0 : rows.rows(), 1);
    const Matrix neighbors = (*neighborhood_)(rows, has_classes ? result.positive : above,
                                              has_classes ? result.negative : below);
    for (std::size_t r = 0; r < rows.rows(); ++r)
      blend(resolved_.neighborhood, neighbors.row(r), result.relevance.row(r));
  }

  /// What the method explains, at a row.
  Explained explained(const Explanation& result, std::size_t r) const {
    if (!baseline_ || output_ == ExplainedOutput::g) return {result.g[r], result.decision[r]};
    if (output_ == ExplainedOutput::f && ranked_ && !model_.is_regressor()) {
      const double side = result.prediction[r] == result.positive[r] ? 1.0 : -1.0;
      return {side, side};
    }
    return {result.decision[r], result.decision[r]};
  }

  /// Rows that share a contrast; all of a regressor do.
  PairGroups groups(const Explanation& result) const {
    if (!model_.is_regressor()) return group_by_pair(result.positive, result.negative);
    std::vector<std::size_t> all(result.g.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {{{one_pair()->positive, one_pair()->negative}, std::move(all)}};
  }

  Model model_;
  ExplainOptions options_;
  ResolvedOptions resolved_;
  std::optional<RankedContrastExplainer> ranked_;  // neighbors and centroids
  std::optional<DecisionFunction> decision_;       // kernel classifiers of many classes
  std::optional<DecisionFunction> value_;          // see has_level_in_sums()
  PairCache<SoftContrastExplainer> engines_;       // kernel machines
  std::optional<ContrastFunctions> contrasts_;     // what the baseline asks
  OutsideCheck is_outside_;
  std::optional<Neighborhood> neighborhood_;
  Baseline baseline_;                            // none for the rules
  ExplainedOutput output_ = ExplainedOutput::g;  // of the baseline
  Matrix references_;                            // where it was asked for a number of them
  MatrixView<const double> base_rows_;           // what it takes for "absent"
  PairCache<double> bases_;
};

Explainer::Explainer(const Model& model, const Method& method, const ExplainOptions& options)
    : implementation_(std::make_unique<Implementation>(model, method, options)) {}
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;
Explainer::~Explainer() = default;

Explanation Explainer::operator()(MatrixView<const double> rows, std::size_t first_row) const {
  return implementation_->explain(rows, first_row);
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
const Method& Explainer::method() const { return implementation_->method(); }
const ExplainSettings& Explainer::settings() const { return implementation_->settings(); }

Explanation explain(const Model& model, MatrixView<const double> rows, const Method& method,
                    const ExplainOptions& options) {
  return Explainer(model, method, options)(rows);
}

}  // namespace bisector
