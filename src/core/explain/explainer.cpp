#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/explain/baselines.h"
#include "core/explain/evidence.h"
#include "core/explain/ranked_contrast_explainer.h"
#include "core/explain/resolve_options.h"
#include "core/explain/soft_contrast_explainer.h"
#include "core/models/tiles.h"
#include "core/neuralize/pair_cache.h"
#include "core/neuralize/pair_groups.h"
#include "core/neuralize/pair_machine.h"

namespace bisector {

using namespace detail;

using ClassPair = Model::ClassPair;

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const Method& method, const ExplainOptions& options)
      : model_(model),
        method_(method),
        options_(options),
        resolved_(resolve_options(model, method, options)) {
    if (has_ranked_pools(model))
      ranked_.emplace(model_, resolved_.choice, make_rule(),
                      RankedContrastExplainerOptions{resolved_.kappa, resolved_.directions});
    else if (one_pair())
      pair_engine(*one_pair());  // so that an unusable model is refused now
    else
      decision_.emplace(model_, options_.precision, options_.threads);
    std::visit([this](const auto& own) { prepare_baseline(own); }, method_);
  }

  Explanation explain(MatrixView<const double> rows, std::size_t first_row) const {
    require_rows(model_, rows);
    Explanation result = empty_explanation(rows.rows());
    if (ranked_)
      explain_ranked(rows, result);
    else if (decision_)
      explain_many_classes(rows, result);
    else
      explain_one_contrast(rows, result);
    if (baseline_) explain_by_baseline(rows, first_row, result);
    return result;
  }

  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const {
    if (baseline_)
      throw InvalidInput(fmt::format(
          "evidence was asked for with method {}, expected lrp: only its relevance has pairs",
          name(method_)));
    const MappedRows mapped = map_one(row);
    const auto strongest = [&](const auto& engine) {
      return strongest_pairs(engine.pools_at(mapped.row(0)), engine.rule(), model_.points(), row,
                             mapped.row(0), count);
    };
    return ranked_ ? strongest(*ranked_) : strongest(engine_at(row));
  }

  Network network(std::span<const double> row) const {
    const MappedRows mapped = map_one(row);
    return ranked_ ? ranked_->network(mapped.row(0)) : engine_at(row).network(mapped.row(0));
  }

  const Method& method() const { return method_; }
  const ExplainSettings& settings() const { return resolved_.settings; }

 private:
  template <LrpRule Rule>
  void prepare_baseline(const Rule&) {}  // a rule is all in the passes

  template <class M>
  void prepare_baseline(const M& method) {
    contrasts_.emplace(model_, settings().level.value_or(0.0), options_.threads,
                       ranked_ ? ranked_->pools() : nullptr,
                       [this](ClassPair pair) { return pair_engine(pair).pools(); });
    if constexpr (requires { method.output; }) contrasts_->require_output(method.output);
    const std::vector<double>& reference = settings().reference;
    // A reference that was asked for goes before the background.
    const bool over_background =
        options_.background && options_.reference.kind == Reference::Kind::automatic;
    const MatrixView<const double> alone(reference.data(), 1, reference.size());
    baseline_ = make_baseline(
        method, {*contrasts_, reference, over_background ? options_.background->view() : alone});
  }

  RelevanceRule make_rule() const {
    return RelevanceRule(model_.input(), resolved_.reference.model_space,
                         resolved_.reference.input_space, resolved_.eta);
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
                          !std::holds_alternative<ExactShapley>(method_);
      const PoolOptions pools{resolved_.beta, resolved_.ignore_intercept, single,
                              resolved_.eta == 0.0 ? std::size_t{1} : std::size_t{2}};
      return std::make_unique<const SoftContrastExplainer>(
          neuralize(pair_machine(model_, of, settings().level.value_or(0.0))), make_rule(),
          SoftContrastExplainerOptions{pools, resolved_.directions});
    });
  }

  const SoftContrastExplainer& engine_at(std::span<const double> row) const {
    if (!decision_) return pair_engine(*one_pair());
    const Predictions predictions = (*decision_)({row.data(), 1, row.size()});
    return pair_engine(
        choose_pair(resolved_.choice, predictions.decisions.row(0), model_.labels().size()));
  }

  MappedRows map_one(std::span<const double> row) const {
    const MatrixView<const double> view(row.data(), 1, row.size());
    require_rows(model_, view);
    return preprocessed(model_.input(), view, model_.model_features());
  }

  Explanation empty_explanation(std::size_t rows) const {
    Explanation result;
    result.relevance = Matrix(rows, model_.features());
    result.g.resize(rows);
    result.decision.resize(rows);
    result.tie.assign(rows, false);
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
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      engine.explain(tile, result.relevance.view().rows(tile.first, tile.count),
                     std::span(result.g).subspan(tile.first, tile.count),
                     std::span(result.decision).subspan(tile.first, tile.count));
    });
    for (std::size_t r = 0; r < rows.rows(); ++r) result.tie[r] = result.g[r] == 0.0;
  }

  void explain_one_contrast(MatrixView<const double> rows, Explanation& result) const {
    const ClassPair pair = *one_pair();
    explain_with(pair_engine(pair), rows, result);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (model_.is_regressor()) {
        result.value[r] = result.decision[r] + *settings().level;
      } else {
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
      const ClassPair pair =
          choose_pair(resolved_.choice, predictions.decisions.row(r), model_.labels().size());
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
      }
    }
  }

  void explain_ranked(MatrixView<const double> rows, Explanation& result) const {
    std::vector<char> ties(rows.rows());  // std::vector<bool> packs bits that threads would share
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      const auto decided =
          ranked_->explain(tile, result.relevance.view().rows(tile.first, tile.count));
      for (std::size_t r = 0; r < tile.count; ++r) {
        result.g[tile.first + r] = decided[r].g;
        result.decision[tile.first + r] = decided[r].vote_difference;
        result.prediction[tile.first + r] = decided[r].prediction;
        result.positive[tile.first + r] = decided[r].contrast.positive;
        result.negative[tile.first + r] = decided[r].contrast.negative;
        ties[tile.first + r] = decided[r].contrast.tie || decided[r].g == 0.0;
      }
    });
    result.tie.assign(ties.begin(), ties.end());
  }

  /// Replaces the relevance; rows that share a contrast go together.
  void explain_by_baseline(MatrixView<const double> rows, std::size_t first_row,
                           Explanation& result) const {
    for (const auto& [pair, members] : groups(result)) {
      std::vector<std::size_t> numbers = members;
      for (std::size_t& number : numbers) number += first_row;
      const Matrix own_rows = gather_rows(rows, members);
      const Matrix part = baseline_({{pair.first, pair.second}, own_rows.view(), numbers});
      for (std::size_t m = 0; m < members.size(); ++m)
        std::ranges::copy(part.row(m), result.relevance.row(members[m]).begin());
    }
  }

  /// Rows that share a contrast; all of a regressor do.
  PairGroups groups(const Explanation& result) const {
    if (!model_.is_regressor()) return group_by_pair(result.positive, result.negative);
    std::vector<std::size_t> all(result.g.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {{{one_pair()->positive, one_pair()->negative}, std::move(all)}};
  }

  Model model_;
  Method method_;
  ExplainOptions options_;
  ResolvedOptions resolved_;
  std::optional<RankedContrastExplainer> ranked_;  // neighbours and centroids
  std::optional<DecisionFunction> decision_;       // kernel classifiers of many classes
  PairCache<SoftContrastExplainer> engines_;       // kernel machines
  std::optional<ContrastFunctions> contrasts_;     // what the baseline asks
  Baseline baseline_;                              // none for the rules
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
