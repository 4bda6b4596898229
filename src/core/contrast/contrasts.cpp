#include "core/contrast/contrasts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/contrast/contrast.h"
#include "core/contrast/evaluator.h"
#include "core/contrast/implementations.h"
#include "core/models/model_fields.h"
#include "core/models/votes.h"

namespace bisector::detail {
namespace {

using Factory = Contrasts::Factory;
using ClassPair = Model::ClassPair;

template <class Pools>
Factory of_neighbors(const Model& model, const ContrastOptions& options,
                     std::shared_ptr<const Pools> pools, std::string_view kind) {
  Factory factory;
  factory.finds_pairs = factory.has_steps = true;
  factory.kind = kind;
  factory.make = [=](const ClassChoice& choice) {
    return make_neighbor_contrast(model, pools, choice, options);
  };
  return factory;
}

Factory of_kernel(const Model& model, const ContrastOptions& options) {
  Factory factory;
  factory.kind = "kernel machines";
  factory.make = [=](const ClassChoice& choice) -> std::unique_ptr<const Contrast> {
    const ClassPair pair{choice.positive.value_or(0), choice.negative.value_or(1)};
    if (model.has_dot_product())
      return make_linear_contrast(model, pair, options.level, options.threads);
    const PoolOptions pools{options.beta, options.ignore_intercept,
                            options.precision == Precision::float32, options.values};
    return make_soft_contrast(model, pair, options.level, pools, options.threads);
  };
  return factory;
}

/// The machines of all pairs of classes, or of each class, vote.
bool has_many_machines(const KernelClassifier& machines) { return machines.classes() > 2; }

Factory of_classifier(const Model& model, const KernelClassifier& machines,
                      const ContrastOptions& options) {
  Factory factory = of_kernel(model, options);
  if (has_many_machines(machines))
    factory.scores = [arrangement = machines.arrangement(),
                      classes = machines.classes()](std::span<const double> decisions) {
      return class_scores(arrangement, classes, decisions);
    };
  return factory;
}

Factory make_factory(const Model& model, const ContrastOptions& options) {
  const auto ranked = [&](NeighborOutput output, std::string_view kind) {
    return of_neighbors(model, options,
                        std::make_shared<const RankedPools>(model, output, options.level), kind);
  };
  return std::visit(
      Overloaded{[&](const KernelClassifier& m) { return of_classifier(model, m, options); },
                 [&](const KernelRegressor&) { return of_kernel(model, options); },
                 [&](const OneClassMachine&) { return of_kernel(model, options); },
                 [&](const NeighborModel& m) {
                   using enum NeighborOutput;
                   return ranked(m.vote().is_plain() ? votes : shares, "KNN");
                 },
                 [&](const CentroidModel&) {
                   return ranked(NeighborOutput::distances, "nearest centroids");
                 },
                 [&](const NeighborRegressor&) { return ranked(NeighborOutput::mean, "KNN"); },
                 [&](const OutlierDetector& m) {
                   return of_neighbors(model, options,
                                       std::make_shared<const LevelPools>(DetectorPools(m)),
                                       "detectors by neighbors");
                 }},
      model.predictor());
}

/// The options of predictions: the responsibilities are those of f, and nothing is averaged.
ContrastOptions of_predictions(const Model& model, Precision precision, unsigned threads) {
  ContrastOptions options;
  if (model.vote() != nullptr) options.level = model.default_level().value_or(0.0);
  const std::size_t positive = has_ranked_pools(model) && !model.is_detector() ? 1 : 0;
  if (!model.is_regressor()) options.choice = {positive, 1 - positive};
  if (model.kernel() != nullptr) options.beta = model.kernel()->terms()[0].gamma;
  options.precision = precision;
  options.threads = threads;
  return options;
}

}  // namespace

std::unique_ptr<const Evaluator> make_evaluator(const Model& model, Precision precision,
                                                unsigned threads) {
  if (const auto* centroids = std::get_if<CentroidModel>(&model.predictor()))
    return centroid_distances(*centroids);
  const auto* machines = std::get_if<KernelClassifier>(&model.predictor());
  if (machines && has_many_machines(*machines)) return machine_sums(*machines, precision);
  if (model.labels().size() > 2)
    return class_votes(model, model.vote() && !model.vote()->is_plain());
  const ContrastOptions options = of_predictions(model, precision, threads);
  return contrast_evaluator(make_factory(model, options).make(options.choice),
                            model.is_regressor());
}

Contrasts::Contrasts(const Model& model, ContrastOptions options)
    : model_(model), options_(std::move(options)), factory_(make_factory(model_, options_)) {
  if (factory_.finds_pairs)
    all_pairs_ = factory_.make(options_.choice);
  else if (const auto pair = only_pair())
    of(*pair);
}

std::optional<ClassPair> Contrasts::only_pair() const {
  if (model_.is_regressor()) return ClassPair{0, 1};
  if (!options_.choice.positive || !options_.choice.negative) return std::nullopt;
  return ClassPair{*options_.choice.positive, *options_.choice.negative};
}

const Contrast& Contrasts::of(ClassPair pair) const {
  return contrasts_.get(pair, [this](ClassPair own) {
    return factory_.make({own.positive, own.negative});
  });
}

std::vector<RowDecision> Contrasts::decide(const ReferenceRows& references, ClassPair pair) const {
  std::vector<RowDecision> decided(references.count);
  const auto store = [&](std::size_t first, const std::vector<RowDecision>& some) {
    std::ranges::copy(some, decided.begin() + static_cast<std::ptrdiff_t>(first));
  };
  if (all_pairs_) {
    for (const auto& [first, tile] : searched(references)) store(first, tile->decide(pair));
  } else {
    const Contrast& contrast = of(pair);
    for_each_tile_of(references,
                     [&](const RowTile& tile) { store(tile.first, contrast.decide(tile)); });
  }
  return decided;
}

const Contrasts::Searched& Contrasts::searched(const ReferenceRows& references) const {
  const std::lock_guard lock(mutex_);
  Searched& tiles = searched_[{references.source, references.seed}];
  if (!tiles.empty()) return tiles;
  Searched found;
  std::mutex of_found;
  for_each_tile_of(references, [&](const RowTile& tile) {
    auto own = all_pairs_->search(tile);
    const std::lock_guard own_lock(of_found);
    found.emplace(tile.first, std::move(own));
  });
  return tiles = std::move(found);
}

template <class Body>
void Contrasts::for_each_tile_of(const ReferenceRows& references, const Body& body) const {
  // Rows of very many features are copied a few at a time.
  constexpr std::size_t kLeast = 32, kNumbers = std::size_t{1} << 20;
  const std::size_t block = std::max(kLeast, kNumbers / model_.model_features());
  for (std::size_t first = 0; first < references.count; first += block) {
    const std::size_t some = std::min(block, references.count - first);
    const MappedRows rows = references.rows(first, some);
    for_each_tile(model_, some, options_.threads,
                  [&](std::size_t from, std::size_t count, unsigned threads) {
                    const auto own = rows.view().rows(from, count);
                    body(RowTile{first + from, count, own, own, threads});
                  });
  }
}

const DecisionFunction& Contrasts::machines() const {
  std::call_once(machines_once_,
                 [this] { machines_.emplace(model_, options_.precision, options_.threads); });
  return *machines_;
}

std::vector<RowDecision> Contrasts::vote(MatrixView<const double> rows) const {
  if (!has_votes()) return {};
  return vote(machines()(rows));
}

std::vector<RowDecision> Contrasts::vote(const Predictions& predictions,
                                         std::optional<ClassPair> given) const {
  const std::optional<ClassPair> fixed = given ? given : only_pair();
  std::vector<RowDecision> votes(predictions.decisions.rows());
  for (std::size_t r = 0; r < votes.size(); ++r) {
    const auto decisions = predictions.decisions.row(r);
    const ClassPair pair =
        fixed ? *fixed : choose_pair(options_.choice, factory_.scores(decisions));
    votes[r].f = model_.pair_decision(pair, decisions);
    votes[r].positive = pair.positive;
    votes[r].negative = pair.negative;
    votes[r].prediction = predictions.classes[r];
  }
  return votes;
}

void Contrasts::take(const RowDecision& vote, RowDecision& decision) const {
  decision.f = vote.f;
  decision.prediction = vote.prediction;
  if (!model_.has_dot_product()) return;
  decision.g = vote.f;
  decision.tie = vote.f == 0.0;
}

std::vector<RowGroup> Contrasts::groups(std::size_t rows,
                                        std::span<const RowDecision> votes) const {
  std::vector<RowGroup> result;
  // Votes name the pair of each row, also where one contrast finds the pairs.
  const bool finds_pairs = all_pairs_ && votes.empty();
  if (const auto fixed = only_pair(); fixed || finds_pairs) {
    std::vector<std::size_t> all(rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    result.push_back({finds_pairs ? all_pairs_.get() : &of(*fixed), std::move(all)});
    return result;
  }
  for (auto& [pair, members] : group_by_pair(votes))
    result.push_back({&of({pair.first, pair.second}), std::move(members)});
  return result;
}

void Contrasts::require_output(ExplainedOutput output) const {
  if (output == ExplainedOutput::votes && (!model_.vote() || model_.is_regressor()))
    throw InvalidInput("votes are only cast by neighbors, expected f or g to be explained");
}

void Contrasts::require_gradient(std::string_view method) const {
  if (factory_.has_steps)
    throw InvalidInput(fmt::format(
        "{} is not defined for {}: the outcome has steps, and no gradient; use lrp, occlusion or "
        "shapley",
        method, factory_.kind));
  if (!model_.distance().categories().empty())
    throw InvalidInput(fmt::format(
        "{} is not defined for categories, which have no gradient; use lrp, occlusion or shapley",
        method));
}

void Contrasts::require_product_kernel(std::string_view method) const {
  if (factory_.has_steps)
    throw InvalidInput(fmt::format(
        "{} is not defined for {}: it needs a product kernel, such as the Gaussian; use "
        "shapley",
        method, factory_.kind));
  if (!is_product_kernel(*model_.kernel()))
    throw InvalidInput(
        fmt::format("{} needs a kernel that is a product over the features: gaussian or laplacian; "
                    "use shapley",
                    method));
  if (model_.input().has_matrix())
    throw InvalidInput(
        fmt::format("{} is not exact behind a matrix: a feature of the data is then in many "
                    "features of the kernel; use shapley",
                    method));
}

}  // namespace bisector::detail
