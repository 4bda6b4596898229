#include "bisector/interactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/error.h"
#include "core/contrast/contrasts.h"
#include "core/contrast/reference_rows.h"
#include "core/explain/auto_method.h"
#include "core/explain/resolve.h"
#include "core/linalg/quadrature.h"
#include "core/models/rows.h"

namespace bisector {

using namespace detail;

namespace {

void require_second_derivatives(const Model& model) {
  if (model.kernel() == nullptr)
    throw InvalidInput(fmt::format(
        "interactions are not defined for a model of kind {}: its output has steps and no second "
        "derivatives; explain a kernel machine of the same data, such as kernel ridge regression",
        model.kind()));
  if (model.has_dot_product())
    throw InvalidInput(
        "interactions are not defined for kernels of the dot product; train a Gaussian kernel");
  if (!model.distance().categories().empty() && !is_product_kernel(*model.kernel()))
    throw InvalidInput("categories have no second derivatives; use an exponential kernel");
}

std::vector<std::size_t> players_of(const InteractionOptions& interactions,
                                    const ExplainOptions& options, std::size_t features) {
  std::vector<std::size_t> players =
      interactions.players.empty() ? options.players : interactions.players;
  if (players.empty()) {
    players.resize(features);
    std::iota(players.begin(), players.end(), std::size_t{0});
  }
  if (players.size() != features)
    throw InvalidInput(
        fmt::format("{} features have players, the model has {}", players.size(), features));
  return players;
}

/// The references of exact Shapley values with the same options.
Matrix references_of(const Model& model, const ExplainOptions& options,
                     const InteractionOptions& interactions, const std::vector<double>& point) {
  const auto& stored = model.background();
  const OptionalRows background = options.background ? OptionalRows(options.background->view())
                                  : stored           ? OptionalRows(stored->rows->view())
                                                     : std::nullopt;
  if (interactions.references)
    return balanced_references(model, background, *interactions.references, interactions.seed);
  if (background && options.reference.kind == Reference::Kind::automatic)
    return MappedRows(*background).copy();
  return Matrix(1, point.size(), point);
}

/// Integrals over s in [0, 1] against -s log s and against 1, for functions of s. With s = v^2 the
/// first weight is smooth enough for few nodes.
struct PathNodes {
  std::vector<double> s, hessian, gradient;

  explicit PathNodes(std::size_t count) {
    const linalg::Quadrature rule = linalg::gauss_legendre(count);
    for (std::size_t q = 0; q < count; ++q) {
      const double v = rule.nodes[q];
      s.push_back(v * v);
      hessian.push_back(rule.weights[q] * -4.0 * v * v * v * std::log(v));
      gradient.push_back(rule.weights[q] * 2.0 * v);
    }
  }
};

/// Adds the integrated Hessian of one path: entry (d, e) is (x_d - r_d)(x_e - r_e) times the
/// integral of the Hessian against -s log s, and `totals` the integrated gradients. A column of the
/// Hessian times x_e - r_e is a central difference of gradients.
void add_path(const BatchGradient& gradient, std::span<const double> x, std::span<const double> r,
              const PathNodes& nodes, Matrix& sums, std::vector<double>& totals) {
  constexpr double kStep = 1e-5;  // of x_e - r_e
  const std::size_t features = x.size();
  Matrix points(2 * features + 1, features), gradients(2 * features + 1, features);
  for (std::size_t q = 0; q < nodes.s.size(); ++q) {
    for (std::size_t p = 0; p < points.rows(); ++p) {
      for (std::size_t d = 0; d < features; ++d) points(p, d) = r[d] + nodes.s[q] * (x[d] - r[d]);
      if (p > 0) {
        const std::size_t e = (p - 1) / 2;
        points(p, e) += (p % 2 == 1 ? kStep : -kStep) * (x[e] - r[e]);
      }
    }
    gradient(points.view(), gradients.view());
    for (std::size_t d = 0; d < features; ++d) {
      totals[d] += nodes.gradient[q] * (x[d] - r[d]) * gradients(0, d);
      for (std::size_t e = 0; e < features; ++e)
        sums(d, e) += nodes.hessian[q] * (x[d] - r[d]) *
                      (gradients(2 * e + 1, d) - gradients(2 * e + 2, d)) / (2.0 * kStep);
    }
  }
}

/// The contrasts of lrp, whose gradients need first moments alone.
ContrastOptions contrast_options(const Model& model, const Resolved& resolved) {
  ContrastOptions options = resolved.contrasts;
  options.precision = Precision::float64;
  options.values = std::make_shared<const PointValues>(
      model.input(), std::vector<double>(model.model_features(), 0.0), PointValues::Kind::first,
      model.distance());
  return options;
}

Resolved resolve_lrp(const Model& model, const ExplainOptions& options) {
  std::optional<Background> background = model.background();
  if (options.background) background = background_of(model, *options.background);
  return resolve(model, EtaRule{}, options, background);
}

}  // namespace

std::string note_on_sums(const Model& model, const Method& method) {
  const bool is_exact = has_shapley_values(model);
  if (is_exact && std::holds_alternative<ExactShapley>(method)) return {};
  return fmt::format("pairs and main effects sum to {}, and the values of explain are by {}{}",
                     is_exact ? "exact Shapley values" : "integrated gradients of g", name(method),
                     is_exact ? "; with method shapley-exact they are the same" : "");
}

InteractionOptions interactions_of(const Method& method) {
  if (const auto* shapley = std::get_if<ExactShapley>(&method))
    return {.references = shapley->references, .seed = shapley->seed};
  if (const auto* expected = std::get_if<ExpectedPathRule>(&method))
    return {.references = expected->references, .seed = expected->seed};
  return {};
}

class InteractionExplainer::Implementation {
 public:
  Implementation(const Model& model, const ExplainOptions& options,
                 const InteractionOptions& interactions)
      : model_(model),
        players_(players_of(interactions, options, model.features())),
        count_(*std::ranges::max_element(players_) + 1),
        resolved_(resolve_lrp(model, options)),
        contrasts_(model, contrast_options(model, resolved_)),
        threads_(options.threads),
        nodes_(std::max<std::size_t>(1, interactions.steps)),
        references_(references_of(model, options, interactions, resolved_.settings.reference)) {
    if (references_.rows() == 0 || interactions.steps == 0)
      throw InvalidInput("interactions need at least one reference and one step");
  }

