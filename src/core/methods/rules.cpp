#include "core/methods/rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bisector/predict.h"
#include "core/linalg/row_distance.h"
#include "core/methods/paths.h"
#include "core/methods/prepared.h"
#include "core/models/rows.h"
#include "core/util/parallel.h"

namespace bisector::detail {
namespace {

/// The ratio of the largest term of any sum to the largest sum.
class Cancellation {
 public:
  void add(double term, double sum) {
    largest_term_ = std::max(largest_term_, term);
    largest_sum_ = std::max(largest_sum_, std::abs(sum));
  }
  double ratio() const { return largest_term_ > 0.0 ? largest_term_ / largest_sum_ : 1.0; }

 private:
  double largest_term_ = 0.0, largest_sum_ = 0.0;
};

double larger_magnitude(double a, double b) { return std::max(std::abs(a), std::abs(b)); }

/// A detector's relevance is a fraction of that of the means; a gradient term along paths has its
/// factors already.
void rescale(double scale, double gradient_weight, std::span<const double> gradient_term,
             std::span<double> relevance) {
  for (double& value : relevance) value *= scale;
  for (std::size_t d = 0; d < gradient_term.size(); ++d)
    relevance[d] += (1.0 - scale) * gradient_weight * gradient_term[d];
}

constexpr std::size_t kMaxRows = 2000, kSmallest = 10;

/// The responsibility of ranks 1, 2, ... of a pool: the mean over k = 10, 20, 40, ... within it of
/// 1/k for the k nearest. A smaller pool is one neighborhood.
std::vector<double> rank_responsibilities(std::size_t pool) {
  std::vector<std::size_t> sizes{std::min(kSmallest, pool)};
  while (2 * sizes.back() <= pool && pool >= kSmallest) sizes.push_back(2 * sizes.back());
  std::vector<double> p(sizes.back(), 0.0);
  for (const std::size_t k : sizes) {
    for (std::size_t rank = 0; rank < k; ++rank)
      p[rank] += 1.0 / (static_cast<double>(k) * static_cast<double>(sizes.size()));
  }
  return p;
}

}  // namespace

RelevanceRule::RelevanceRule(const AffineMap& input, std::vector<double> reference,
                             std::vector<double> input_reference, double eta,
                             const Distance& distance)
    : input_reference_(std::move(input_reference)),
      eta_(eta),
      // eta = 0 is the gradient alone, which needs no second moment.
      values_(std::make_shared<const PointValues>(
          input, std::move(reference),
          eta == 0.0 ? PointValues::Kind::first : PointValues::Kind::both, distance)) {}

double RelevanceRule::relevance(const Row& row, std::span<const double> positive_mean,
                                std::span<const double> negative_mean,
                                std::span<const double> gradient_term,
                                std::span<double> out) const {
  if (values_->has_matrix())
    return relevance_behind_matrix(row, positive_mean, negative_mean, gradient_term, out);
  Cancellation cancellation;
  const std::vector<double>& reference = values_->reference();
  const std::size_t features = reference.size();
  for (std::size_t d = 0; d < features; ++d) {
    const double at_x = positive_mean[d] - negative_mean[d];
    const double from_reference = row.centered[d] + (row.center[d] - reference[d]);
    out[d] = gradient_term.empty()
                 ? 2.0 * ((1.0 - eta_) * from_reference * at_x + eta_ * row.centered[d] * at_x)
                 : (1.0 - eta_) * gradient_term[d] + 2.0 * eta_ * row.centered[d] * at_x;
    double term = 2.0 * larger_magnitude(from_reference, row.centered[d]) *
                  larger_magnitude(positive_mean[d], negative_mean[d]);
    if (eta_ != 0.0) {
      out[d] += eta_ * (negative_mean[features + d] - positive_mean[features + d]);
      term = std::max(
          term, eta_ * larger_magnitude(positive_mean[features + d], negative_mean[features + d]));
    }
    cancellation.add(term, out[d]);
  }
  return cancellation.ratio();
}

double RelevanceRule::relevance_behind_matrix(const Row& row, std::span<const double> positive_mean,
                                              std::span<const double> negative_mean,
                                              std::span<const double> gradient_term,
                                              std::span<double> out) const {
  const std::size_t features = values_->reference().size();
  const auto b_positive = values_->mapped(positive_mean.first(features), row.center);
  const auto b_negative = values_->mapped(negative_mean.first(features), row.center);
  Cancellation cancellation;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const double at_x = b_positive[d] - b_negative[d];
    const double from_reference = 2.0 * (row.input[d] - input_reference_[d]);
    out[d] = gradient_term.empty() ? from_reference * at_x
                                   : (1.0 - eta_) * gradient_term[d] + eta_ * from_reference * at_x;
    cancellation.add(std::abs(from_reference) * larger_magnitude(b_positive[d], b_negative[d]),
                     out[d]);
  }
  if (eta_ == 0.0) return cancellation.ratio();
  const auto a_positive = values_->inverse_mapped(positive_mean.first(features), row.center);
  const auto a_negative = values_->inverse_mapped(negative_mean.first(features), row.center);
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] -= eta_ * (positive_mean[features + d] - negative_mean[features + d] +
                      a_negative[d] * b_positive[d] - a_positive[d] * b_negative[d]);
  return cancellation.ratio();
}

