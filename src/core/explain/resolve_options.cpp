#include "core/explain/resolve_options.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "bisector/error.h"
#include "core/contrast/one_hot.h"
#include "core/explain/auto_method.h"
#include "core/linalg/pairwise.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"
#include "core/rules/rules.h"

namespace bisector::detail {
namespace {

/// Throws InvalidInput for options that the kind of model does not have.
void require_applicable(const Model& model, const ExplainOptions& options) {
  if ((options.positive_class || options.versus) && model.is_regressor())
    throw InvalidInput("regressors have no classes; use the option level instead of a class");
}

void require_applicable(const Model& model, const Responsibilities& given) {
  const bool ranked = has_ranked_pools(model);
  if (given.beta && ranked)
    throw InvalidInput("beta is for kernel machines; use kappa for neighbors");
  if (given.kappa && !ranked)
    throw InvalidInput("kappa is for neighbors; use beta for kernel machines");
  if (given.ignore_intercept && ranked)
    throw InvalidInput("ignore_intercept is for kernel machines; this model has no intercept");
  if (given.beta && !model.kernel()->is_gaussian())
    throw InvalidInput("beta is for Gaussian kernels; leave it out for this kernel");
}

void require_distance(const Model& model, std::string_view method) {
  if (model.has_dot_product())
    throw InvalidInput(fmt::format(
        "{} needs a distance, and the model's kernel is one of the dot product; use method ig, or "
        "another method on f",
        method));
}

/// One background row has no distance to others.
double resolve_distance(const Model& model, const std::optional<Background>& background) {
  if (background && background->median_distance) return *background->median_distance;
  if (model.median_distance()) return *model.median_distance();
  return linalg::median_distance(model.points().view(), model.distance());
}

/// The gamma of the Gaussian that has the kernel's value at a distance.
double gaussian_gamma(const Kernel& kernel, double distance) {
  if (kernel.is_gaussian() || distance == 0.0) return kernel.terms()[0].gamma;
  return -kernel.log_value(kernel.distance().sum(distance)) / (distance * distance);
}

/// Settings that depend on the model alone.
void resolve_model(const Model& model, const ExplainOptions& options,
                   const std::optional<Background>& background, ResolvedOptions& resolved) {
  ExplainSettings& settings = resolved.settings;
  model.prepare(options.threads);
  if (const Kernel* kernel = model.kernel(); kernel == nullptr) {
    settings.k = model.neighbors();
    resolved.kappa = neighbor_kappa(model.neighbors());
  } else if (kernel->is_of_distance()) {
    settings.median_distance = resolve_distance(model, background);
    settings.gamma = resolved.beta = gaussian_gamma(*kernel, *settings.median_distance);
  }
  settings.level = resolve_level(model, options.level);
}

bool has_categories(const Model& model) { return !model.distance().categories().empty(); }

/// Some distances allow only one eta: categories have no gradient at a row (eta = 1), and distances
/// other than Euclidean behind a matrix have only gradients (eta = 0). On paths between categories
/// the midpoint term adds nothing (choice_categories.csv).
template <LrpRule Rule>
double resolve_eta(const Model& model, const Rule& rule, const ExplainSettings& settings) {
  const bool is_mixed = !has_parts(model);
  const bool is_of_parts = has_categories(model) && !BlendableRule<Rule>;
  const double eta = rule.eta                ? *rule.eta
                     : is_mixed              ? 0.0
                     : is_of_parts           ? 1.0
                     : has_categories(model) ? 0.0
                                             : default_eta(rule, settings);
  if (eta != 0.0 && is_mixed)
    throw InvalidInput(
        fmt::format("eta is {}, expected 0: behind a matrix, distances that are not Euclidean have "
                    "only gradients",
                    eta));
  if (eta != 1.0 && is_of_parts)
    throw InvalidInput(fmt::format(
        "eta is {}, expected 1: the model has categories, which have no gradient", eta));
  return eta;
}

template <LrpRule Rule>
void require_paths(const Model& model, const Rule& rule) {
  if (!BlendableRule<Rule> || !has_categories(model)) return;
  const bool is_expected = std::is_same_v<Rule, ExpectedPathRule>;
  if (is_expected && OneHot::serves(model)) return;
  throw InvalidInput(
      is_expected
          ? fmt::format("{} serves categories only in Hamming or Gower distances of neighbors with "
                        "at most {} levels; use method lrp or neighborhood",
                        name(Method(rule)), OneHot::kMaxColumns)
          : fmt::format("{} needs a reference point, which categories do not have; use method "
                        "lrp-expected, lrp or neighborhood",
                        name(Method(rule))));
}

/// Throws InvalidInput if a share of the neighborhood rule is used and not defined for the model.
void require_neighborhood(const Model& model, double share) {
  if (share > 0.0 && !has_parts(model))
    throw InvalidInput(
        "the neighborhood rule needs Euclidean distances behind a matrix; use another method, or "
        "neighborhood 0");
}

template <LrpRule Rule>
void resolve_rule(const Model& model, const Rule& rule, const std::optional<Background>& background,
                  ResolvedOptions& resolved) {
  require_distance(model, name(Method(rule)));
  require_applicable(model, rule.responsibilities);
  ExplainSettings& settings = resolved.settings;
  require_paths(model, rule);
  settings.eta = resolved.eta = resolve_eta(model, rule, settings);
  resolved.beta = rule.responsibilities.beta.value_or(resolved.beta);
  resolved.kappa = rule.responsibilities.kappa.value_or(resolved.kappa);
  resolved.ignore_intercept = rule.responsibilities.ignore_intercept;
  if (settings.gamma && model.kernel()->is_gaussian()) settings.beta = resolved.beta;
  if (settings.k) settings.kappa = resolved.kappa;
  const OptionalRows rows = background ? OptionalRows(background->rows->view()) : std::nullopt;
  resolved.paths = plan_paths(rule, {model, rows, resolved.reference});
  if (std::is_same_v<Rule, ExpectedPathRule>) settings.side = resolved.paths->side;
}

/// The share of the neighborhood rule in a method.
template <class M>
double neighborhood_share(const M& method) {
  if constexpr (requires { method.neighborhood; })
    return method.neighborhood;
  else
    return std::is_same_v<M, NeighborhoodRule> ? 1.0 : 0.0;
}

/// The parameters of the method, with those that were resolved from the model.
MethodParameters resolved_parameters(const Method& method, const ExplainSettings& settings) {
  MethodParameters parameters = parameters_of(method);
  if (settings.eta) parameters.insert_or_assign("eta", *settings.eta);
  if (settings.beta) parameters.insert_or_assign("beta", *settings.beta);
  if (settings.kappa) parameters.insert_or_assign("kappa", *settings.kappa);
  if (settings.side) parameters.insert_or_assign("side", *settings.side);
  return parameters;
}

void name_pools(const Model& model, const ClassChoice& choice, ExplainSettings& settings) {
  if (model.is_regressor()) {
    settings.positive = "above";
    settings.negative = "below";
    return;
  }
  const std::vector<std::string> labels = model.labels();
  if (choice.positive) settings.positive = labels[*choice.positive];
  if (choice.negative) settings.negative = labels[*choice.negative];
}

}  // namespace

std::optional<double> resolve_level(const Model& model, std::optional<double> level) {
  if (level && !model.is_regressor())
    throw InvalidInput("a level is for regressors, and this model is a classifier or a detector");
  if (level && !std::isfinite(*level))
    throw InvalidInput("the level is not finite, expected a number");
  if (!model.is_regressor()) return std::nullopt;
  if (const auto* neighbors = std::get_if<NeighborRegressor>(&model.predictor()))
    return level.value_or(neighbors->target_mean());
  return level.value_or(std::get<KernelRegressor>(model.predictor()).target_mean.value_or(0.0));
}

ResolvedOptions resolve_options(const Model& model, const Method& method,
                                const ExplainOptions& options,
                                const std::optional<Background>& background) {
  require_applicable(model, options);
  require_ranges(method);
  ResolvedOptions resolved;
  resolved.reference = resolve_reference(model, options.reference, background);
  resolved.choice = resolve_classes(model, options.positive_class, options.versus);
  resolved.settings.reference = resolved.reference.input_space;
  resolved.settings.reference_name = resolved.reference.name;
  resolve_model(model, options, background, resolved);
  ChosenMethod chosen = choose_method(model, method);
  resolved.settings.method = name(chosen.method);
  resolved.settings.reason = chosen.reason;
  resolved.settings.note = chosen.note;
  resolved.settings.unit = options.unit;
  if (options.unit != Unit::g)
    resolved.settings.adds_up = method_that_adds_up(model, chosen.method);
  resolved.method = std::move(chosen.method);
  std::visit(
      [&]<class M>(const M& own) {
        if constexpr (LrpRule<M>) resolve_rule(model, own, background, resolved);
        resolved.settings.has_evidence = LrpRule<M> || std::is_same_v<M, ExactShapley>;
        resolved.neighborhood = neighborhood_share(own);
        require_neighborhood(model, resolved.neighborhood);
      },
      resolved.method);
  resolved.settings.parameters = resolved_parameters(resolved.method, resolved.settings);
  resolved.settings.cost = static_cast<double>(evaluations(resolved.method, model.features())) *
                           static_cast<double>(model.shared_points().rows());
  name_pools(model, resolved.choice, resolved.settings);
  return resolved;
}

}  // namespace bisector::detail
