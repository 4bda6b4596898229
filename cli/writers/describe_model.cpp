#include "cli/writers/describe_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace bisector::cli {
namespace {

PointCount with_sign(const KernelMachine& machine, bool positive) {
  const auto& values = machine.coefficients();
  const auto count = std::ranges::count_if(
      values, [positive](double value) { return positive ? value > 0.0 : value < 0.0; });
  return {positive ? "with coefficient > 0" : "with coefficient < 0",
          static_cast<std::size_t>(count)};
}

std::string kernel_word(const KernelTerm& term, const Distance& distance) {
  switch (term.form) {
    case KernelForm::exponential:
      return distance.is_euclidean() ? "Gaussian" : "Laplacian";
    case KernelForm::matern12:
      return "Laplacian";
    case KernelForm::matern32:
      return "Matérn 3/2";
    case KernelForm::matern52:
      return "Matérn 5/2";
    case KernelForm::power:
      return term.shape == 1.0   ? "Cauchy"
             : term.shape == 0.5 ? "inverse multiquadric"
                                 : fmt::format("rational quadratic (shape {})", term.shape);
    case KernelForm::polynomial:
      return term.shape == 1.0 && term.offset == 0.0
                 ? "linear"
                 : fmt::format("polynomial (degree {})", term.shape);
    case KernelForm::sigmoid:
      break;
  }
  return "sigmoid";
}

std::string distance_word(const Distance& distance) {
  if (distance.is_euclidean()) return "";
  if (distance.is_cosine()) return "cosine";
  const auto categories = static_cast<std::size_t>(
      std::ranges::count_if(distance.categories(), [](double weight) { return weight > 0.0; }));
  if (categories > 0 && categories == distance.categories().size()) return "Hamming";
  if (categories > 0)
    return fmt::format("Gower ({} categor{})", categories, categories == 1 ? "y" : "ies");
  return distance.power() == 1.0 ? "Manhattan"
                                 : fmt::format("Minkowski (p = {})", distance.power());
}

std::string kernel_words(const Kernel& kernel) {
  std::string words;
  for (const KernelTerm& term : kernel.terms())
    words += (words.empty() ? "" : " + ") + kernel_word(term, kernel.distance());
  const std::string distance = distance_word(kernel.distance());
  return distance.empty() ? words : fmt::format("{} ({})", words, distance);
}

std::string weights_word(const NeighborVote& vote) {
  const auto& [offset, power, rate] = vote.decay;
  const std::string raised = power == 1.0 ? "distance" : fmt::format("distance^{:g}", power);
  switch (vote.weights) {
    case NeighborVote::Weights::distance:
      return "1 / distance";
    case NeighborVote::Weights::inverse: {
      const std::string base = offset == 0.0 ? raised : fmt::format("({:g} + {})", offset, raised);
      return rate == 1.0 ? "1 / " + base : fmt::format("1 / {}^{:g}", base, rate);
    }
    case NeighborVote::Weights::exponential:
      return fmt::format("exp(-{:g} {})", rate, raised);
    case NeighborVote::Weights::uniform:
      break;
  }
  return vote.rank_weights.empty() ? "" : "rank";
}

std::string vote_words(std::size_t k, const NeighborVote& vote) {
  std::string words = vote.radius ? fmt::format("neighbors within {}", *vote.radius)
                                  : fmt::format("{} nearest neighbors", k);
  if (const std::string weights = weights_word(vote); !weights.empty())
    words += ", weighted by " + weights;
  if (!vote.point_weights.empty()) words += ", with weights of their own";
  const std::string distance = distance_word(vote.distance);
  return distance.empty() ? words : fmt::format("{}, {} distance", words, distance);
}

ModelFacts facts(const KernelClassifier& model) {
  ModelFacts result{"svm-classifier",
                    kernel_words(model.kernel()) + " SVM classifier",
                    "support vectors",
                    {},
                    {},
                    {},
                    {}};
  if (model.has_machine_per_class()) {
    result.description =
        kernel_words(model.kernel()) + " machines, one for each class: the largest wins";
    result.points.push_back({"shared by all classes", model.points().rows()});
    result.gamma = model.gamma();
    result.intercepts = model.intercepts();
    return result;
  }
  if (model.classes() > 2) result.description += ", one machine for each pair of classes";
  if (model.arrangement() == KernelClassifier::Arrangement::one_vs_one_by_confidence)
    result.description += "; of equal votes the largest sum of decision values wins";
  for (std::size_t c = 0; c < model.classes(); ++c)
    result.points.push_back({"of class " + model.labels()[c], model.points_per_class()[c]});
  result.gamma = model.gamma();
  result.intercepts = model.intercepts();
  return result;
}

ModelFacts facts(const KernelRegressor& model) {
  return {"kernel-regressor",
          kernel_words(model.machine.kernel()) +
              " kernel regression (SVR, kernel ridge, Gaussian process mean)",
          "points",
          {with_sign(model.machine, true), with_sign(model.machine, false)},
          model.machine.gamma(),
          {},
          {model.machine.intercept()}};
}

/// A sum of equal kernels is an estimate of the density, whoever made it.
bool is_density(const KernelMachine& machine) {
  const auto& weights = machine.coefficients();
  return weights.size() > 1 &&
         std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end();
}

ModelFacts facts(const OneClassMachine& model) {
  const KernelMachine& machine = model.machine;
  const std::string kernel =
      machine.kernel().is_gaussian() ? "" : kernel_words(machine.kernel()) + " kernel, ";
  const bool is_dense = is_density(machine);
  return {is_dense ? "kernel-density" : "one-class-svm",
          kernel + (is_dense ? "kernel density: class 1 is inside, where it is above its level, -1 "
                               "outside"
                             : "one-class SVM: class 1 is inside, -1 outside"),
          is_dense ? "training points" : "support vectors",
          {with_sign(model.machine, true), with_sign(model.machine, false)},
          model.machine.gamma(),
          {},
          {model.machine.intercept()}};
}

ModelFacts facts(const NeighborModel& model) {
  ModelFacts result{
      "neighbors", vote_words(model.k(), model.vote()), "training points", {}, {}, model.k(), {}};
  for (std::size_t c = 0; c < model.labels().size(); ++c) {
    const auto count = static_cast<std::size_t>(std::ranges::count(model.classes(), c));
    result.points.push_back({"of class " + model.labels()[c], count});
  }
  return result;
}

ModelFacts facts(const NeighborRegressor& model) {
  return {"neighbor-regressor",
          "mean of " + vote_words(model.k(), model.vote()),
          "training points",
          {},
          {},
          model.k(),
          {}};
}

ModelFacts facts(const OutlierDetector& model) {
  const char* score =
      model.score() == OutlierDetector::Score::kth_distance    ? "distance to the k-th neighbor"
      : model.score() == OutlierDetector::Score::mean_distance ? "mean distance to k neighbors"
                                                               : "local outlier factor";
  return {"detector",
          fmt::format("outlier detector: {} up to {:.6g} is inside (1), beyond outside (-1)", score,
                      model.threshold()),
          "training points",
          {},
          {},
          model.k(),
          {}};
}

ModelFacts facts(const CentroidModel& model) {
  ModelFacts result{"centroids", "nearest centroid", "centroids", {}, {}, {}, {}};
  for (const auto& label : model.labels()) result.points.push_back({"of class " + label, 1});
  return result;
}

std::size_t label_index(const std::vector<std::string>& labels, const std::string& label) {
  return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
}

/// The pools of f = sum of kernels + intercept, where `sign` is -1 for the class that f speaks
/// against.
Pools pools_by_sign(const std::vector<double>& coefficients, double intercept, double sign,
                    const ExplainSettings& settings) {
  Pools pools{{settings.positive}, {settings.negative}};
  for (const double value : coefficients) {
    if (sign * value > 0.0) ++pools.positive.points;
    if (sign * value < 0.0) ++pools.negative.points;
  }
  pools.positive.has_intercept = sign * intercept > 0.0;
  pools.negative.has_intercept = sign * intercept < 0.0;
  return pools;
}

Pools pools(const KernelClassifier& model, const ExplainSettings& settings) {
  const std::size_t positive = label_index(model.labels(), settings.positive);
  const std::size_t negative = label_index(model.labels(), settings.negative);
  const std::size_t low = std::min(positive, negative), high = std::max(positive, negative);
  return pools_by_sign(model.pair_coefficients(low, high), model.pair_intercept(low, high),
                       positive == low ? 1.0 : -1.0, settings);
}

Pools pools(const KernelRegressor& model, const ExplainSettings& settings) {
  return pools_by_sign(model.machine.coefficients(),
                       model.machine.intercept() - settings.level.value_or(0.0), 1.0, settings);
}

Pools pools(const OneClassMachine& model, const ExplainSettings& settings) {
  return pools_by_sign(model.machine.coefficients(), model.machine.intercept(),
                       settings.positive == "1" ? 1.0 : -1.0, settings);
}

Pools pools(const NeighborModel& model, const ExplainSettings& settings) {
  const auto count = [&](const std::string& label) {
    return static_cast<std::size_t>(
        std::ranges::count(model.classes(), label_index(model.labels(), label)));
  };
  return {{settings.positive, count(settings.positive)},
          {settings.negative, count(settings.negative)}};
}

Pools pools(const NeighborRegressor& model, const ExplainSettings& settings) {
  Pools result{{settings.positive}, {settings.negative}};
  for (const double target : model.targets()) {
    if (target > settings.level.value_or(0.0)) ++result.positive.points;
    if (target < settings.level.value_or(0.0)) ++result.negative.points;
  }
  return result;
}

Pools pools(const OutlierDetector& model, const ExplainSettings& settings) {
  const bool inside = settings.positive == "1";
  return {{settings.positive, inside ? model.points().rows() : 0},
          {settings.negative, inside ? 0 : model.points().rows()}};
}

Pools pools(const CentroidModel&, const ExplainSettings& settings) {
  return {{settings.positive, 1}, {settings.negative, 1}};
}

}  // namespace

std::optional<Pools> pools_of(const Model& model, const ExplainSettings& settings) {
  if (settings.positive.empty() || settings.negative.empty()) return std::nullopt;
  return std::visit([&](const auto& predictor) { return pools(predictor, settings); },
                    model.predictor());
}

ModelFacts facts_of(const Model& model) {
  return std::visit([](const auto& predictor) { return facts(predictor); }, model.predictor());
}

std::string preprocessing_words(const Model& model) {
  const AffineMap& input = model.input();
  if (input.is_identity() && !model.encoding()) return "none";
  std::string words;
  if (model.encoding())
    words = fmt::format("{} columns of a table become {} features",
                        model.encoding()->columns().size(), model.features());
  if (!input.shift().empty())
    words += words.empty() ? "each feature is shifted and scaled" : ", shifted and scaled";
  if (input.has_matrix())
    words += fmt::format("{}a matrix maps {} features to {}{}", words.empty() ? "" : ", then ",
                         model.features(), model.model_features(),
                         input.offset().empty() ? "" : ", and an offset is added");
  return words;
}

}  // namespace bisector::cli
