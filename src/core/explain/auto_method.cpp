#include "core/explain/auto_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/explain.h"
#include "bisector/random.h"
#include "core/contrast/one_hot.h"
#include "core/contrast/reference_rows.h"
#include "core/models/describe.h"
#include "core/models/model_fields.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {
namespace {

/// No rule is the best on every problem, so the reason names the metric and the view.
std::string default_for(const char* kind) {
  return fmt::format(
      "the default for {}, among the best rules of the model view by AUFC on benchmark problems",
      kind);
}

std::size_t number_count(const Model& model) {
  return model.shared_points().rows() * model.shared_points().cols();
}

/// Exact Shapley values if they are defined and affordable, otherwise the rule.
ChosenMethod shapley_or(ChosenMethod rule, const char* kind, const Model& model) {
  if (!has_shapley_values(model)) return rule;
  if (number_count(model) > kMaxShapleyNumbers) {
    rule.reason +=
        fmt::format("; exact Shapley values take too long with more than {} stored numbers",
                    kMaxShapleyNumbers);
    return rule;
  }
  const Method shapley = ExactShapley{.references = kShapleyReferences};
  ChosenMethod chosen{shapley, fmt::format("exact Shapley values of {} with this kernel", kind)};
  const std::size_t cost = evaluations(shapley, model.features());
  const std::size_t faster = evaluations(rule.method, model.features());
  if (cost > kExpensive * evaluations(EtaRule{}, model.features()))
    chosen.reason +=
        fmt::format("; {} is about {} times as fast", name(rule.method), cost / faster);
  return chosen;
}

/// Detectors that compare distances between points, not values of a kernel.
template <class M>
concept DistanceDetector = M::kTask == Task::detection && !requires(const M& m) {
  m.kernel();
};

/// The method for a kernel or distance that leaves no choice; nothing for the others.
std::optional<ChosenMethod> for_distance(const Model& model) {
  if (model.has_dot_product())
    return ChosenMethod{IntegratedGradients{.output = ExplainedOutput::f},
                        "the kernel is one of the dot product, no distance: an exact path on f"};
  const ExpectedPathRule expected{};
  if (!model.distance().categories().empty() && !model.is_detector() && OneHot::serves(model))
    return ChosenMethod{expected, default_for("categories") + ": paths between them"};
  if (!model.distance().categories().empty())
    return ChosenMethod{EtaRule{1.0}, "categories have no gradient: the parts of the distances"};
  if (!has_parts(model))
    return ChosenMethod{expected,
                        "behind a matrix, distances that are not Euclidean have gradients alone"};
  if (model.distance().is_cosine())
    return ChosenMethod{expected, "a cosine has no reference of its own: paths from many rows"};
  return std::nullopt;
}

/// The model view. The evidence is in paper/results/choice.md, from problems that
/// are not in the tables that later measured the rules.
ChosenMethod for_model(const Model& model) {
  if (auto chosen = for_distance(model)) return *chosen;
  const ExpectedPathRule expected{};
  return std::visit(
      Overloaded{[&](const KernelClassifier&) {
                   return ChosenMethod{PathRule{}, default_for("kernel classifiers")};
                 },
                 [&](const NeighborModel&) {
                   return ChosenMethod{expected, default_for("neighbors")};
                 },
                 [&](const NeighborRegressor&) {
                   return ChosenMethod{expected, default_for("regressors")};
                 },
                 [&](const CentroidModel&) {
                   return ChosenMethod{expected, "centroids are neighbors of one point per class"};
                 },
                 [&](const KernelRegressor&) {
                   return shapley_or({expected, default_for("regressors")}, "regressors", model);
                 },
                 [&](const OneClassMachine&) {
                   return shapley_or({PathRule{}, default_for("one-class machines")},
                                     is_density(model) ? "the density (not of its logarithm)"
                                                       : "one-class machines",
                                     model);
                 },
                 [&]<DistanceDetector M>(const M&) {
                   return ChosenMethod{
                       EtaRule{1.0},
                       "the parts of the distance that the detector compares with its level"};
                 }},
      model.predictor());
}

/// lrp-path explains g. Where the output is flat, as for very rare classes, or the kernel narrow,
/// its values say something else than the output does. Two sets of rows tell: if the values of
/// lrp-path and exact Shapley values are correlated less than this on one of them, the latter are
/// taken (docs/guide/choosing.md).
constexpr double kLeastCorrelation = 0.8;
constexpr std::size_t kComparedRows = 32;  // of each set
/// A class is rare if fewer rows are predicted as it than this fraction of an equal share.
constexpr double kRareShare = 0.2;
constexpr const char* kHowToCompare =
    "bisector choose MODEL --background DATA compares the methods";

bool needs_check(const Model& model) {
  return std::holds_alternative<KernelClassifier>(model.predictor()) && !for_distance(model) &&
         (can_be_shapley(model) || !has_shapley_values(model));
}

/// The differences of values from their mean, in units of the largest value: squares of huge values
/// would overflow.
std::vector<double> from_mean(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value /= largest > 0.0 ? largest : 1.0;
  const double mean = std::accumulate(result.begin(), result.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(result.size(), 1));
  for (double& value : result) value -= mean;
  return result;
}

/// Pearson's correlation. Two constants agree; a constant and other values do not.
double correlation(std::span<const double> values, std::span<const double> others) {
  const std::vector<double> a = from_mean(values), b = from_mean(others);
  const double aa = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  const double bb = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
  const double ab = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  if (aa == 0.0 || bb == 0.0) return aa == bb ? 1.0 : 0.0;
  return std::clamp(ab / (std::sqrt(aa) * std::sqrt(bb)), -1.0, 1.0);
}

/// Rows in a random order, the same number from each predicted class as far as there are any.
std::vector<std::size_t> rows_of_all_classes(const std::vector<std::size_t>& classes,
                                             std::size_t labels, Random& random) {
  std::vector<std::size_t> order(classes.size()), chosen;
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  std::vector<std::vector<std::size_t>> of_class(labels);
  for (const std::size_t row : order) of_class[classes[row]].push_back(row);
  const std::size_t count = std::min(kComparedRows, classes.size());
  for (std::size_t turn = 0; chosen.size() < count; ++turn) {
    for (const std::vector<std::size_t>& own : of_class) {
      if (turn < own.size() && chosen.size() < count) chosen.push_back(own[turn]);
    }
  }
  return chosen;
}

/// The rows with half of their columns from another row each. Training rows alone are too friendly,
/// because support vectors are among them.
Matrix mixed_rows(Matrix rows, const Matrix& all, Random& random) {
  std::vector<std::size_t> columns(rows.cols());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto other = all.row(random.below(all.rows()));
    random.shuffle(std::span(columns));
    for (std::size_t n = 0; n < columns.size() / 2; ++n) rows(r, columns[n]) = other[columns[n]];
  }
  return rows;
}

