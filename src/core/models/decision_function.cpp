#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "bisector/predict.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/neighbor_search.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"
#include "core/models/tiles.h"
#include "core/models/visit.h"
#include "core/models/votes.h"

namespace bisector {

using namespace detail;

namespace {

/// Decides a tile of rows: writes their decision values, and returns their classes (nothing for
/// regressors).
class TileDecision {
 public:
  virtual ~TileDecision() = default;
  virtual std::vector<std::size_t> decide(const RowTile& tile,
                                          MatrixView<double> decisions) const = 0;
};

/// Machines over the same points: decisions = K(rows, points) * coefficients + intercepts.
class KernelDecision : public TileDecision {
 public:
  using Classify = std::function<std::size_t(std::span<const double>)>;

  /// `coefficients` is points x machines. A null `classify` makes a regressor.
  KernelDecision(const SharedMatrix& points, double gamma, Matrix coefficients,
                 std::vector<double> intercepts, Precision precision, Classify classify)
      : center_(linalg::row_mean(points->view())),
        intercepts_(std::move(intercepts)),
        classify_(std::move(classify)),
        kernel_sums_(make_softmax(std::make_shared<const linalg::PointSet>(points, center_), gamma,
                                  std::move(coefficients), precision)) {}

  std::vector<std::size_t> decide(const RowTile& tile,
                                  MatrixView<double> decisions) const override {
    const linalg::SoftmaxRows sums =
        kernel_sums_.run(centered(tile.rows, center_).view(), intercepts_.size(), tile.threads);
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      // The mean of the coefficients under softmax weights, times the sum of the kernel values.
      const double kernel_sum = std::exp(sums[r].log_sum + sums[r].offset);
      for (std::size_t m = 0; m < intercepts_.size(); ++m)
        decisions(r, m) = kernel_sum * sums[r].mean[m] + intercepts_[m];
      if (classify_) classes.push_back(classify_(decisions.row(r)));
    }
    return classes;
  }

 private:
  static linalg::MixedSoftmax make_softmax(const linalg::SharedPoints& points, double gamma,
                                           Matrix coefficients, Precision precision) {
    const double total =
        std::transform_reduce(coefficients.values().begin(), coefficients.values().end(), 1.0,
                              std::plus<>(), [](double value) { return std::abs(value); });
    // An exponent's error grows in f with the sum of the coefficients: keep it below 1e-10 there.
    const linalg::ExponentTolerance tolerance{std::min(1e-12, 1e-10 / total), 1e-5};
    double largest = 0.0;
    for (std::size_t n = 0; n < points->size(); ++n)
      largest = std::max(largest, points->squared_norm(n));
    const double radius = std::sqrt(largest);
    const bool single = precision == Precision::float32 &&
                        linalg::MixedSoftmax::serves_single(gamma, radius, tolerance);
    const std::vector<double> log_weights(points->size(), 0.0);
    return linalg::MixedSoftmax(linalg::MixedPanels(points, single), log_weights, gamma,
                                SharedMatrix(std::move(coefficients)), radius, tolerance);
  }

  std::vector<double> center_;
  std::vector<double> intercepts_;
  Classify classify_;
  linalg::MixedSoftmax kernel_sums_;
};

/// The vote of the k nearest; two classes give the difference, more the votes of each.
class NeighborDecision : public TileDecision {
 public:
  NeighborDecision(const SharedMatrix& points, std::span<const std::size_t> classes,
                   std::size_t class_count, std::size_t k)
      : search_(points, classes, class_count), classes_(class_count), k_(k) {}

  std::vector<std::size_t> decide(const RowTile& tile,
                                  MatrixView<double> decisions) const override {
    const auto nearest = search_.search(tile.rows, k_, tile.threads);
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const std::vector<std::size_t> votes = neighbor_votes(nearest[r], k_);
      const auto count = [&](std::size_t c) { return static_cast<double>(votes[c]); };
      if (classes_ == 2) {
        decisions(r, 0) = count(1) - count(0);
      } else {
        for (std::size_t c = 0; c < classes_; ++c) decisions(r, c) = count(c);
      }
      classes.push_back(winner(votes));
    }
    return classes;
  }

 private:
  linalg::NeighborSearch search_;
  std::size_t classes_, k_;
};

/// Minus the squared distance to each centroid; the largest wins, the first of equals.
class CentroidDecision : public TileDecision {
 public:
  explicit CentroidDecision(const CentroidModel& model) : centroids_(model.shared_points()) {}

