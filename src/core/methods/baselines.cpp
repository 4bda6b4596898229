#include "core/methods/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/random.h"
#include "core/contrast/batches.h"
#include "core/contrast/contrast.h"
#include "core/contrast/reference_rows.h"
#include "core/linalg/quadrature.h"

namespace bisector {

using namespace detail;

Matrix gradient_times_input(const BatchGradient& gradient, MatrixView<const double> rows,
                            std::span<const double> reference) {
  require_reference(rows, reference);
  Matrix relevance(rows.rows(), rows.cols());
  const auto fill = [&](std::size_t r, std::span<double> row) {
    std::ranges::copy(rows.row(r), row.begin());
  };
  differentiate_made_rows(gradient, rows.rows(), rows.cols(), fill,
                          [&](std::size_t r, std::span<const double> slope) {
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(r, d) = (rows(r, d) - reference[d]) * slope[d];
                          });
  return relevance;
}

namespace {

/// A point of the path at which a gradient is taken.
struct Step {
  double fraction, parts;  // its weight is 1 / parts
};

template <class At>  // at(s), a Step
Matrix integrate(const BatchGradient& gradient, MatrixView<const double> rows,
                 std::span<const double> reference, std::size_t steps, const At& at) {
  require_reference(rows, reference);
  Matrix relevance(rows.rows(), rows.cols());
  // Row after row, so that a row's steps are added in the same order for every size of batch.
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const double fraction = at(i % steps).fraction;
    for (std::size_t d = 0; d < row.size(); ++d)
      row[d] = reference[d] + fraction * (rows(i / steps, d) - reference[d]);
  };
  differentiate_made_rows(gradient, checked_product({rows.rows(), steps}), rows.cols(), fill,
                          [&](std::size_t i, std::span<const double> slope) {
                            const double parts = at(i % steps).parts;
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(i / steps, d) += slope[d] / parts;
                          });
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) relevance(r, d) *= rows(r, d) - reference[d];
  }
  return relevance;
}

}  // namespace

Matrix integrated_gradients(const BatchGradient& gradient, MatrixView<const double> rows,
                            std::span<const double> reference, std::size_t steps) {
  require_some(steps, "steps");
  // The midpoints of equal parts.
  const auto count = static_cast<double>(steps);
  return integrate(gradient, rows, reference, steps, [&](std::size_t s) {
    return Step{(static_cast<double>(s) + 0.5) / count, count};
  });
}

Matrix sensitivity(const BatchFunction& function, const BatchGradient& gradient,
                   MatrixView<const double> rows) {
  const std::vector<double> values = evaluate_rows(function, rows);
  Matrix relevance(rows.rows(), rows.cols());
  const auto fill = [&](std::size_t r, std::span<double> row) {
    std::ranges::copy(rows.row(r), row.begin());
  };
  differentiate_made_rows(gradient, rows.rows(), rows.cols(), fill,
                          [&](std::size_t r, std::span<const double> slope) {
                            const double sign = values[r] > 0.0 ? 1.0 : -1.0;
                            for (std::size_t d = 0; d < slope.size(); ++d)
                              relevance(r, d) = sign * slope[d] * slope[d];
                          });
  return relevance;
}

Matrix occlusion(const BatchFunction& function, MatrixView<const double> rows,
                 std::span<const double> reference) {
  require_reference(rows, reference);
  const std::size_t features = rows.cols();
  const std::vector<double> values = evaluate_rows(function, rows);
  Matrix relevance(rows.rows(), features);
  const auto fill = [&](std::size_t i, std::span<double> row) {
    std::ranges::copy(rows.row(i / features), row.begin());
    row[i % features] = reference[i % features];
  };
  evaluate_made_rows(function, checked_product({rows.rows(), features}), features, fill,
                     [&](std::size_t i, double without) {
                       relevance(i / features, i % features) = values[i / features] - without;
                     });
  return relevance;
}

namespace {

/// The orders of removal of some rows: entry (row, sequence, step) is the feature that is removed
/// at this step.
class RemovalOrders {
 public:
  RemovalOrders(std::span<const std::size_t> row_numbers, std::size_t features,
                const SampledShapley& options)
      : features_(features),
        orders_(checked_product({row_numbers.size(), options.sequences, features})) {
    auto rest = std::span(orders_);
    for (const std::size_t number : row_numbers) {
      Random random(derived_seed(options.seed, number));
      for (std::size_t s = 0; s < options.sequences; ++s, rest = rest.subspan(features)) {
        const auto order = rest.first(features);
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(order);
      }
    }
  }

  /// The order of sequence number `sequence`, counted through all rows.
  std::span<const std::size_t> of(std::size_t sequence) const {
    return std::span(orders_).subspan(sequence * features_, features_);
  }

