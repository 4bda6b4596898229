#include "core/contrast/contrasts.h"

#include <fmt/format.h>

#include <numeric>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/contrast/level_pools.h"
#include "core/contrast/linear_contrast.h"
#include "core/contrast/neighbor_contrast.h"
#include "core/contrast/pair_groups.h"
#include "core/contrast/pair_machine.h"
#include "core/contrast/ranked_pools.h"
#include "core/contrast/soft_contrast.h"
#include "core/models/visit.h"

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
    return std::make_unique<const NeighborContrast<Pools>>(model, pools, choice, options.values,
                                                           options.kappa, options.threads);
  };
  return factory;
}

Factory of_kernel(const Model& model, const ContrastOptions& options) {
  Factory factory;
  factory.kind = "kernel machines";
  factory.knows_all = model.has_dot_product();
  factory.needs_predictions = model.labels().size() > 2 || factory.knows_all;
  const bool is_exact = options.exact_output && !factory.needs_predictions;
  const auto pair_of = [](const ClassChoice& choice) {
    return ClassPair{choice.positive.value_or(0), choice.negative.value_or(1)};
  };
  if (model.has_dot_product()) {
    factory.make = [=](const ClassChoice& choice) {
      return std::make_unique<const LinearContrast>(model, pair_of(choice), options.level,
                                                    options.threads);
    };
  } else {
    factory.make = [=](const ClassChoice& choice) {
      const bool is_single = options.precision == Precision::float32;
      const PoolOptions pools{options.beta, options.ignore_intercept, is_single, is_exact,
                              options.values};
      return std::make_unique<const SoftContrast>(model, pair_of(choice), options.level, pools,
                                                  options.threads);
    };
  }
  return factory;
}

Factory make_factory(const Model& model, const ContrastOptions& options) {
  const auto ranked = [&](NeighborOutput output, std::string_view kind) {
    return of_neighbors(model, options,
                        std::make_shared<const RankedPools>(model, output, options.level), kind);
  };
  return std::visit(Overloaded{[&](const KernelClassifier&) { return of_kernel(model, options); },
                               [&](const KernelRegressor&) { return of_kernel(model, options); },
                               [&](const OneClassMachine&) { return of_kernel(model, options); },
                               [&](const NeighborModel& m) {
                                 using enum NeighborOutput;
                                 return ranked(m.vote().is_plain() ? votes : shares, "KNN");
                               },
                               [&](const CentroidModel&) {
                                 return ranked(NeighborOutput::distances, "nearest centroids");
                               },
                               [&](const NeighborRegressor& m) {
                                 Factory factory = ranked(NeighborOutput::mean, "KNN");
                                 // The sums around another level differ from the prediction in the
                                 // last digits.
                                 factory.needs_predictions = options.level != m.target_mean();
                                 return factory;
                               },
                               [&](const OutlierDetector& m) {
                                 return of_neighbors(
                                     model, options,
                                     std::make_shared<const LevelPools>(DetectorPools(m)),
                                     "detectors by neighbors");
                               }},
                    model.predictor());
}

}  // namespace

Contrasts::Contrasts(const Model& model, ContrastOptions options)
    : model_(model), options_(std::move(options)), factory_(make_factory(model_, options_)) {
  if (factory_.finds_pairs)
    all_pairs_ = factory_.make(options_.choice);
  else if (const auto pair = only_pair())
    of(*pair);
  if (factory_.needs_predictions)
    predictions_.emplace(model_, options_.precision, options_.threads);
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

std::vector<RowDecision> Contrasts::known(MatrixView<const double> rows) const {
  std::vector<RowDecision> result;
  if (!predictions_) return result;
  const Predictions predictions = (*predictions_)(rows);
  result.reserve(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) result.push_back(known_decision(predictions, r));
  return result;
}

RowDecision Contrasts::known_decision(const Predictions& predictions, std::size_t r) const {
  const auto decisions = predictions.decisions.row(r);
  const std::optional<ClassPair> fixed = only_pair();
  const ClassPair pair = fixed ? *fixed : choose_pair(options_.choice, model_, decisions);
  RowDecision decision;
  decision.f = decision.g = pair_decision(model_, pair, decisions, options_.level);
  decision.tie = decision.f == 0.0;
  decision.positive = pair.positive;
  decision.negative = pair.negative;
  if (model_.is_regressor())
    decision.value = decisions[0];
  else
    decision.prediction = predictions.classes[r];
  return decision;
}

std::vector<RowGroup> Contrasts::groups(std::size_t rows,
                                        std::span<const RowDecision> known) const {
  std::vector<RowGroup> result;
  if (const auto fixed = only_pair(); fixed || all_pairs_) {
    std::vector<std::size_t> all(rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    result.push_back({all_pairs_ ? all_pairs_.get() : &of(*fixed), std::move(all)});
    return result;
  }
  for (auto& [pair, members] : group_by_pair(known))
    result.push_back({&of({pair.first, pair.second}), std::move(members)});
  return result;
}

void Contrasts::complete(const RowDecision& known, RowDecision& decision) const {
  if (factory_.knows_all) {
    const bool is_outside = decision.is_outside;  // from the explainer: by distances to data
    decision = known;
    decision.is_outside = is_outside;
  }
  decision.prediction = known.prediction;
  decision.value = known.value;
  if (options_.exact_output) decision.f = known.f;
}

void Contrasts::require_output(ExplainedOutput output) const {
  if (output == ExplainedOutput::votes &&
      !std::holds_alternative<NeighborModel>(model_.predictor()))
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