  std::vector<std::size_t> decide(const RowTile& tile,
                                  MatrixView<double> decisions) const override {
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto values = decisions.row(r);
      for (std::size_t c = 0; c < centroids_->rows(); ++c)
        values[c] = -linalg::squared_distance(tile.rows.row(r), centroids_->row(c));
      classes.push_back(static_cast<std::size_t>(std::max_element(values.begin(), values.end()) -
                                                 values.begin()));
    }
    return classes;
  }

 private:
  SharedMatrix centroids_;
};

std::size_t sign_class(std::span<const double> decisions) { return decisions[0] > 0.0 ? 0 : 1; }

std::unique_ptr<TileDecision> make_decision(const KernelClassifier& model, Precision precision) {
  const std::size_t classes = model.classes();
  Matrix coefficients(model.points().rows(), model.intercepts().size());
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      const std::vector<double> column = model.pair_coefficients(a, b);
      const std::size_t pair = model.pair_index(a, b);
      for (std::size_t n = 0; n < column.size(); ++n) coefficients(n, pair) = column[n];
    }
  }
  return std::make_unique<KernelDecision>(model.shared_points(), model.gamma(),
                                          std::move(coefficients), model.intercepts(), precision,
                                          [classes](std::span<const double> decisions) {
                                            return winner(one_vs_one_votes(decisions, classes));
                                          });
}

std::unique_ptr<TileDecision> make_decision(const KernelMachine& machine, Precision precision,
                                            KernelDecision::Classify classify) {
  return std::make_unique<KernelDecision>(
      machine.shared_points(), machine.gamma(),
      Matrix(machine.coefficients().size(), 1, machine.coefficients()),
      std::vector<double>{machine.intercept()}, precision, std::move(classify));
}

std::unique_ptr<TileDecision> make_decision(const Predictor& predictor, Precision precision) {
  using Decision = std::unique_ptr<TileDecision>;
  return std::visit(
      Overloaded{
          [&](const KernelClassifier& m) { return make_decision(m, precision); },
          [&](const KernelRegressor& m) { return make_decision(m.machine, precision, nullptr); },
          [&](const OneClassMachine& m) { return make_decision(m.machine, precision, sign_class); },
          [&](const NeighborModel& m) -> Decision {
            return std::make_unique<NeighborDecision>(m.shared_points(), m.classes(),
                                                      m.labels().size(), m.k());
          },
          [&](const CentroidModel& m) -> Decision {
            return std::make_unique<CentroidDecision>(m);
          }},
      predictor);
}

std::vector<std::string> decision_names(const Model& model) {
  const std::vector<std::string> labels = model.labels();
  const bool by_pair = std::holds_alternative<KernelClassifier>(model.predictor());
  const bool one_value =
      labels.size() <= 2 && !std::holds_alternative<CentroidModel>(model.predictor());
  if (one_value) return {"decision"};
  std::vector<std::string> names;
  for (std::size_t a = 0; a < labels.size(); ++a) {
    if (!by_pair) names.push_back(fmt::format("decision {}", labels[a]));
    for (std::size_t b = a + 1; by_pair && b < labels.size(); ++b)
      names.push_back(fmt::format("decision {}|{}", labels[a], labels[b]));
  }
  return names;
}

}  // namespace

class DecisionFunction::Implementation {
 public:
  Implementation(const Model& model, Precision precision, unsigned threads)
      : model_(model),
        threads_(threads),
        names_(decision_names(model)),
        decision_(make_decision(model.predictor(), precision)) {}

  Predictions run(MatrixView<const double> rows) const {
    require_rows(model_, rows);
    Predictions result{Matrix(rows.rows(), names_.size()), {}};
    if (!model_.is_regressor()) result.classes.resize(rows.rows());
    for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
      const auto classes =
          decision_->decide(tile, result.decisions.view().rows(tile.first, tile.count));
      std::ranges::copy(classes, result.classes.begin() + static_cast<std::ptrdiff_t>(tile.first));
    });
    return result;
  }

  const std::vector<std::string>& names() const { return names_; }

 private:
  Model model_;
  unsigned threads_;
  std::vector<std::string> names_;
  std::unique_ptr<TileDecision> decision_;
};

DecisionFunction::DecisionFunction(const Model& model, Precision precision, unsigned threads)
    : implementation_(std::make_unique<Implementation>(model, precision, threads)) {}
DecisionFunction::DecisionFunction(DecisionFunction&&) noexcept = default;
DecisionFunction& DecisionFunction::operator=(DecisionFunction&&) noexcept = default;
DecisionFunction::~DecisionFunction() = default;

Predictions DecisionFunction::operator()(MatrixView<const double> rows) const {
  return implementation_->run(rows);
}

const std::vector<std::string>& DecisionFunction::names() const { return implementation_->names(); }

Predictions predict(const Model& model, MatrixView<const double> rows) {
  return DecisionFunction(model)(rows);
}

}  // namespace bisector
