#include "core/explain/model_explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "bisector/error.h"
#include "bisector/explain.h"
#include "core/contrast/contrast.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/outside_check.h"
#include "core/contrast/reference_rows.h"
#include "core/explain/auto_method.h"
#include "core/models/rows.h"
#include "core/models/weighted_votes.h"

namespace bisector::detail {
namespace {

std::optional<Background> background_used(const Model& model, const Method& method,
                                          const ExplainOptions& options) {
  if (!options.background) return model.background();
  return background_of(model, *options.background, seed_of(method));
}

void require_pair(const Model& model, Model::ClassPair pair) {
  const std::size_t classes = model.is_regressor() ? 2 : model.labels().size();
  if (pair.positive < classes && pair.negative < classes && pair.positive != pair.negative) return;
  throw InvalidInput(fmt::format("the pair of classes {} and {}, expected two of {} classes",
                                 pair.positive, pair.negative, classes));
}

void require_gradients(const Model& model, MatrixView<const double> rows,
                       std::span<const Model::ClassPair> pairs) {
  require_rows(model, rows);
  if (pairs.size() != rows.rows())
    throw InvalidInput(fmt::format("{} pairs of classes, expected one for each of {} rows",
                                   pairs.size(), rows.rows()));
  if (!model.distance().categories().empty())
    throw InvalidInput(
        "the gradient of a model with categories was asked for, which have none; expected a model "
        "of numbers");
  for (const Model::ClassPair pair : pairs) require_pair(model, pair);
}

// The most influential points of a row, and their pairs.

/// Positions of the `count` largest weights, largest first; the lower position first among equals.
std::vector<std::size_t> heaviest(std::span<const double> weights, std::size_t count) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

/// A member's values around the row itself.
std::vector<double> member_values(const PointValues& of, const SharedMatrix& points,
                                  std::span<const double> row, PoolMember member) {
  std::vector<double> buffer;
  const auto point = member ? points.row(*member, buffer) : row;
  std::vector<double> centered(point.begin(), point.end()), values(of.columns());
  for (std::size_t d = 0; d < centered.size(); ++d) centered[d] -= row[d];
  of.compute(centered, row, values);
  return values;
}

/// The `count` pairs with the largest p_i p_j, largest first, without pairs of weight 0. Time and
/// memory are linear in the points. `points` are the model's, `row` is x in their space and
/// `input_row` is x before the preprocessing.
std::vector<Evidence> strongest_pairs(const PoolsAtRow& pools, const RelevanceRule& rule,
                                      const SharedMatrix& points, std::span<const double> input_row,
                                      std::span<const double> row, std::size_t count) {
  // The heaviest pairs consist of the heaviest points of each pool.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const std::vector<std::size_t> heaviest_negative = heaviest(pools.negative.weights, count);
  for (const std::size_t i : heaviest(pools.positive.weights, count)) {
    for (const std::size_t j : heaviest_negative) pairs.emplace_back(i, j);
  }
  const auto weight = [&](const auto& pair) {
    return pools.positive.weights[pair.first] * pools.negative.weights[pair.second];
  };
  std::erase_if(pairs, [&](const auto& pair) { return weight(pair) <= 0.0; });
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
  pairs.resize(std::min(pairs.size(), count));

  const std::vector<double> at_center(row.size(), 0.0);
  std::vector<Evidence> evidence;
  for (const auto& pair : pairs) {
    Evidence e{pools.positive.members[pair.first], pools.negative.members[pair.second],
               weight(pair), pools.detection(pair.first, pair.second),
               std::vector<double>(input_row.size())};
    // Two pools of one point each: the rule gives the pair's own relevance.
    rule.relevance({input_row, at_center, row},
                   member_values(*rule.values(), points, row, e.positive),
                   member_values(*rule.values(), points, row, e.negative), {}, e.relevance);
    for (double& value : e.relevance) value *= e.weight;
    evidence.push_back(std::move(e));
  }
  return evidence;
}

/// The `count` members of each pool with the largest weights, largest first, without weights of 0.
DecidingPoints heaviest_points(const PoolsAtRow& pools, std::size_t count) {
  const auto members = [&](const PoolAtRow& pool) {
    std::vector<WeightedMember> result;
    for (const std::size_t i : heaviest(pool.weights, count)) {
      if (pool.weights[i] > 0.0) result.push_back({pool.members[i], pool.weights[i]});
    }
    return result;
  };
  return {members(pools.positive), members(pools.negative)};
}

}  // namespace

ModelExplainer::ModelExplainer(const Model& model, const Method& method,
                               const ExplainOptions& options)
    : options_(options),
      background_(background_used(model, method, options)),
      model_(checked_for(method, model, background_, options.threads)),
      resolved_(resolve(model_, method, options, background_)),
      contrasts_(model_, resolved_.contrasts),
      decide_(contrasts_, make_outside_check(model_, background_rows())),
      scales_(contrasts_, background_rows(), options.background.has_value()),
      prepared_(prepared()) {
  resolved_.settings.averages_points = averages_points();
}

Prepared ModelExplainer::prepared() const {
  const auto neighborhood = [&] {
    return Neighborhood(model_,
                        options_.background ? options_.background->view() : background_rows(),
                        resolved_.contrasts.level, seed_of(method()), options_.threads);
  };
  const double share = resolved_.neighborhood;
  const auto blended = [&](auto own) -> Prepared {
    if (share > 0.0) return Blend{std::move(own), neighborhood(), share};
    return own;
  };
  if (std::holds_alternative<NeighborhoodRule>(method())) return neighborhood();
  if (auto baseline = PreparedBaseline::make(method(), contrasts_, options_, background_rows(),
                                             settings().reference))
    return blended(std::move(*baseline));
  return blended(PreparedLrp(resolved_.lrp, *resolved_.rule, contrasts_, resolved_.contrasts,
                             background_rows()));
}

/// The rows of the background, which live as long as this object.
OptionalRows ModelExplainer::background_rows() const {
  return background_ ? OptionalRows(background_->rows->view()) : std::nullopt;
}

ExplainedOutput ModelExplainer::explained_output() const {
  return std::visit([](const auto& own) { return own.output(); }, prepared_);
}

bool ModelExplainer::has_errors() const {
  return std::visit([](const auto& own) { return own.has_errors(); }, prepared_);
}

Accounting ModelExplainer::accounting(const RowDecision& decision) const {
  return std::visit([&](const auto& own) { return own.accounting(decision); }, prepared_);
}

/// True if the base value is a mean over the points of a kernel machine.
bool ModelExplainer::averages_points() const {
  if (background_ || options_.unit == Unit::g || has_ranked_pools(model_) ||
      model_.has_dot_product())
    return false;
  if (explained_output() != ExplainedOutput::g) return has_errors();
  return model_.unit_scales().empty();
}

void ModelExplainer::require_voters(MatrixView<const double> rows, Voters voters) const {
  if (voters.empty()) return;
  if (voters.size() != rows.rows() || !has_ranked_pools(model_) || model_.is_detector())
    throw InvalidInput("voters were given, expected those of each row of a model of neighbors");
  for (const auto& of_row : voters) {
    for (const std::size_t point : of_row) {
      if (point >= model_.shared_points().rows())
        throw InvalidInput(fmt::format("point {} is to vote, expected numbers below {}", point,
                                       model_.shared_points().rows()));
    }
  }
}

Explanation ModelExplainer::explain(MatrixView<const double> rows, std::size_t first_row,
                                    std::span<const RowDecision> votes, Voters voters) const {
  require_rows(model_, rows);
  require_voters(rows, voters);
  Explanation result = empty_explanation(rows.rows());
  Attribution found = std::visit(
      [&](const auto& own) {
        return own.explain(decide_, {rows, votes, first_row, voters});
      },
      prepared_);
  result.relevance = std::move(found.relevance);
  result.standard_error = std::move(found.standard_error);
  result.base = std::move(found.base);
  finish_rows(
      found.decisions, [&](const RowDecision& decision) { return accounting(decision); }, result);
  return result;
}

Explanation ModelExplainer::complete(MatrixView<const double> rows, NetworkRelevance given) const {
  require_rows(model_, rows);
  const bool has_given_errors = given.standard_error.rows() > 0;
  if (given.relevance.rows() != rows.rows() || given.base.size() != rows.rows() ||
      (has_given_errors && (given.standard_error.rows() != rows.rows() ||
                            given.standard_error.cols() != given.relevance.cols())))
    throw InvalidInput("relevance, standard errors and base values of different rows");
  Explanation result = empty_explanation(rows.rows());
  const std::vector<RowDecision> votes = contrasts_.vote(rows);
  const std::vector<RowDecision> decided = decide_({rows, votes});
  result.relevance = std::move(given.relevance);
  result.standard_error = std::move(given.standard_error);
  result.base = std::move(given.base);
  const auto of_network = [&](const RowDecision& decision) {
    const Conversion own = accounting(decision).conversion;
    const Conversion other = given.is_path ? Conversion::stretch : Conversion::scale;
    return Accounting{own == Conversion::none ? own : other, given.is_path};
  };
  finish_rows(decided, of_network, result);
  return result;
}

std::vector<Evidence> ModelExplainer::evidence(std::span<const double> row,
                                               std::size_t count) const {
  if (!settings().has_evidence)
    throw InvalidInput(fmt::format(
        "evidence was asked for with method {}, expected lrp: only its relevance has pairs",
        name(method())));
  const MappedRows mapped = map_one(row);
  return strongest_pairs(contrast_at(row).members(mapped.row(0)), *resolved_.rule,
                         model_.shared_points(), row, mapped.row(0), count);
}

DecidingPoints ModelExplainer::deciding_points(std::span<const double> row,
                                               std::size_t count) const {
  const MappedRows mapped = map_one(row);
  return heaviest_points(contrast_at(row).voters(mapped.row(0)), count);
}

Network ModelExplainer::network(std::span<const double> row) const {
  const MappedRows mapped = map_one(row);
  return contrast_at(row).network(mapped.row(0));
}

Explanation ModelExplainer::empty_explanation(std::size_t rows) const {
  Explanation result;
  result.unit = options_.unit;
  Explanation::columns([&](const ResultColumn& column, auto member) {
    if constexpr (!std::is_same_v<decltype(member), Matrix Explanation::*>)
      if (column.is_of(model_.is_regressor())) (result.*member).resize(rows);
  });
  result.without_neighbors.assign(rows, false);
  result.stretch.assign(rows, 1.0);
  result.limit.assign(rows, 0.0);
  return result;
}

void ModelExplainer::set_decision(const RowDecision& decision, std::size_t r,
                                  Explanation& result) const {
  result.g[r] = decision.g;
  result.decision[r] = decision.f;
  result.tie[r] = decision.tie;
  result.outside[r] = decision.is_outside;
  result.without_neighbors[r] = !decision.has_output;
  if (model_.is_regressor()) {
    result.value[r] = decision.value;
  } else {
    result.prediction[r] = decision.prediction;
    result.positive[r] = decision.positive;
    result.negative[r] = decision.negative;
  }
}

template <class AccountingOf>
void ModelExplainer::finish_rows(std::span<const RowDecision> decided,
                                 const AccountingOf& accounting_of, Explanation& result) const {
  for (std::size_t r = 0; r < decided.size(); ++r) {
    set_decision(decided[r], r, result);
    // The output of a row without neighbors comes from no point, so that pools of points do not
    // explain it. Methods on f do: they see how the features lead to this output.
    if (!decided[r].has_output && explained_output() == ExplainedOutput::g) {
      std::ranges::fill(result.relevance.row(r), 0.0);
      if (result.standard_error.rows() > 0) std::ranges::fill(result.standard_error.row(r), 0.0);
    }
    finish_row(result, r, totals(decided[r], accounting_of(decided[r])));
  }
}

/// What the method explains at a row, in the unit g and in the unit of the model's output.
RowTotals ModelExplainer::totals(const RowDecision& decision, const Accounting& how) const {
  RowTotals result;
  const ExplainedOutput output = explained_output();
  result.explained = output_of(decision, output);
  result.accounting = how;
  if (options_.unit == Unit::g) return result;
  const bool is_outcome = output == ExplainedOutput::outcome;
  result.output = is_outcome              ? result.explained
                  : model_.is_regressor() ? decision.value
                                          : decision.f;
  // The points of dot products may be weights, which do not represent the data.
  const bool has_scale = !model_.has_dot_product() || background_;
  const ContrastScale scale =
      has_scale ? scales_.of({decision.positive, decision.negative}) : ContrastScale();
  result.is_alike = scale.is_alike;
  if (!is_outcome) result.limit = scale.limit;
  if (output != ExplainedOutput::g) {
    result.base = is_outcome ? 0.0 : resolved_.contrasts.level;
    return result;
  }
  const bool is_from_level = accounting(decision).conversion == Conversion::parts;
  result.base = is_from_level ? *decision.level_output : scale.mean;
  const bool is_vote = has_ranked_pools(model_) && !decision.level_output;
  result.row = {0.0, scale.scale, scale.limit, decision.ratio, is_vote};
  return result;
}

MappedRows ModelExplainer::map_one(std::span<const double> row) const {
  const MatrixView<const double> view(row.data(), 1, row.size());
  require_rows(model_, view);
  return preprocessed(model_.input(), view, model_.model_features());
}

const Contrast& ModelExplainer::contrast_at(std::span<const double> row) const {
  return *contrasts_.groups(1, contrasts_.vote({row.data(), 1, row.size()})).front().contrast;
}

ContrastGradients ModelExplainer::gradients(MatrixView<const double> rows,
                                            std::span<const Model::ClassPair> pairs) const {
  const Model& model = model_;
  require_gradients(model, rows, pairs);
  ContrastGradients result{std::vector<double>(rows.rows()), Matrix(rows.rows(), model.features())};
  std::vector<RowDecision> of_pairs(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    of_pairs[r].positive = pairs[r].positive;
    of_pairs[r].negative = pairs[r].negative;
  }
  for (const auto& [classes, members] : group_by_pair(of_pairs)) {
    const Matrix own = gather_rows(rows, members);
    const Contrast& contrast = contrasts_.of({classes.first, classes.second});
    const std::span<const std::size_t> numbers(members);  // clang 14 captures no binding
    for_each_tile(model, own.view(), options_.threads, [&](const RowTile& tile) {
      const std::vector<RowDecision> decided = contrast.decide(tile);
      Matrix gradients(tile.count, model.model_features());
      contrast.gradients(ExplainedOutput::g, tile, gradients.view());
      for (std::size_t r = 0; r < tile.count; ++r) {
        const std::size_t row = numbers[tile.first + r];
        result.g[row] = decided[r].g;
        pull_back(model.input(), gradients.row(r), result.gradient.row(row));
      }
    });
  }
  return result;
}

}  // namespace bisector::detail