  bool is_exact() const { return has_shapley_values(model_); }
  std::size_t players() const { return count_; }

  Model::ClassPair pair_at(std::span<const double> row) const {
    if (model_.is_regressor()) return {0, 1};
    const MatrixView<const double> rows(row.data(), 1, row.size());
    require_rows(model_, rows);
    if (const auto pair = contrasts_.only_pair()) return *pair;
    const RowDecision vote = contrasts_.vote(rows).front();
    return {vote.positive, vote.negative};
  }

  Matrix all(std::span<const double> row) const {
    if (is_exact()) return shapley(row).interactions(mapped(row).row(0));
    return integrated_hessian(row);
  }

  std::vector<PairInteraction> strongest(std::span<const double> row, std::size_t count) const {
    if (is_exact()) return shapley(row).strongest_interactions(mapped(row).row(0), count);
    const Matrix values = integrated_hessian(row);
    std::vector<PairInteraction> pairs;
    for (std::size_t d = 0; d < count_; ++d)
      for (std::size_t e = 0; e < d; ++e) pairs.push_back({e, d, 2.0 * values(d, e)});
    std::ranges::stable_sort(pairs, std::greater<>(),
                             [](const PairInteraction& p) { return std::abs(p.value); });
    pairs.resize(std::min(count, pairs.size()));
    return pairs;
  }

 private:
  MappedRows mapped(std::span<const double> row) const {
    return preprocessed(model_.input(), {row.data(), 1, row.size()}, model_.model_features());
  }

  const ExactShapleyValues& shapley(std::span<const double> row) const {
    return shapley_.get(pair_at(row), [&](Model::ClassPair pair) {
      const Matrix background =
          preprocessed(model_.input(), references_.view(), model_.model_features()).copy();
      return std::make_unique<const ExactShapleyValues>(
          model_.pair_machine(pair, contrasts_.level()), background, threads_, players_);
    });
  }

  /// The main effects on the diagonal are what the pairs leave of the integrated gradients.
  Matrix integrated_hessian(std::span<const double> row) const {
    require_rows(model_, {row.data(), 1, row.size()});
    const BatchGradient gradient = contrasts_.of(pair_at(row)).gradient(ExplainedOutput::g);
    Matrix sums(row.size(), row.size());
    std::vector<double> totals(row.size(), 0.0);
    for (std::size_t k = 0; k < references_.rows(); ++k)
      add_path(gradient, row, references_.row(k), nodes_, sums, totals);
    Matrix result(count_, count_);
    const auto share = static_cast<double>(references_.rows());
    for (std::size_t d = 0; d < row.size(); ++d) {
      result(players_[d], players_[d]) += totals[d] / share;
      for (std::size_t e = 0; e < row.size(); ++e) {
        if (players_[d] == players_[e]) continue;
        const double entry = 0.5 * (sums(d, e) + sums(e, d)) / share;
        result(players_[d], players_[e]) += entry;
        result(players_[d], players_[d]) -= entry;
      }
    }
    return result;
  }

  Model model_;
  std::vector<std::size_t> players_;
  std::size_t count_;
  Resolved resolved_;
  Contrasts contrasts_;
  unsigned threads_;
  PathNodes nodes_;
  Matrix references_;
  PairCache<ExactShapleyValues> shapley_;
};

InteractionExplainer::InteractionExplainer(const Model& model, const ExplainOptions& options,
                                           const InteractionOptions& interactions) {
  require_second_derivatives(model);
  implementation_ = std::make_shared<const Implementation>(model, options, interactions);
}

std::size_t InteractionExplainer::players() const { return implementation_->players(); }
bool InteractionExplainer::is_exact() const { return implementation_->is_exact(); }
Model::ClassPair InteractionExplainer::pair_at(std::span<const double> row) const {
  return implementation_->pair_at(row);
}
Matrix InteractionExplainer::operator()(std::span<const double> row) const {
  return implementation_->all(row);
}
std::vector<PairInteraction> InteractionExplainer::strongest(std::span<const double> row,
                                                             std::size_t count) const {
  return implementation_->strongest(row, count);
}

}  // namespace bisector
