#include "bisector/flip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "bisector/error.h"
#include "core/flips/change_space.h"
#include "core/flips/flip_search.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"
#include "core/util/draws.h"
#include "core/util/parallel.h"

namespace bisector {

using namespace detail;

namespace {

/// Points of the model among the examples.
constexpr std::size_t kMostPoints = 2000;
/// Answers that are searched for every row of more than two classes. A single search follows the
/// boundary to one class; another may be nearer.
constexpr std::size_t kLeastAnswers = 3;

void require_goal(const Model& model, const FlipOptions& options) {
  if (model.is_regressor() != options.reach.has_value())
    throw InvalidInput(model.is_regressor()
                           ? "a regressor has no decision that flips; give the value to reach"
                           : "a value to reach was given, but the model is not a regressor");
  if (options.reach && !std::isfinite(*options.reach))
    throw InvalidInput("the value to reach is not a finite number");
  if (options.to_class && *options.to_class >= model.labels().size())
    throw InvalidInput("the model does not have the class to reach");
  if (options.examples.rows() > 0) require_rows(model, options.examples.view());
}

/// Rows of data and the points of the model that are not among them, one after the other.
Matrix all_examples(const Model& model, const Matrix& rows) {
  // Points that were scaled and scaled back differ in their last digits.
  const auto rounded = [](std::span<const double> row) {
    return std::vector<float>(row.begin(), row.end());
  };
  std::set<std::vector<float>> known;
  for (std::size_t r = 0; r < rows.rows(); ++r) known.insert(rounded(rows.row(r)));
  const Matrix points = point_rows(model);
  std::vector<double> values = rows.values();
  for (const std::size_t p : util::sample_rows(points.rows(), kMostPoints, 0))
    if (known.insert(rounded(points.row(p))).second)
      values.insert(values.end(), points.row(p).begin(), points.row(p).end());
  const std::size_t count = values.size() / model.features();
  return Matrix(count, model.features(), std::move(values));
}

ContrastOptions flip_contrasts(const Model& model, const FlipOptions& options) {
  ContrastOptions result;
  result.level = options.reach.value_or(0.0);
  result.beta = model.kernel() != nullptr ? model.kernel()->terms()[0].gamma : 1.0;
  result.threads = 1;
  result.values = std::make_shared<const PointValues>(
      model.input(), std::vector<double>(model.model_features(), 0.0), PointValues::Kind::first,
      model.distance());
  return result;
}

FlipModel make_flip_model(const Model& model, const FlipOptions& options) {
  model.prepare(options.threads);
  return FlipModel{model,
                   DecisionFunction(model, Precision::float64, 1),
                   Contrasts(model, flip_contrasts(model, options)),
                   NeighborRegions::of(model),
                   all_examples(model, options.examples),
                   model.shared_points().rows() <= kMostPoints,
                   {},
                   options.reach,
                   options.to_class};
}

// Radii of kernel machines.

/// f has a relative error of about 1e-10 in predictions, and so has the radius at most.
constexpr double kError = 1e-10, kSafety = 1.0 - 1e-9;

double linear_radius(const KernelMachine& machine, std::span<const double> row) {
  const KernelTerm& term = machine.kernel().terms()[0];
  std::vector<double> slope(row.size(), 0.0);
  double f = machine.intercept(), sizes = std::abs(f);
  for (std::size_t l = 0; l < machine.points().rows(); ++l) {
    const auto point = machine.points().row(l);
    const double c = machine.coefficients()[l];
    const double part = c * (term.gamma * linalg::dot(row, point) + term.offset);
    f += part;
    sizes += std::abs(part);
    for (std::size_t d = 0; d < row.size(); ++d) slope[d] += c * term.gamma * point[d];
  }
  const double left = std::abs(f) - kError * sizes,
               steepness = std::sqrt(linalg::squared_norm(slope));
  if (!(left > 0.0) || !(steepness > 0.0) || !std::isfinite(steepness)) return 0.0;
  return kSafety * left / steepness;
}

/// The largest norm of the Hessian of exp(-gamma d^2) at distances from d - r to d + r. The norm is
/// max(2 gamma, |4 gamma^2 d^2 - 2 gamma|) exp(-gamma d^2). It decreases on both sides of the
/// maximum at gamma d^2 = 3/2, and 2 gamma exp(-gamma d^2) decreases everywhere.
double hessian_bound(double gamma, double d, double r) {
  const double low = std::max(d - r, 0.0), high = d + r;
  const double peak = std::sqrt(1.5 / gamma), at = std::clamp(peak, low, high);
  const double along = (4.0 * gamma * gamma * at * at - 2.0 * gamma) * std::exp(-gamma * at * at);
  return std::max(2.0 * gamma * std::exp(-gamma * low * low), along);
}

double gaussian_radius(const KernelMachine& machine, std::span<const double> row) {
  const double gamma = machine.gamma();
  const std::size_t points = machine.points().rows();
  std::vector<double> slope(row.size(), 0.0), distances(points);
  double f = machine.intercept(), sizes = 1.0 + std::abs(f);
  for (std::size_t l = 0; l < points; ++l) {
    const auto point = machine.points().row(l);
    const double squares = linalg::squared_distance(row, point);
    const double part = machine.coefficients()[l] * std::exp(-gamma * squares);
    f += part;
    sizes += std::abs(machine.coefficients()[l]);
    distances[l] = std::sqrt(squares);
    for (std::size_t d = 0; d < row.size(); ++d)
      slope[d] += 2.0 * gamma * part * (point[d] - row[d]);
  }
  const double left = std::abs(f) - kError * sizes,
               steepness = std::sqrt(linalg::squared_norm(slope));
  if (!(left > 0.0) || !std::isfinite(steepness)) return 0.0;
  const auto holds = [&](double r) {
    double change = steepness * r;
    for (std::size_t l = 0; l < points && change < left; ++l)
      change +=
          0.5 * r * r * std::abs(machine.coefficients()[l]) * hessian_bound(gamma, distances[l], r);
    return change < left;
  };
  // A length beyond which the kernel has vanished around every point.
  double low = 0.0, high = *std::ranges::max_element(distances) + 40.0 / std::sqrt(gamma);
  if (steepness > 0.0) high = std::min(high, left / steepness);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? low : high) = middle;
  }
  return kSafety * low;
}

