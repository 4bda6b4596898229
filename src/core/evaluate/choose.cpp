#include "bisector/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/contrast/batches.h"
#include "core/contrast/one_hot.h"
#include "core/explain/auto_method.h"
#include "core/models/model_fields.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"
#include "core/util/draws.h"

namespace bisector {

using namespace detail;

namespace {

constexpr std::size_t kFixed = 0;  // the position of "auto" among the candidates

/// The path rules with this share of the neighborhood rule. The expected path rule has its default
/// side and, for classifiers, other sides.
std::vector<Candidate> path_rules(const Model& model, double share) {
  std::vector<Candidate> rules;
  if (model.distance().categories().empty())
    rules.push_back({std::string(PathRule::kName), PathRule{.neighborhood = share}});
  rules.push_back({std::string(ExpectedPathRule::kName), ExpectedPathRule{.neighborhood = share}});
  if (model.is_regressor() || model.is_detector()) {
    if (can_be_shapley(model))
      rules.push_back({std::string(ExactShapley::kName),
                       ExactShapley{.references = kShapleyReferences, .neighborhood = share}});
    return rules;
  }
  rules.push_back({"lrp-expected side=all",
                   ExpectedPathRule{.side = ReferenceSide::all, .neighborhood = share}});
  if (share == 0.0 && has_shapley_values(model))
    rules.push_back(
        {std::string(ExactShapley::kName), ExactShapley{.references = kShapleyReferences}});
  // Often the most faithful side if a neighborhood is blended in, but less true to the model.
  if (share > 0.0)
    rules.push_back({"lrp-expected side=other",
                     ExpectedPathRule{.side = ReferenceSide::other, .neighborhood = share}});
  return rules;
}

/// Models of one class have no other class whose neighborhood could be blended in, categories have
/// no reference point, and kernels of the dot product have only the fixed method.
std::vector<Candidate> rules_of(const Model& model, View view) {
  if (model.has_dot_product()) return {};
  const bool has_neighborhood = view == View::data && !model.is_detector() && has_parts(model);
  std::vector<Candidate> rules;
  if (model.distance().categories().empty() || OneHot::serves(model))
    rules = path_rules(model, has_neighborhood ? kDataViewShare : 0.0);
  if (has_neighborhood)
    rules.push_back({std::string(NeighborhoodRule::kName), NeighborhoodRule{}});
  else
    rules.insert(rules.begin(), {std::string(EtaRule::kName), EtaRule{}});
  return rules;
}

/// Rows to evaluate, and all others.
struct LeftOut {
  std::vector<std::size_t> rows, others;
};

LeftOut leave_out(std::size_t background, const ChooseOptions& options) {
  require_some(options.rows, "rows to evaluate");
  const std::size_t least = options.rows + 2 * DonorSplit::kMinHalf;
  if (background < least)
    throw InvalidInput(fmt::format(
        "the background has {0} rows, expected at least {1}: {2} to evaluate, {3} for the methods, "
        "and {3} to impute removed features",
        background, least, options.rows, DonorSplit::kMinHalf));
  LeftOut split{util::sample_rows(background, options.rows, options.seed), {}};
  for (std::size_t r = 0; r < background; ++r) {
    if (!std::binary_search(split.rows.begin(), split.rows.end(), r)) split.others.push_back(r);
  }
  return split;
}

std::string reason_of(const Evaluation& evaluation, std::size_t winner) {
  const PixelFlippingResult& fixed = evaluation.results[kFixed];
  const std::size_t best = evaluation.comparison.best;
  const std::string where = fmt::format("measured on {} rows", fixed.rows.size());
  if (best == kFixed)
    return fmt::format("{}: AUFC {:.3f}, and no rule is more faithful", where, fixed.mean);
  const PairedDifference difference = paired_difference(fixed.aufc, evaluation.results[best].aufc);
  if (winner == kFixed)
    return fmt::format("{}: {} is better by {:.3f} ± {:.3f}, within one standard error", where,
                       evaluation.names[best], difference.mean, difference.standard_error);
  return fmt::format("{}: AUFC {:.3f}, better than the fixed choice by {:.3f} ± {:.3f}", where,
                     evaluation.results[best].mean, difference.mean, difference.standard_error);
}

MeasuredMethod measured_of(const Evaluation& evaluation, std::size_t winner, const Method& method,
                           View view) {
  std::vector<std::size_t> order(evaluation.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t m) {
      return std::pair(m != winner, evaluation.results[m].mean);
    };
    return key(a) < key(b);
  });
  MeasuredMethod measured{method, view, evaluation.results[winner].rows.size(), {}};
  for (const std::size_t m : order)
    measured.figures.push_back(
        {evaluation.names[m], evaluation.results[m].mean, evaluation.results[m].standard_error});
  return measured;
}

}  // namespace