PreparedLrp::PreparedLrp(const Lrp& lrp, const RelevanceRule& rule, const Contrasts& contrasts,
                         const ContrastOptions& options, OptionalRows background)
    : rule_(&rule) {
  if (lrp.steps > 0)
    paths_ = std::make_unique<const GradientsOnPaths>(lrp, rule, contrasts, options, background);
}
PreparedLrp::PreparedLrp(PreparedLrp&&) noexcept = default;
PreparedLrp::~PreparedLrp() = default;

bool PreparedLrp::has_errors() const { return paths_ && paths_->is_mean(); }

/// The midpoint term of a detector has the level alone for a base value.
Accounting PreparedLrp::accounting(const RowDecision& decision) const {
  if (paths_) return {Conversion::stretch, true};
  const bool is_from_level = rule_->eta() == 1.0 && decision.level_output;
  return {is_from_level ? Conversion::parts : Conversion::scale, false};
}

Attribution PreparedLrp::explain(const RowDecider& decide, const InputRows& in) const {
  const std::size_t rows = in.rows.rows(), features = in.rows.cols();
  Attribution result{{}, Matrix(rows, features), std::vector<double>(rows, 0.0)};
  if (has_errors()) result.standard_error = Matrix(rows, features);
  result.decisions =
      decide.run(in, [&](const Contrast& contrast, const RowTile& tile, const auto& places) {
        return explain_tile(contrast, tile, places, result);
      });
  return result;
}

std::vector<RowDecision> PreparedLrp::explain_tile(const Contrast& contrast, const RowTile& tile,
                                                   std::span<const std::size_t> places,
                                                   Attribution& result) const {
  TileMoments moments = contrast.moments(tile);
  const GradientsOnPaths::Result on_paths =
      paths_ ? paths_->average(tile, moments.decisions) : GradientsOnPaths::Result();
  const Matrix at_rows = paths_ ? Matrix() : gradient_term_at_rows(tile, moments);
  const Matrix& term = paths_ ? on_paths.term : at_rows;
  for (std::size_t r = 0; r < tile.count; ++r) {
    const auto own_term = term.row(r);
    explain_row(contrast, tile, r, moments, own_term, result.relevance.row(places[r]));
    if (paths_)
      result.base[places[r]] = on_paths.base[r];
    else if (rule_->eta() == 1.0)
      result.base[places[r]] = moments.decisions[r].level_part;
    for (std::size_t d = 0; has_errors() && d < tile.input.cols(); ++d)
      result.standard_error(places[r], d) = on_paths.standard_error(r, d) * (1.0 - rule_->eta());
  }
  return std::move(moments.decisions);
}

Matrix PreparedLrp::gradient_term_at_rows(const RowTile& tile, const TileMoments& moments) const {
  if (!moments.half_gradients) return Matrix(tile.count, 0);
  Matrix result(tile.count, tile.input.cols());
  for (std::size_t r = 0; r < tile.count; ++r) {
    const auto term = result.row(r);
    rule_->for_each_input({tile.rows.row(r), tile.input.row(r)}, rule_->reference(),
                          moments.half_gradients->row(r),
                          [&](std::size_t d, double difference, double half_gradient) {
                            term[d] += 2.0 * difference * half_gradient;
                          });
  }
  return result;
}

void PreparedLrp::explain_row(const Contrast& contrast, const RowTile& tile, std::size_t r,
                              const TileMoments& moments, std::span<const double> gradient_term,
                              std::span<double> relevance) const {
  const auto x = tile.rows.row(r), input = tile.input.row(r);
  const auto explain = [&](std::span<const double> centered, std::span<const double> center,
                           std::span<const double> positive, std::span<const double> negative) {
    return rule_->relevance({input, centered, center}, positive, negative, gradient_term,
                            relevance);
  };
  const std::span<const double> positive = moments.positive[r].mean;
  const std::span<const double> negative = moments.negative[r].mean;
  std::vector<double> from_center;
  if (const auto* around = std::get_if<TileMoments::AroundCenter>(&moments.place)) {
    const double cancellation =
        explain(around->centered.row(r), around->center, positive, negative);
    // False for 0 / 0 and overflow, too.
    const bool is_exact_enough = cancellation <= around->tolerated;
    if (!is_exact_enough) {
      const ExactMeans exact = contrast.exact_means(tile, r, moments);
      for (std::size_t d = 0; d < x.size(); ++d) from_center.push_back(x[d] - exact.center[d]);
      explain(from_center, exact.center, exact.positive, exact.negative);
    }
  } else {
    from_center.resize(x.size());
    explain(from_center, x, positive, negative);
  }
  if (moments.scales[r] != 1.0)
    rescale(moments.scales[r], 1.0 - rule_->eta(), gradient_term, relevance);
}