/// No change of `row` that is shorter (Euclidean) changes the sign of f. 0: no radius is known.
///
/// Linear kernels: |f| / |gradient of f|. Gaussian kernels, with d the distance to point l and h
/// the largest norm of the kernel's Hessian at distances from d - r to d + r:
///
///     |f(x + delta) - f(x)| <= |gradient of f| r + r^2 / 2 sum_l |c_l| h_l(r)   for |delta| <= r
///
/// The radius is the largest r for which the right side is below |f|, found by bisection.
double machine_radius(const KernelMachine& machine, std::span<const double> row) {
  const KernelTerm& term = machine.kernel().terms()[0];
  if (machine.kernel().is_gaussian()) return gaussian_radius(machine, row);
  if (term.form == KernelForm::polynomial && term.shape == 1.0) return linear_radius(machine, row);
  return 0.0;
}

/// A classifier of kernel machines keeps its prediction as long as the class wins against each
/// other class; 0 if it does not win against all of them.
double classifier_radius(const Model& model, std::span<const double> decisions,
                         std::span<const double> row, std::size_t own) {
  double radius = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < model.labels().size(); ++c) {
    if (c == own) continue;
    if (model.labels().size() > 2 && !(model.pair_decision({own, c}, decisions) > 0.0)) return 0.0;
    radius = std::min(radius, machine_radius(model.pair_machine({own, c}), row));
  }
  return radius;
}

}  // namespace

class FlipFinder::Implementation {
 public:
  Implementation(const Model& model, FlipOptions options)
      : options_(std::move(options)),
        shared_(make_flip_model(model, options_)),
        space_(model, options_.columns.empty() ? flip_columns(model, options_.examples.view())
                                               : options_.columns) {
    predict_examples();
  }

  const std::vector<FlipColumn>& columns() const { return space_.columns(); }

  std::vector<RowFlips> run(MatrixView<const double> rows) const {
    require_rows(shared_.model, rows);
    std::vector<RowFlips> result(rows.rows());
    util::parallel_for(rows.rows(), options_.threads,
                       [&] { return [&](std::size_t r) { result[r] = of_row(rows.row(r), r); }; });
    return result;
  }