 private:
  std::size_t features_;
  std::vector<std::size_t> orders_;
};

/// Sums over sequences of the decrease of f at the step of each feature, and of its square.
struct Decreases {
  MatrixView<double> sum, squares;

  void add(std::size_t row, std::size_t feature, double decrease) const {
    sum(row, feature) += decrease;
    squares(row, feature) += decrease * decrease;
  }
};

/// Adds the decreases of rows whose orders are drawn together. `full` are the rows' values and
/// `empty` is f(r).
void sample(const BatchFunction& function, MatrixView<const double> rows,
            std::span<const double> reference, const RemovalOrders& orders, std::size_t sequences,
            std::span<const double> full, double empty, const Decreases& decreases) {
  const std::size_t features = rows.cols();
  // The last step of a sequence leaves the reference itself, whose value is known.
  const std::size_t steps = features - 1;
  const auto fill = [&](std::size_t i, std::span<double> row) {
    const std::size_t sequence = i / steps;
    std::ranges::copy(rows.row(sequence / sequences), row.begin());
    for (const std::size_t d : orders.of(sequence).first(i % steps + 1)) row[d] = reference[d];
  };
  double before = 0.0;
  const auto use = [&](std::size_t i, double after) {
    const std::size_t sequence = i / steps, step = i % steps, row = sequence / sequences;
    const auto order = orders.of(sequence);
    if (step == 0) before = full[row];
    decreases.add(row, order[step], before - after);
    if (step + 1 == steps) decreases.add(row, order[step + 1], after - empty);
    before = after;
  };
  evaluate_made_rows(function, checked_product({rows.rows(), sequences, steps}), features, fill,
                     use);
}

BaselineResult sampled(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::span<const std::size_t> row_numbers) {
  require_reference(rows, reference);
  require_some(options.sequences, "sequences");
  if (row_numbers.size() != rows.rows())
    throw InvalidInput(fmt::format("{} row numbers, expected {}: one for each row",
                                   row_numbers.size(), rows.rows()));
  const std::size_t features = rows.cols();
  const std::vector<double> full = evaluate_rows(function, rows);
  const double empty = evaluate_rows(function, {reference.data(), 1, features}).front();
  Matrix relevance(rows.rows(), features), squares(rows.rows(), features);
  if (features == 1) {  // nothing to order
    for (std::size_t r = 0; r < rows.rows(); ++r) relevance(r, 0) = full[r] - empty;
    return {std::move(relevance), std::move(squares)};
  }
  // The orders of as many rows as fill a batch are drawn together, at least those of one row.
  const std::size_t together = std::max<std::size_t>(
      1, batch_rows(features) / checked_product({options.sequences, features}));
  for (std::size_t first = 0; first < rows.rows(); first += together) {
    const std::size_t count = std::min(together, rows.rows() - first);
    const RemovalOrders orders(row_numbers.subspan(first, count), features, options);
    sample(function, rows.rows(first, count), reference, orders, options.sequences,
           std::span(full).subspan(first, count), empty,
           {relevance.view().rows(first, count), squares.view().rows(first, count)});
  }
  const auto sequences = static_cast<double>(options.sequences);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < features; ++d) {
      relevance(r, d) /= sequences;
      const double variance = squares(r, d) / sequences - relevance(r, d) * relevance(r, d);
      squares(r, d) =
          options.sequences < 2 ? 0.0 : std::sqrt(std::max(0.0, variance) / (sequences - 1.0));
    }
  }
  return {std::move(relevance), std::move(squares)};
}

}  // namespace

Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::span<const std::size_t> row_numbers) {
  return sampled(function, rows, reference, options, row_numbers).relevance;
}

Matrix sampled_shapley(const BatchFunction& function, MatrixView<const double> rows,
                       std::span<const double> reference, const SampledShapley& options,
                       std::size_t first_row) {
  std::vector<std::size_t> numbers(rows.rows());
  std::iota(numbers.begin(), numbers.end(), first_row);
  return sampled_shapley(function, rows, reference, options, numbers);
}

}  // namespace bisector

