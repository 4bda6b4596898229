#include "core/explain/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "bisector/error.h"
#include "core/contrast/one_hot.h"
#include "core/contrast/reference_rows.h"
#include "core/explain/auto_method.h"
#include "core/linalg/pairwise.h"
#include "core/linalg/vectors.h"
#include "core/models/checks.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"
#include "core/util/draws.h"

namespace bisector::detail {
namespace {

// The reference point.

/// Preprocessing may map a point out of the range of coordinates, in both directions.
void require_reference(std::span<const double> point) {
  for (const double value : point) {
    if (!is_coordinate(value))
      throw InvalidInput(
          fmt::format("the reference: a feature on the other side of the preprocessing is {}, "
                      "expected a number within ±{}",
                      value, kLargestCoordinate));
  }
}

/// A reference point in both spaces and its name. The point in the model's space is the image of
/// the other.
struct ReferencePoint {
  std::vector<double> model_space, input_space;
  std::string name;
};

ReferencePoint given_reference(const Model& model, const std::vector<double>& point) {
  if (point.size() != model.features())
    throw InvalidInput(
        fmt::format("the reference has {} features, the model {}", point.size(), model.features()));
  require_rows(model, {point.data(), 1, point.size()});
  std::vector<double> mapped(model.model_features());
  model.input().apply(point, mapped);
  require_reference(mapped);
  return {mapped, point, "given"};
}

ReferencePoint resolve_reference(const Model& model, const Reference& reference,
                                 const std::optional<Background>& background) {
  if (reference.kind == Reference::Kind::given) return given_reference(model, reference.point);
  // A cosine does not change along a path from the origin. One background row is a baseline.
  const bool wants_mean = model.distance().is_cosine() ||
                          (background ? background->is_off_center || background->rows.rows() == 1
                                      : is_off_center(model.shared_points()));
  const bool at_mean = reference.kind == Reference::Kind::mean ||
                       (reference.kind == Reference::Kind::automatic && wants_mean);
  std::vector<double> point = !at_mean     ? std::vector<double>(model.model_features(), 0.0)
                              : background ? background->mean
                                           : linalg::row_mean(model.shared_points());
  std::vector<double> input_point =
      back_through(model.input(), Matrix(1, point.size(), point)).values();
  // A matrix may not reach the point exactly; the image of the input point is used.
  if (model.input().has_matrix()) model.input().apply(input_point, point);
  require_reference(input_point);
  require_reference(point);
  return {std::move(point), std::move(input_point), at_mean ? "mean" : "origin"};
}

// What the presets of the LRP rule leave open, from the paper's Table 1 and our studies.

/// 0.4 log10(gamma s^2) + `at_one`, within 0 and 1.
double eta_on_line(double gamma, double median_distance, double at_one) {
  return std::clamp(0.4 * std::log10(gamma * median_distance * median_distance) + at_one, 0.0, 1.0);
}

/// A preset with the parameters that were given.
struct Preset {
  Lrp lrp;
  std::optional<double> eta;
  Responsibilities responsibilities;
  double eta_of_neighbors;
  std::optional<double> eta_at_one;  // of kernel machines, see eta_on_line; empty: eta is 0
};

Preset preset_of(const EtaRule& rule, const Model&) {
  return {{}, rule.eta, rule.responsibilities, 0.8, 0.4};
}

/// From the study of generated problems (bisector-paper heuristics): paths want less of E_1 than
/// lrp, and for neighbors a third.
Preset preset_of(const PathRule& rule, const Model&) {
  return {{.steps = rule.steps}, rule.eta, rule.responsibilities, kNeighborPathEta, 0.1};
}

/// Kernel machines take the gradients on the paths alone, neighbors, whose gradients are coarse, a
/// fifth of E_1 (bisector-paper choice).
Preset preset_of(const ExpectedPathRule& rule, const Model& model) {
  const bool one_sided = model.is_regressor() || model.is_detector();
  const ReferenceSide side =
      rule.side.value_or(one_sided ? ReferenceSide::all : ReferenceSide::both);
  return {{0.0, rule.references, rule.references, side, rule.seed},
          rule.eta,
          rule.responsibilities,
          0.2,
          std::nullopt};
}

template <class M>
concept LrpPreset = requires(const M& method, const Model& model) {
  preset_of(method, model);
};

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
                   const std::optional<Background>& background, Resolved& resolved) {
  ExplainSettings& settings = resolved.settings;
  model.prepare(options.threads);
  if (const Kernel* kernel = model.kernel(); kernel == nullptr) {
    settings.k = model.neighbors();
    resolved.contrasts.kappa = (model.neighbors() - 1) / 2;
  } else if (kernel->is_of_distance()) {
    settings.median_distance = resolve_distance(model, background);
    settings.gamma = resolved.contrasts.beta = gaussian_gamma(*kernel, *settings.median_distance);
  }
  settings.level = resolve_level(model, options.level);
  resolved.contrasts.level = settings.level.value_or(0.0);
}

bool has_categories(const Model& model) { return !model.distance().categories().empty(); }

/// Some distances allow only one eta: categories have no gradient at a row (eta = 1), and distances
/// other than Euclidean behind a matrix have only gradients (eta = 0). On paths between categories
/// the midpoint term adds nothing (choice_categories.csv).
double resolve_eta(const Model& model, const Preset& preset, const ExplainSettings& settings) {
  const bool is_mixed = !has_parts(model);
  const bool is_of_parts = has_categories(model) && preset.lrp.steps == 0;
  const double usual =
      !settings.gamma ? preset.eta_of_neighbors
      : !preset.eta_at_one
          ? 0.0
          : eta_on_line(*settings.gamma, *settings.median_distance, *preset.eta_at_one);
  const double eta = preset.eta              ? *preset.eta
                     : is_mixed              ? 0.0
                     : is_of_parts           ? 1.0
                     : has_categories(model) ? 0.0
                                             : usual;
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

void require_paths(const Model& model, const Lrp& lrp, std::string_view method) {
  if (lrp.steps == 0 || !has_categories(model)) return;
  if (lrp.references == 0)
    throw InvalidInput(
        fmt::format("{} needs a reference point, which categories do not have; use method "
                    "lrp-expected, lrp or neighborhood",
                    method));
  if (!OneHot::serves(model))
    throw InvalidInput(
        fmt::format("{} serves categories only in Hamming or Gower distances of neighbors with at "
                    "most {} levels; use method lrp or neighborhood",
                    method, OneHot::kMaxColumns));
}

void resolve_rule(const Model& model, const Preset& preset, Resolved& resolved) {
  ExplainSettings& settings = resolved.settings;
  require_distance(model, settings.method);
  require_applicable(model, preset.responsibilities);
  require_paths(model, preset.lrp, settings.method);
  ContrastOptions& contrasts = resolved.contrasts;
  resolved.lrp = preset.lrp;
  settings.eta = resolved.lrp.eta = resolve_eta(model, preset, settings);
  contrasts.beta = preset.responsibilities.beta.value_or(contrasts.beta);
  contrasts.kappa = preset.responsibilities.kappa.value_or(contrasts.kappa);
  contrasts.ignore_intercept = preset.responsibilities.ignore_intercept;
  if (settings.gamma && model.kernel()->is_gaussian()) settings.beta = contrasts.beta;
  if (settings.k) settings.kappa = contrasts.kappa;
  if (preset.lrp.references > 0) settings.side = preset.lrp.side;
}

/// Throws InvalidInput if a share of the neighborhood rule is used and not defined for the model.
void require_neighborhood(const Model& model, double share) {
  if (share > 0.0 && !has_parts(model))
    throw InvalidInput(
        "the neighborhood rule needs Euclidean distances behind a matrix; use another method, or "
        "neighborhood 0");
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

bool is_off_center(const SharedMatrix& points) {
  const auto count = static_cast<double>(points.rows());
  const std::vector<double> mean = linalg::row_mean(points);
  std::vector<double> variances(points.cols(), 0.0);
  points.for_each_block([&](std::size_t, MatrixView<const double> block) {
    for (std::size_t n = 0; n < block.rows(); ++n) {
      for (std::size_t d = 0; d < block.cols(); ++d)
        variances[d] += (block(n, d) - mean[d]) * (block(n, d) - mean[d]) / count;
    }
  });
  std::size_t off = 0;
  for (std::size_t d = 0; d < points.cols(); ++d) {
    const double spread = std::sqrt(variances[d]);
    if (spread > 0.0 && std::abs(mean[d]) > spread * std::max(1.0, 5.0 / std::sqrt(count))) ++off;
  }
  return 2 * off >= points.cols() && off > 0;
}

double kernel_eta(double gamma, double median_distance) {
  return eta_on_line(gamma, median_distance, 0.4);
}

std::optional<double> resolve_level(const Model& model, std::optional<double> level) {
  if (level && !model.is_regressor())
    throw InvalidInput("a level is for regressors, and this model is a classifier or a detector");
  if (level && !std::isfinite(*level))
    throw InvalidInput("the level is not finite, expected a number");
  return level ? level : model.default_level();
}

Resolved resolve(const Model& model, const Method& method, const ExplainOptions& options,
                 const std::optional<Background>& background) {
  require_applicable(model, options);
  require_ranges(method);
  ReferencePoint reference = resolve_reference(model, options.reference, background);
  const ClassChoice choice = resolve_classes(model, options.positive_class, options.versus);
  Resolved resolved;
  resolved.contrasts.choice = choice;
  resolve_model(model, options, background, resolved);
  ChosenMethod chosen = choose_method(model, method);
  resolved.method = std::move(chosen.method);
  ExplainSettings& settings = resolved.settings;
  settings.reference = reference.input_space;
  settings.reference_name = reference.name;
  settings.method = name(resolved.method);
  settings.reason = chosen.reason;
  settings.note = chosen.note;
  settings.unit = options.unit;
  if (options.unit != Unit::g) settings.adds_up = method_that_adds_up(model, resolved.method);
  std::visit(
      [&]<class M>(const M& own) {
        if constexpr (LrpPreset<M>) resolve_rule(model, preset_of(own, model), resolved);
        settings.has_evidence = LrpPreset<M> || std::is_same_v<M, ExactShapley>;
        resolved.neighborhood = neighborhood_share(own);
        require_neighborhood(model, resolved.neighborhood);
      },
      resolved.method);
  settings.parameters = resolved_parameters(resolved.method, settings);
  settings.cost = static_cast<double>(evaluations(resolved.method, model.features())) *
                  static_cast<double>(model.shared_points().rows());
  name_pools(model, choice, settings);
  resolved.rule = std::make_shared<const RelevanceRule>(
      model.input(), std::move(reference.model_space), std::move(reference.input_space),
      resolved.lrp.eta, model.distance());
  // Exact Shapley values are computed in double precision and need no second copy of the points.
  const bool is_double = std::holds_alternative<ExactShapley>(resolved.method);
  resolved.contrasts.precision = is_double ? Precision::float64 : options.precision;
  resolved.contrasts.threads = options.threads;
  resolved.contrasts.values = resolved.rule->values();
  return resolved;
}

}  // namespace bisector::detail

namespace bisector {

using namespace detail;

Background background_of(const Model& model, MatrixView<const double> rows, std::uint64_t seed) {
  require_rows(model, rows);
  if (rows.rows() == 0)
    throw InvalidInput("the background has no rows, expected rows that represent the data");
  const SharedMatrix mapped = preprocessed(model.input(), rows, model.model_features()).copy();
  const std::size_t most =
      std::clamp<std::size_t>(Background::kMostNumbers / rows.cols(), 60, Background::kMostRows);
  Background background{gather_rows(rows, util::sample_rows(rows.rows(), most, seed)),
                        linalg::row_mean(mapped), is_off_center(mapped), std::nullopt};
  const Kernel* kernel = model.kernel();
  if (kernel != nullptr && kernel->is_of_distance() && rows.rows() > 1)
    background.median_distance = linalg::median_distance(mapped->view(), model.distance());
  return background;
}

}  // namespace bisector