 private:
  void predict_examples() {
    const MatrixView<const double> examples = shared_.examples.view();
    constexpr std::size_t kBlock = 128;
    const std::size_t blocks = (examples.rows() + kBlock - 1) / kBlock;
    std::vector<Outcomes> parts(blocks);
    util::parallel_for(blocks, options_.threads, [&] {
      return [&](std::size_t b) {
        const std::size_t first = b * kBlock;
        parts[b] = shared_.predict(examples.rows(first, std::min(kBlock, examples.rows() - first)));
      };
    });
    Outcomes& all = shared_.outcomes;
    for (const Outcomes& part : parts) {
      all.classes.insert(all.classes.end(), part.classes.begin(), part.classes.end());
      all.values.insert(all.values.end(), part.values.begin(), part.values.end());
      all.are_known.insert(all.are_known.end(), part.are_known.begin(), part.are_known.end());
    }
  }

  RowFlips of_row(std::span<const double> row, std::size_t number) const {
    try {
      const RowGoal goal(shared_, row);
      RowFlips result;
      result.prediction = goal.prediction();
      result.value = goal.value();
      if (options_.with_radius) result.radius = radius(row, goal);
      if (goal.is_there()) return result;
      find_example(row, goal, result);
      result.flips = answers(goal);
      return result;
    } catch (const InvalidRow& error) {
      throw error.shifted(number);
    }
  }

  /// If the first search finds too few different answers, further ones must do without the column
  /// that an answer changes most.
  std::vector<Flip> answers(const RowGoal& goal) const {
    const std::size_t count = shared_.model.labels().size() > 2
                                  ? std::max(options_.count, kLeastAnswers)
                                  : options_.count;
    const auto search = [&](const ChangeSpace& space) {
      return search_flips({goal, space, options_.most_changes}, count);
    };
    std::vector<Flip> found = search(space_);
    for (std::size_t n = 0; n < found.size() && found.size() < count; ++n) {
      for (const std::size_t column : found[n].changed) {
        for (Flip& flip : search(space_.without(column))) {
          const bool is_known = std::ranges::any_of(
              found, [&](const Flip& other) { return other.changed == flip.changed; });
          if (!is_known) found.push_back(std::move(flip));
        }
        if (found.size() >= count) break;
      }
    }
    std::ranges::stable_sort(found, std::less<>(), &Flip::distance);
    found.resize(std::min(found.size(), options_.count));
    return found;
  }

  void find_example(std::span<const double> row, const RowGoal& goal, RowFlips& result) const {
    for (std::size_t e = 0; e < options_.examples.rows(); ++e) {
      if (!goal.is_goal(shared_.outcomes, e)) continue;
      const double distance = space_.distance(row, shared_.examples.row(e));
      if (result.example && distance >= result.example_distance) continue;
      result.example = e;
      result.example_distance = distance;
    }
  }

  double radius(std::span<const double> row, const RowGoal& goal) const {
    const Model& model = shared_.model;
    const MappedRows mapped =
        preprocessed(model.input(), {row.data(), 1, row.size()}, model.model_features());
    const auto point = mapped.row(0);
    if (model.kernel() != nullptr)
      return model.is_regressor()
                 ? machine_radius(model.pair_machine({0, 1}, *options_.reach), point)
                 : classifier_radius(model,
                                     shared_.decide({row.data(), 1, row.size()}).decisions.row(0),
                                     point, goal.prediction());
    if (model.is_regressor()) return 0.0;
    const std::size_t own = goal.prediction();
    const double simple = shared_.contrasts.of({own, own == 0 ? 1u : 0u}).radius(point);
    if (!shared_.regions) return simple;
    return std::max(simple, shared_.regions->radius(point, own, options_.bound_work));
  }

  FlipOptions options_;
  FlipModel shared_;
  ChangeSpace space_;
};

FlipFinder::FlipFinder(const Model& model, FlipOptions options) {
  require_goal(model, options);
  implementation_ = std::make_unique<Implementation>(model, std::move(options));
}
FlipFinder::FlipFinder(FlipFinder&&) noexcept = default;
FlipFinder& FlipFinder::operator=(FlipFinder&&) noexcept = default;
FlipFinder::~FlipFinder() = default;

const std::vector<FlipColumn>& FlipFinder::columns() const { return implementation_->columns(); }

std::vector<RowFlips> FlipFinder::operator()(MatrixView<const double> rows) const {
  return implementation_->run(rows);
}

}  // namespace bisector