namespace bisector::detail {
namespace {

Baseline make_baseline(const GradientTimesInput& method, const BaselineInput& in) {
  in.contrasts.require_gradient("gradient x input");
  return [=](const PairRows& of) -> BaselineResult {
    return {gradient_times_input(of.contrast.gradient(method.output), of.rows, in.reference)};
  };
}

Baseline make_baseline(const IntegratedGradients& method, const BaselineInput& in) {
  in.contrasts.require_gradient("integrated gradients");
  require_some(method.steps, "steps");
  return [=](const PairRows& of) -> BaselineResult {
    const BatchGradient gradient = of.contrast.gradient(method.output);
    // The integral of a polynomial is exact at a few Gauss nodes.
    if (const auto nodes = of.contrast.exact_nodes()) {
      const linalg::Quadrature rule = linalg::gauss_legendre(*nodes);
      return {integrate(gradient, of.rows, in.reference, *nodes, [&](std::size_t s) {
        return Step{rule.nodes[s], 1.0 / rule.weights[s]};
      })};
    }
    return {integrated_gradients(gradient, of.rows, in.reference, method.steps)};
  };
}

Baseline make_baseline(const Sensitivity& method, const BaselineInput& in) {
  in.contrasts.require_gradient("sensitivity");
  return [=](const PairRows& of) -> BaselineResult {
    return {sensitivity(of.contrast.function(method.output), of.contrast.gradient(method.output),
                        of.rows)};
  };
}

Baseline make_baseline(const Occlusion& method, const BaselineInput& in) {
  return [=](const PairRows& of) -> BaselineResult {
    return {occlusion(of.contrast.function(method.output), of.rows, in.reference)};
  };
}

Baseline make_baseline(const SampledShapley& method, const BaselineInput& in) {
  require_some(method.sequences, "sequences");
  return [=](const PairRows& of) {
    return sampled(of.contrast.function(method.output), of.rows, in.reference, method, of.numbers);
  };
}

template <class M>
concept IsBaseline = requires(const M& method, const BaselineInput& input) {
  make_baseline(method, input);
};

}  // namespace

template <class M>
PreparedBaseline::PreparedBaseline(const M& method, const Contrasts& contrasts,
                                   const ExplainOptions& options, OptionalRows background,
                                   std::span<const double> reference)
    : contrasts_(&contrasts), bases_(std::make_unique<PairCache<double>>()) {
  if constexpr (requires { method.output; }) {
    output_ = method.output;
    contrasts.require_output(output_);
  }
  if constexpr (requires { method.references; }) {
    if (method.references)
      references_ =
          balanced_references(contrasts.model(), background, *method.references, method.seed);
  }
  // A reference that was asked for takes precedence over the background.
  const bool over_background = background && options.reference.kind == Reference::Kind::automatic;
  const MatrixView<const double> alone(reference.data(), 1, reference.size());
  const BaselineInput input{contrasts, reference,
                            references_.rows() > 0                  ? references_.view()
                            : over_background && options.background ? options.background->view()
                            : over_background                       ? *background
                                                                    : alone,
                            options.players};
  baseline_ = make_baseline(method, input);
  has_errors_ = std::is_same_v<M, SampledShapley> || references_.rows() > 1;
  base_rows_ = std::is_same_v<M, ExactShapley> ? input.references : alone;
}

std::optional<PreparedBaseline> PreparedBaseline::make(const Method& method,
                                                       const Contrasts& contrasts,
                                                       const ExplainOptions& options,
                                                       OptionalRows background,
                                                       std::span<const double> reference) {
  return std::visit(
      [&]<class M>(const M& own) -> std::optional<PreparedBaseline> {
        if constexpr (IsBaseline<M>)
          return PreparedBaseline(own, contrasts, options, background, reference);
        else
          return std::nullopt;
      },
      method);
}

/// Rows that share a pair of classes go together.
Attribution PreparedBaseline::explain(const RowDecider& decide, const InputRows& in) const {
  const std::size_t rows = in.rows.rows(), features = in.rows.cols();
  Attribution result{decide(in), Matrix(rows, features), std::vector<double>(rows)};
  if (has_errors_) result.standard_error = Matrix(rows, features);
  for (const auto& [classes, members] : group_by_pair(result.decisions)) {
    const Model::ClassPair pair{classes.first, classes.second};
    std::vector<std::size_t> numbers = members;
    for (std::size_t& number : numbers) number += in.first;
    const Matrix own = gather_rows(in.rows, members);
    const BaselineResult part = baseline_({pair, contrasts_->of(pair), own.view(), numbers});
    const double base = base_of(pair);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t r = members[m];
      std::ranges::copy(part.relevance.row(m), result.relevance.row(r).begin());
      if (has_errors_)
        std::ranges::copy(part.standard_error.row(m), result.standard_error.row(r).begin());
      result.base[r] = base;
    }
  }
  return result;
}

double PreparedBaseline::base_of(Model::ClassPair pair) const {
  return bases_->get(pair, [this](Model::ClassPair own) {
    const std::vector<double> values =
        evaluate_rows(contrasts_->of(own).function(output_), base_rows_);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return std::make_unique<const double>(sum / static_cast<double>(values.size()));
  });
}

}  // namespace bisector::detail