Neighborhood::Neighborhood(const Model& model, OptionalRows background, double level,
                           std::uint64_t seed, unsigned threads)
    : model_(model), threads_(threads) {
  DrawnRows drawn = draw_rows(model, background, kMaxRows, seed);
  rows_ = std::move(drawn.model_space);
  const Predictions predictions =
      DecisionFunction(model, Precision::float64, threads)(drawn.input_space.view());
  if (model.input().has_matrix()) input_rows_ = std::move(drawn.input_space);
  // Rows outside one class have nothing in common, so they form no pool.
  const bool is_one_class = model.is_detector();
  classes_.resize(std::max<std::size_t>(2, model.labels().size()));
  for (std::size_t n = 0; n < rows_.rows(); ++n) {
    std::size_t side = 0;
    if (model.is_regressor())
      side = predictions.decisions(n, 0) > level ? 0 : 1;
    else if (!is_one_class)
      side = predictions.classes[n];
    classes_[side].push_back(n);
  }
}

Attribution Neighborhood::explain(const RowDecider& decide, const InputRows& in) const {
  std::vector<RowDecision> decided = decide(in);
  Matrix values = relevance(in.rows, decided);
  return {std::move(decided), std::move(values), std::vector<double>(in.rows.rows(), 0.0)};
}

Matrix Neighborhood::relevance(MatrixView<const double> rows,
                               std::span<const RowDecision> decided) const {
  Matrix result(rows.rows(), rows.cols());
  const MappedRows mapped = preprocessed(model_.input(), rows, model_.model_features());
  util::parallel_for(rows.rows(), threads_, [&] {
    return [&](std::size_t r) {
      add_class(decided[r].positive, rows.row(r), mapped.row(r), -1.0, result.row(r));
      add_class(decided[r].negative, rows.row(r), mapped.row(r), 1.0, result.row(r));
    };
  });
  return result;
}

/// Adds sign * sum_b p_b (x - b)^2. For inputs that a matrix mixes this is
/// sign * sum_b p_b (x0 - b0) (A^T (x - b)), which has the same sum; for other distances the terms
/// are the parts of the distance.
void Neighborhood::add_class(std::size_t side, std::span<const double> input,
                             std::span<const double> row, double sign,
                             std::span<double> relevance) const {
  const bool is_euclidean = model_.distance().is_euclidean();
  const linalg::RowDistance from(model_.distance(), row);
  std::vector<std::pair<double, std::size_t>> nearest;
  for (const std::size_t n : classes_[side])
    nearest.emplace_back(
        is_euclidean ? linalg::squared_distance(row, rows_.row(n)) : from.sum(rows_.row(n).data()),
        n);
  if (nearest.empty()) return;
  std::ranges::sort(nearest);
  const std::vector<double> p = rank_responsibilities(nearest.size());
  std::vector<double> difference(row.size()), at_inputs(input.size());
  for (std::size_t rank = 0; rank < p.size(); ++rank) {
    const std::size_t n = nearest[rank].second;
    if (!is_euclidean) {
      from.add(rows_.row(n).data(), sign * p[rank], difference, relevance);
      continue;
    }
    for (std::size_t d = 0; d < row.size(); ++d) difference[d] = row[d] - rows_(n, d);
    if (!model_.input().has_matrix()) {
      for (std::size_t d = 0; d < row.size(); ++d)
        relevance[d] += sign * p[rank] * difference[d] * difference[d];
      continue;
    }
    pull_back(model_.input(), difference, at_inputs);
    for (std::size_t d = 0; d < input.size(); ++d)
      relevance[d] += sign * p[rank] * (input[d] - input_rows_(n, d)) * at_inputs[d];
  }
}

Attribution Blend::explain(const RowDecider& decide, const InputRows& in) const {
  Attribution result = std::visit([&](const auto& own) { return own.explain(decide, in); }, method);
  const Matrix neighbors = neighborhood.relevance(in.rows, result.decisions);
  for (std::size_t r = 0; r < in.rows.rows(); ++r) {
    const auto relevance = result.relevance.row(r);
    const auto other = neighbors.row(r);
    const double size = linalg::absolute_sum(other);
    const double scale = share == 1.0 ? 1.0
                         : size > 0.0 ? linalg::absolute_sum(relevance) / size
                                      : 0.0;
    for (std::size_t d = 0; d < relevance.size(); ++d)
      relevance[d] = (1.0 - share) * relevance[d] + share * scale * other[d];
  }
  // The neighborhood has no standard error.
  for (std::size_t r = 0; r < result.standard_error.rows(); ++r) {
    for (double& error : result.standard_error.row(r)) error *= 1.0 - share;
  }
  return result;
}

ExplainedOutput Blend::output() const {
  return std::visit([](const auto& own) { return own.output(); }, method);
}

bool Blend::has_errors() const {
  return std::visit([](const auto& own) { return own.has_errors(); }, method);
}

Accounting Blend::accounting(const RowDecision& decision) const {
  const auto own = std::visit([&](const auto& m) { return m.accounting(decision); }, method);
  return {own.conversion, false};
}

}  // namespace bisector::detail
