#include "bisector/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "bisector/error.h"
#include "explain/evidence.h"
#include "explain/heuristics.h"
#include "explain/ranked_engine.h"
#include "explain/soft_engine.h"
#include "linalg/pairwise.h"
#include "linalg/parallel.h"
#include "linalg/vectors.h"
#include "models/rows.h"
#include "models/visit.h"
#include "models/votes.h"

namespace bisector {
namespace {

using ClassPair = Model::ClassPair;

std::size_t class_index(const Model& model, const std::string& label) {
  const std::vector<std::string> labels = model.labels();
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end())
    throw InvalidInput(fmt::format("the model has no class \"{}\", expected one of {}", label,
                                   fmt::join(labels, ", ")));
  return static_cast<std::size_t>(found - labels.begin());
}

/// The classes that the user named, completed where two classes leave no choice.
ClassChoice resolve_classes(const Model& model, const ExplainOptions& options) {
  ClassChoice choice;
  if (options.of_class) choice.positive = class_index(model, *options.of_class);
  if (options.versus) choice.negative = class_index(model, *options.versus);
  if (choice.negative && !choice.positive && model.labels().size() > 2)
    throw InvalidInput("a class to contrast with, expected the class of interest with it");
  if (choice.positive && choice.positive == choice.negative)
    throw InvalidInput(
        fmt::format("class \"{}\" versus itself, expected two different classes", *options.versus));
  if (const auto fixed = model.fixed_pair()) {
    if (!choice.positive)
      choice.positive = choice.negative ? 1 - *choice.negative : fixed->positive;
    choice.negative = 1 - *choice.positive;
  }
  return choice;
}

void require_range(double value, double low, double high, const char* name) {
  if (!(value >= low && value <= high))
    throw InvalidInput(
        fmt::format("{} is {}, expected a number from {} to {}", name, value, low, high));
}

/// Options that a kind of model has no use for are mistakes, not noise.
void require_applicable(const Model& model, const ExplainOptions& options) {
  const auto& predictor = model.predictor();
  const bool ranked = std::holds_alternative<NeighborModel>(predictor) ||
                      std::holds_alternative<CentroidModel>(predictor);
  if (options.beta && ranked)
    throw InvalidInput("beta was given, expected a kernel machine: neighbours have kappa");
  if (options.kappa && !ranked)
    throw InvalidInput("kappa was given, expected a neighbour model: kernel machines have beta");
  if (options.level && !model.is_regressor())
    throw InvalidInput("a level was given, expected a regression model");
  if ((options.of_class || options.versus) && model.is_regressor())
    throw InvalidInput("a class was given, expected a classifier: regressors take a level");
  if (options.ignore_intercept && ranked)
    throw InvalidInput("the intercept is to be ignored, expected a kernel machine");
  if (options.eta) require_range(*options.eta, 0.0, 1.0, "eta");
  if (options.beta && !(*options.beta > 0.0 && std::isfinite(*options.beta)))
    throw InvalidInput(fmt::format("beta is {}, expected a finite number above 0", *options.beta));
  if (options.level && !std::isfinite(*options.level))
    throw InvalidInput("the level is not finite, expected a number");
  if (options.background) {
    require_rows(model, options.background->view());
    if (options.background->rows() < 2)
      throw InvalidInput(
          "the background has fewer than two rows, expected rows that stand for the data");
  }
}

double resolve_distance(const Model& model, const ExplainOptions& options) {
  if (options.background)
    return linalg::median_distance(
        preprocessed(model.input(), options.background->view(), model.model_features()).view());
  if (model.median_distance()) return *model.median_distance();
  return linalg::median_distance(model.points().view());
}

}  // namespace

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const ExplainOptions& options)
      : model_(model), options_(options) {
    require_applicable(model, options);
    reference_ = resolve_reference(model, options.reference, options.background);
    settings_.reference = reference_.input_space;
    settings_.reference_name = reference_.name;
    choice_ = resolve_classes(model, options);
    std::visit(Overloaded{[this](const KernelClassifier& m) { prepare(m); },
                          [this](const KernelRegressor& m) { prepare(m); },
                          [this](const OneClassMachine& m) { prepare(m); },
                          [this](const NeighborModel& m) {
                            prepare_ranked(m.points(), m.classes(), m.labels(), m.k());
                          },
                          [this](const CentroidModel& m) {
                            std::vector<std::size_t> own(m.labels().size());
                            std::iota(own.begin(), own.end(), std::size_t{0});
                            prepare_ranked(m.centroids(), own, m.labels(), 1);
                          }},
               model.predictor());
    name_pools();
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
    const Matrix mapped = map_one(row);
    const RelevanceRule& rule = ranked_ ? ranked_->rule() : engine_at(row).rule();
    return strongest_pairs(network(row), rule, model_.points(), row, mapped.row(0), count);
  }

  Network network(std::span<const double> row) const {
    const Matrix mapped = map_one(row);
    return ranked_ ? ranked_->network(mapped.row(0)) : engine_at(row).network(mapped.row(0));
  }

  const ExplainSettings& settings() const { return settings_; }

 private:
  RelevanceRule make_rule() const {
    return RelevanceRule(model_.input(), reference_.model_space, reference_.input_space,
                         settings_.eta);
  }

  std::unique_ptr<const SoftEngine> make_engine(std::span<const double> coefficients,
                                                double intercept) const {
    return std::make_unique<SoftEngine>(
        neuralize(model_.points(), coefficients, *settings_.gamma, intercept), make_rule(),
        SoftEngineOptions{*settings_.beta, options_.ignore_intercept,
                          options_.precision == Precision::f32});
  }

  void settle_kernel(double gamma) {
    settings_.gamma = gamma;
    settings_.beta = options_.beta.value_or(gamma);
    settings_.median_distance = resolve_distance(model_, options_);
    settings_.eta = options_.eta ? *options_.eta : kernel_eta(gamma, *settings_.median_distance);
  }

  void prepare(const KernelClassifier& classifier) {
    settle_kernel(classifier.gamma());
    if (classifier.classes() == 2)
      pair_engine({*choice_.positive, *choice_.negative});
    else
      decision_.emplace(model_, options_.precision, options_.threads);
  }

  void prepare(const KernelRegressor& regressor) {
    const KernelMachine& machine = regressor.machine;
    settle_kernel(machine.gamma());
    settings_.level = options_.level.value_or(regressor.target_mean.value_or(0.0));
    engines_[{0, 1}] = make_engine(machine.coefficients(), machine.intercept() - *settings_.level);
  }

  void prepare(const OneClassMachine& model) {
    settle_kernel(model.machine.gamma());
    const double sign = *choice_.positive == 0 ? 1.0 : -1.0;
    std::vector<double> coefficients = model.machine.coefficients();
    for (double& value : coefficients) value *= sign;
    engines_[{*choice_.positive, *choice_.negative}] =
        make_engine(coefficients, sign * model.machine.intercept());
  }

  void prepare_ranked(const Matrix& points, const std::vector<std::size_t>& classes,
                      const std::vector<std::string>& labels, std::size_t k) {
    settings_.k = k;
    settings_.kappa = options_.kappa.value_or(neighbor_kappa(k));
    settings_.eta = options_.eta.value_or(kNeighborEta);
    ranked_.emplace(points, classes, labels.size(), k, *settings_.kappa, choice_, make_rule(),
                    options_.precision == Precision::f32);
  }

  void name_pools() {
    if (model_.is_regressor()) {
      settings_.positive = "above";
      settings_.negative = "below";
      return;
    }
    const std::vector<std::string> labels = model_.labels();
    if (choice_.positive) settings_.positive = labels[*choice_.positive];
    if (choice_.negative) settings_.negative = labels[*choice_.negative];
  }

  /// The engine of a pair of classes of a kernel classifier, positive for the first; made on first
  /// use, because a model of many classes has many pairs and a file of data asks for few.
  const SoftEngine& pair_engine(ClassPair pair) const {
    const std::lock_guard lock(engines_mutex_);
    auto& engine = engines_[{pair.positive, pair.negative}];
    if (!engine) {
      const auto& classifier = std::get<KernelClassifier>(model_.predictor());
      const std::size_t low = std::min(pair.positive, pair.negative);
      const std::size_t high = std::max(pair.positive, pair.negative);
      const double sign = pair.positive == low ? 1.0 : -1.0;
      std::vector<double> coefficients = classifier.pair_coefficients(low, high);
      for (double& value : coefficients) value *= sign;
      engine = make_engine(coefficients,
                           sign * classifier.intercepts()[classifier.pair_index(low, high)]);
    }
    return *engine;
  }

  /// The pools of a row of a kernel classifier with many classes, from its votes.
  ClassPair choose_pair(std::span<const double> decisions) const {
    const std::size_t classes = model_.labels().size();
    const std::vector<std::size_t> votes = one_vs_one_votes(decisions, classes);
    const std::size_t positive = choice_.positive.value_or(winner(votes));
    if (choice_.negative) return {positive, *choice_.negative};
    std::vector<std::size_t> others = votes;
    others[positive] = 0;
    std::size_t rival = winner(others);
    if (rival == positive) rival = positive == 0 ? 1 : 0;  // nobody else has a vote
    return {positive, rival};
  }

  const SoftEngine& engine_at(std::span<const double> row) const {
    if (!decision_) return *engines_.begin()->second;
    const Predictions predictions = (*decision_)({row.data(), 1, row.size()});
    return pair_engine(choose_pair(predictions.decisions.row(0)));
  }

  Matrix map_one(std::span<const double> row) const {
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

  template <class Body>  // body(first row, count, mapped rows)
  void for_tiles(MatrixView<const double> rows, const Body& body) const {
    const std::size_t tiles = (rows.rows() + linalg::kRowTile - 1) / linalg::kRowTile;
    linalg::parallel_for(tiles, options_.threads, [&] {
      return [&](std::size_t tile) {
        const std::size_t first = tile * linalg::kRowTile;
        const std::size_t count = std::min(linalg::kRowTile, rows.rows() - first);
        body(first, count,
             preprocessed(model_.input(), rows.rows(first, count), model_.model_features()));
      };
    });
  }

  void explain_with(const SoftEngine& engine, MatrixView<const double> rows,
                    Explanation& result) const {
    for_tiles(rows, [&](std::size_t first, std::size_t count, const Matrix& mapped) {
      engine.explain(rows.rows(first, count), mapped.view(),
                     result.relevance.view().rows(first, count),
                     std::span(result.g).subspan(first, count),
                     std::span(result.decision).subspan(first, count));
    });
  }

  void explain_one_contrast(MatrixView<const double> rows, Explanation& result) const {
    const auto& [pair, engine] = *engines_.begin();
    explain_with(*engine, rows, result);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (model_.is_regressor()) {
        result.value[r] = result.decision[r] + *settings_.level;
      } else {
        result.positive[r] = pair.first;
        result.negative[r] = pair.second;
        result.prediction[r] = result.g[r] > 0.0 ? pair.first : pair.second;
      }
    }
  }

  /// Rows are grouped by their pair of classes, so that each group runs through one engine.
  void explain_many_classes(MatrixView<const double> rows, Explanation& result) const {
    const Predictions predictions = (*decision_)(rows);
    result.prediction = predictions.classes;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      const ClassPair pair = choose_pair(predictions.decisions.row(r));
      result.positive[r] = pair.positive;
      result.negative[r] = pair.negative;
      groups[{pair.positive, pair.negative}].push_back(r);
    }
    for (const auto& [pair, members] : groups) {
      Matrix gathered(members.size(), rows.cols());
      for (std::size_t m = 0; m < members.size(); ++m)
        std::ranges::copy(rows.row(members[m]), gathered.row(m).begin());
      Explanation part = empty_explanation(members.size());
      explain_with(pair_engine({pair.first, pair.second}), gathered.view(), part);
      for (std::size_t m = 0; m < members.size(); ++m) {
        std::ranges::copy(part.relevance.row(m), result.relevance.row(members[m]).begin());
        result.g[members[m]] = part.g[m];
        result.decision[members[m]] = part.decision[m];
      }
    }
  }

  void explain_ranked(MatrixView<const double> rows, Explanation& result) const {
    std::vector<char> ties(rows.rows());  // std::vector<bool> packs bits that threads would share
    for_tiles(rows, [&](std::size_t first, std::size_t count, const Matrix& mapped) {
      const auto decided = ranked_->explain(rows.rows(first, count), mapped.view(),
                                            result.relevance.view().rows(first, count));
      for (std::size_t r = 0; r < count; ++r) {
        result.g[first + r] = decided[r].g;
        result.decision[first + r] = decided[r].vote_difference;
        result.prediction[first + r] = decided[r].prediction;
        result.positive[first + r] = decided[r].contrast.positive;
        result.negative[first + r] = decided[r].contrast.negative;
        ties[first + r] = decided[r].contrast.tie;
      }
    });
    result.tie.assign(ties.begin(), ties.end());
  }

  using Engines = std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<const SoftEngine>>;

  Model model_;
  ExplainOptions options_;
  ExplainSettings settings_;
  ResolvedReference reference_;
  ClassChoice choice_;
  std::optional<RankedEngine> ranked_;        // neighbours and centroids
  std::optional<DecisionFunction> decision_;  // kernel classifiers of many classes
  mutable std::mutex engines_mutex_;
  mutable Engines engines_;  // kernel machines, by the classes of P and N
};

Explainer::Explainer(const Model& model, const ExplainOptions& options)
    : implementation_(std::make_unique<Implementation>(model, options)) {}
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