AutoCheck check_of(const Model& given, unsigned threads) {
  // The check is that of the background, whatever scales the file has.
  const Model model = given.background() ? given.with_unit_scales({}) : given;
  const Matrix rows = model.background()
                          ? *model.background()->rows
                          : draw_rows(model, std::nullopt, Background::kMostRows, 0).input_space;
  const std::size_t labels = model.labels().size();
  const std::vector<std::size_t> classes =
      DecisionFunction(model, Precision::float64, threads)(rows.view()).classes;
  if (!has_shapley_values(model)) {
    std::vector<std::size_t> counts(labels);
    for (const std::size_t own : classes) ++counts[own];
    return {{},
            static_cast<double>(*std::ranges::min_element(counts)) /
                static_cast<double>(classes.size())};
  }
  ExplainOptions options;
  options.threads = threads;
  const Explainer path(model, PathRule{}, options);
  const Explainer shapley(model, ExactShapley{.references = kShapleyReferences}, options);
  Random random(0);
  const Matrix plain = gather_rows(rows.view(), rows_of_all_classes(classes, labels, random));
  const Matrix mixed = mixed_rows(plain, rows, random);
  const auto agreement = [&](const Matrix& own) {
    return correlation(path(own.view()).relevance.values(), shapley(own.view()).relevance.values());
  };
  return {std::min(agreement(plain), agreement(mixed)), {}};
}

/// What the check says about a kernel classifier, and what could not be checked.
void apply_check(const Model& model, ChosenMethod& chosen) {
  if (for_distance(model)) return;
  if (has_shapley_values(model) && !can_be_shapley(model)) {
    chosen.note = fmt::format(
        "lrp-path was not compared with exact Shapley values, which take long with more than {} "
        "stored numbers: {}",
        kMaxShapleyNumbers, kHowToCompare);
    return;
  }
  const AutoCheck check = model.auto_check().value_or(AutoCheck{});
  const auto labels = static_cast<double>(model.labels().size());
  if (check.rarest_class && *check.rarest_class < kRareShare / labels)
    chosen.note = fmt::format(
        "only {:.2g} % of the background are predicted as the rarest class, where lrp-path may "
        "contradict the output, and this kernel has no exact Shapley values: {}",
        100.0 * *check.rarest_class, kHowToCompare);
  if (!check.correlation || *check.correlation >= kLeastCorrelation) return;
  chosen = {ExactShapley{.references = kShapleyReferences},
            fmt::format("exact Shapley values, because lrp-path contradicts the output of this "
                        "model: the correlation of both is {:.2f}, expected at least {}",
                        *check.correlation, kLeastCorrelation)};
  chosen.note = "the method is " + chosen.reason;
}

