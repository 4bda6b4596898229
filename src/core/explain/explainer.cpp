#include "bisector/explain.h"

#include <algorithm>

#include "core/explain/evidence.h"
#include "core/explain/ranked_engine.h"
#include "core/explain/settings.h"
#include "core/explain/soft_engine.h"
#include "core/models/tiles.h"
#include "core/neuralize/pair_groups.h"
#include "core/neuralize/pair_machine.h"
#include "core/neuralize/per_pair.h"

namespace bisector {

using namespace detail;

using ClassPair = Model::ClassPair;

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const ExplainOptions& options,
                 const std::optional<PathRule>& path)
      : model_(model), options_(options), settled_(settle(model, options, path)) {
    if (has_ranked_pools(model))
      make_ranked();
    else if (one_pair())
      pair_engine(*one_pair());  // so that an unusable model is refused now
    else
      decision_.emplace(model_, options_.precision, options_.threads);
  }

  Explanation explain(MatrixView<const double> rows) const {
    require_rows(model_, rows);
    Explanation result = empty_explanation(rows.rows());
    if (ranked_)
      explain_ranked(rows, result);
    else if (decision_)
      explain_many_classes(rows, result);
    else
      explain_one_contrast(rows, result);
    return result;
  }

  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const {
    const ModelRows mapped = map_one(row);
    const auto strongest = [&](const auto& engine) {
      return strongest_pairs(engine.pools_at(mapped.row(0)), engine.rule(), model_.points(), row,
                             mapped.row(0), count);
    };
    return ranked_ ? strongest(*ranked_) : strongest(engine_at(row));
  }

  Network network(std::span<const double> row) const {
    const ModelRows mapped = map_one(row);
    return ranked_ ? ranked_->network(mapped.row(0)) : engine_at(row).network(mapped.row(0));
  }

  const ExplainSettings& settings() const { return settled_.settings; }

 private:
  const ExplainSettings& settled() const { return settled_.settings; }

  RelevanceRule make_rule() const {
    return RelevanceRule(model_.input(), settled_.reference.model_space,
                         settled_.reference.input_space, settled().eta);
  }

  std::optional<ReferencePath> make_path() const {
    if (!settled().path_steps) return std::nullopt;
    return ReferencePath{settled_.reference.model_space, *settled().path_steps};
  }

  bool in_single_precision() const { return options_.precision == Precision::f32; }

  void make_ranked() {
    ranked_.emplace(model_, settled_.choice, make_rule(),
                    RankedEngineOptions{*settled().kappa, make_path()});
  }

  /// The pair of a kernel machine that is the same for every row: of two classes, or of none.
  std::optional<ClassPair> one_pair() const {
    if (model_.is_regressor()) return ClassPair{0, 1};
    if (model_.labels().size() > 2) return std::nullopt;
    return ClassPair{*settled_.choice.positive, *settled_.choice.negative};
  }

  /// The engine of a pair of classes of a kernel machine, positive for the first.
  const SoftEngine& pair_engine(ClassPair pair) const {
    return engines_.get(pair, [this](ClassPair of) {
      const PoolOptions pools{*settled().beta, options_.ignore_intercept, in_single_precision()};
      return std::make_unique<const SoftEngine>(
          neuralize(pair_machine(model_, of, settled().level.value_or(0.0))), make_rule(),
          SoftEngineOptions{pools, make_path()});
    });
  }

  const SoftEngine& engine_at(std::span<const double> row) const {
    if (!decision_) return pair_engine(*one_pair());
    const Predictions predictions = (*decision_)({row.data(), 1, row.size()});
    return pair_engine(
        choose_pair(settled_.choice, predictions.decisions.row(0), model_.labels().size()));
  }

  ModelRows map_one(std::span<const double> row) const {
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

  void explain_with(const SoftEngine& engine, MatrixView<const double> rows,
                    Explanation& result) const {
    for_each_tile(model_, rows, options_.threads, [&](const RowTile& tile) {
      engine.explain(tile, result.relevance.view().rows(tile.first, tile.count),
                     std::span(result.g).subspan(tile.first, tile.count),
                     std::span(result.decision).subspan(tile.first, tile.count));
    });
  }

  void explain_one_contrast(MatrixView<const double> rows, Explanation& result) const {
    const ClassPair pair = *one_pair();
    explain_with(pair_engine(pair), rows, result);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (model_.is_regressor()) {
        result.value[r] = result.decision[r] + *settled().level;
      } else {
        result.positive[r] = pair.positive;
        result.negative[r] = pair.negative;
        result.prediction[r] = result.g[r] > 0.0 ? pair.positive : pair.negative;
      }
    }
  }

  /// Rows are grouped by their pair of classes, so that each group runs through one engine.
  void explain_many_classes(MatrixView<const double> rows, Explanation& result) const {
    const Predictions predictions = (*decision_)(rows);
    result.prediction = predictions.classes;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const ClassPair pair =
          choose_pair(settled_.choice, predictions.decisions.row(r), model_.labels().size());
      result.positive[r] = pair.positive;
      result.negative[r] = pair.negative;
    }
    for (const auto& [pair, members] : group_by_pair(result.positive, result.negative)) {
      const Matrix own_rows = gathered(rows, members);
      Explanation part = empty_explanation(members.size());
      explain_with(pair_engine({pair.first, pair.second}), own_rows.view(), part);
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::ranges::copy(part.relevance.row(m), result.relevance.row(members[m]).begin());
        result.g[members[m]] = part.g[m];
        result.decision[members[m]] = part.decision[m];
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
        ties[tile.first + r] = decided[r].contrast.tie;
      }
    });
    result.tie.assign(ties.begin(), ties.end());
  }

  Model model_;
  ExplainOptions options_;
  Settled settled_;
  std::optional<RankedEngine> ranked_;        // neighbours and centroids
  std::optional<DecisionFunction> decision_;  // kernel classifiers of many classes
  PerPair<SoftEngine> engines_;               // kernel machines
};

Explainer::Explainer(const Model& model, const ExplainOptions& options)
    : implementation_(std::make_unique<Implementation>(model, options, std::nullopt)) {}
Explainer::Explainer(const Model& model, const ExplainOptions& options, const PathRule& path)
    : implementation_(std::make_unique<Implementation>(model, options, path)) {}
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;
Explainer::~Explainer() = default;

Explanation Explainer::operator()(MatrixView<const double> rows) const {
  return implementation_->explain(rows);
}
std::vector<Evidence> Explainer::evidence(std::span<const double> row, std::size_t count) const {
  return implementation_->evidence(row, count);
}
Network Explainer::network(std::span<const double> row) const {
  return implementation_->network(row);
}
const ExplainSettings& Explainer::settings() const { return implementation_->settings(); }

Explanation explain(const Model& model, MatrixView<const double> rows,
                    const ExplainOptions& options) {
  return Explainer(model, options)(rows);
}

}  // namespace bisector