std::vector<Candidate> view_candidates(const Model& model, View view) {
  Model unmeasured(model.predictor(), model.input(), {}, model.median_distance());
  if (model.auto_check()) unmeasured = unmeasured.with_auto_check(*model.auto_check());
  const Method fixed = Explainer(unmeasured, Auto{view}).method();
  std::vector<Candidate> candidates{{std::string(Auto::kName), fixed}};
  for (Candidate& rule : rules_of(model, view)) {
    if (std::get<Method>(rule.what) != fixed) candidates.push_back(std::move(rule));
  }
  return candidates;
}

std::size_t winner_beside(std::size_t fixed, std::span<const PixelFlippingResult> results) {
  const std::size_t best = compare_to_best(results).best;
  const PairedDifference difference = paired_difference(results[fixed].aufc, results[best].aufc);
  // One row has no standard error, so the fixed choice stays.
  return difference.mean > difference.standard_error ? best : fixed;
}

Choice choose(const Model& model, MatrixView<const double> background,
              const ChooseOptions& options) {
  const LeftOut split = leave_out(background.rows(), options);
  EvaluateOptions own;
  own.flipping.samples = options.samples;
  own.flipping.rows = options.rows;
  own.flipping.seed = options.seed;
  own.flipping.threads = options.explain.threads;
  own.flipping.progress = options.progress;
  own.flipping.imputer = default_imputer(model);
  own.explain = options.explain;
  own.explain.background.reset();
  own.precision = options.explain.precision;
  own.donors = Donors::disjoint;
  const Model checked = with_auto_check(model.with_background(background_of(model, background)),
                                        options.explain.threads);
  const std::vector<Candidate> candidates = view_candidates(checked, options.view);
  Evaluation evaluation = evaluate(model, gather_rows(background, split.rows),
                                   gather_rows(background, split.others), candidates, own);
  for (PixelFlippingResult& result : evaluation.results) result.rows = split.rows;
  const std::size_t winner = winner_beside(kFixed, evaluation.results);
  const Candidate& chosen = candidates[winner];
  return {measured_of(evaluation, winner, std::get<Method>(chosen.what), options.view), chosen.name,
          reason_of(evaluation, winner), std::move(evaluation)};
}

using namespace detail;

namespace {

/// True for methods that are defined for the model and fast. shapley-exact is slow. Neighbors and
/// categories have no gradients, categories have no reference point, and dot products have no
/// rules.
bool is_default(const Method& method, const Model& model) {
  const bool is_smooth = model.distance().categories().empty();
  const bool has_gradient = is_smooth && !has_ranked_pools(model);
  const bool has_pools = !model.has_dot_product();
  return std::visit(
      Overloaded{[](const ExactShapley&) { return false; },
                 [&](const GradientTimesInput&) { return has_gradient; },
                 [&](const IntegratedGradients&) { return has_gradient; },
                 [&](const Sensitivity&) { return has_gradient; },
                 [&](const EtaRule&) { return has_pools; },
                 [&](const PathRule&) { return has_pools && is_smooth; },
                 [&](const ExpectedPathRule&) {
                   return has_pools && (is_smooth || OneHot::serves(model));
                 },
                 [&](const NeighborhoodRule&) { return has_pools && has_parts(model); },
                 [](const auto&) { return true; }},
      method);
}

void set_seed(Method& method, std::uint64_t seed) {
  std::visit(
      [seed](auto& own) {
        if constexpr (requires { own.seed; }) own.seed = seed;
      },
      method);
}

void require_names(std::span<const std::string> names) {
  std::vector<std::string> known;
  for (const Method& method : all_methods()) known.emplace_back(name(method));
  known.emplace_back(RandomOrder::kName);
  for (const std::string& wanted : names) {
    if (std::ranges::find(known, wanted) == known.end())
      throw InvalidInput(
          fmt::format("no method \"{}\", expected {}", wanted, fmt::join(known, ", ")));
  }
}

}  // namespace

std::vector<Candidate> candidates_from_names(std::span<const std::string> names,
                                             const MethodParameters& parameters,
                                             std::uint64_t seed) {
  require_names(names);
  std::vector<std::string_view> of_methods;
  for (const std::string& wanted : names) {
    if (wanted != RandomOrder::kName) of_methods.push_back(wanted);
  }
  std::vector<Method> methods = methods_from_names(of_methods, parameters);
  std::vector<Candidate> candidates;
  auto next = methods.begin();
  for (const std::string& wanted : names) {
    if (wanted == RandomOrder::kName) {
      candidates.push_back({wanted, RandomOrder{seed}});
    } else {
      set_seed(*next, seed);
      candidates.push_back({wanted, *next++});
    }
  }
  return candidates;
}

std::vector<Candidate> default_candidates(const Model& model, const MethodParameters& parameters,
                                          std::uint64_t seed) {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) {
    if (is_default(method, model)) names.emplace_back(name(method));
  }
  names.emplace_back(RandomOrder::kName);
  return candidates_from_names(names, parameters, seed);
}

}  // namespace bisector