/// The data view: blends the neighborhood in. A detector has no second class to be near to.
void add_data(const Model& model, ChosenMethod& chosen) {
  if (model.is_detector()) {
    chosen.reason += "; detectors have no second class whose neighborhood could be blended in";
    return;
  }
  if (model.has_dot_product()) {
    chosen.reason += "; the neighborhood rule needs distances";
    return;
  }
  if (!model.distance().categories().empty() && std::holds_alternative<EtaRule>(chosen.method)) {
    chosen = {NeighborhoodRule{}, "categories have no gradient: the neighborhood alone"};
    return;
  }
  if (!has_parts(model)) {
    chosen.reason += "; without the neighborhood, which needs Euclidean distances there";
    return;
  }
  if (std::holds_alternative<EtaRule>(chosen.method)) chosen.method = PathRule{};
  std::visit(
      []<class M>(M& own) {
        if constexpr (requires { own.neighborhood; }) own.neighborhood = kDataViewShare;
      },
      chosen.method);
  chosen.reason += ", half of it by the neighborhood rule";
}

/// Sets `references` and `seed` of the automatic choice in the method taken, if it has them.
void pass_on(const Auto& asked, ChosenMethod& chosen) {
  bool has_references = false;
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.references; }) {
          has_references = true;
          if (asked.references) own.references = *asked.references;
        }
        if constexpr (requires { own.seed; }) {
          if (asked.seed) own.seed = *asked.seed;
        }
      },
      chosen.method);
  if (asked.references && !has_references)
    chosen.reason += fmt::format("; {} takes no references", name(chosen.method));
}

std::string measured_reason(const MeasuredMethod& measured) {
  if (measured.figures.empty()) return "measured for this model";
  const auto& [name, aufc, error] = measured.figures.front();
  return fmt::format(
      "measured for this model: AUFC {:.3f} ± {:.3f} on {} rows, the best of {} rules", aufc, error,
      measured.rows, measured.figures.size());
}

}  // namespace

bool has_shapley_values(const Model& model) {
  const Kernel* kernel = model.kernel();
  return kernel != nullptr && is_product_kernel(*kernel) && !model.input().has_matrix();
}

bool can_be_shapley(const Model& model) {
  return has_shapley_values(model) && number_count(model) <= kMaxShapleyNumbers;
}

std::uint64_t seed_of(const Method& method) {
  return std::visit(
      [](const auto& own) -> std::uint64_t {
        if constexpr (std::is_same_v<decltype(own), const Auto&>)
          return own.seed.value_or(0);
        else if constexpr (requires { own.seed; })
          return own.seed;
        else
          return 0;
      },
      method);
}

std::size_t evaluations(const Method& method, std::size_t features) {
  return std::visit([&](const auto& own) { return own.evaluations(features); }, method);
}

std::string method_that_adds_up(const Model& model, const Method& method) {
  const bool has_paths =
      std::holds_alternative<PathRule>(method) || std::holds_alternative<ExpectedPathRule>(method);
  const bool is_rule = has_paths || std::holds_alternative<EtaRule>(method) ||
                       std::holds_alternative<NeighborhoodRule>(method);
  const bool is_sum = std::holds_alternative<ExactShapley>(method) ||
                      std::holds_alternative<SampledShapley>(method) ||
                      std::holds_alternative<IntegratedGradients>(method);
  if (is_sum) return "";
  if (is_rule && !has_paths && model.distance().categories().empty()) {
    if (model.kernel() != nullptr) return std::string(PathRule::kName);
    if (!model.is_detector()) return std::string(ExpectedPathRule::kName);
  }
  return std::string(has_shapley_values(model) ? ExactShapley::kName : SampledShapley::kName);
}

ChosenMethod choose_method(const Model& model, const Method& asked) {
  const auto* automatic = std::get_if<Auto>(&asked);
  if (automatic == nullptr) return {asked, "asked for"};
  ChosenMethod chosen;
  if (const auto& measured = model.measured(); measured && measured->view == automatic->view) {
    chosen = {measured->method, measured_reason(*measured)};
  } else {
    chosen = for_model(model);
    if (automatic->view == View::data)
      add_data(model, chosen);
    else if (std::holds_alternative<KernelClassifier>(model.predictor()))
      apply_check(model, chosen);
  }
  pass_on(*automatic, chosen);
  return chosen;
}

Model checked_for(const Method& asked, const Model& model,
                  const std::optional<Background>& background, unsigned threads) {
  const auto* automatic = std::get_if<Auto>(&asked);
  const auto& measured = model.measured();
  if (automatic == nullptr || automatic->view != View::model || model.auto_check() ||
      !needs_check(model) || (measured && measured->view == View::model))
    return model;
  const Model checked = with_auto_check(model.with_background(background), threads);
  return model.with_auto_check(*checked.auto_check());
}

}  // namespace bisector::detail

namespace bisector {

Model with_auto_check(const Model& model, unsigned threads) {
  if (model.auto_check() || !detail::needs_check(model)) return model;
  return model.with_auto_check(detail::check_of(model, threads));
}

Model with_training_data(const Model& model, MatrixView<const double> rows, unsigned threads) {
  Model result = model.with_background(background_of(model, rows));
  try {
    result = with_auto_check(result, threads);
  } catch (const InvalidModel&) {
    // A model with an empty pool cannot be explained, but it predicts.
  }
  return result.with_unit_scales(model.unit_scales());
}

}  // namespace bisector
