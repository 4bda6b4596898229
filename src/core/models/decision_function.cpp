#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>

#include "bisector/error.h"
#include "bisector/predict.h"
#include "core/linalg/dot_pass.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/detector_pools.h"
#include "core/models/kernel_pools.h"
#include "core/models/rows.h"
#include "core/models/tile_decision.h"
#include "core/models/tiles.h"
#include "core/models/votes.h"
#include "core/models/weighted_votes.h"

namespace bisector {

using namespace detail;

namespace {

// Each kind has one make_tile_decision; that of detectors is in detector_pools.h.
using detail::make_tile_decision;

using Classify = std::function<std::size_t(std::span<const double>)>;  // null for regressors

/// One machine of a kernel of a distance, by the sums that a contrast of its pools has.
class MachineDecision : public TileDecision {
 public:
  MachineDecision(const KernelMachine& machine, Precision precision, Classify classify)
      : pools_(split_by_sign(machine)),
        positive_(make_pass(pools_.positive, precision)),
        negative_(make_pass(pools_.negative, precision)),
        classify_(std::move(classify)) {}

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    const Matrix rows = centered(tile.rows, pools_.center);
    const auto log_sums = [&](const Pass& pass) {
      std::vector<double> result(tile.count, -std::numeric_limits<double>::infinity());
      if (!pass.softmax && !pass.kernel) return result;
      const linalg::SoftmaxRows sums = pass.softmax
                                           ? pass.softmax->run(rows.view(), 0, tile.threads)
                                           : pass.kernel->run(rows.view(), 0);
      for (std::size_t r = 0; r < tile.count; ++r) result[r] = sums[r].log_sum + sums[r].offset;
      return result;
    };
    const std::vector<double> positive = log_sums(positive_), negative = log_sums(negative_);
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      decisions(r, 0) = machine_output(positive[r], negative[r], pools_.intercept);
      if (classify_) classes.push_back(classify_(decisions.row(r)));
    }
    return {std::move(classes)};
  }

 private:
  struct Pass {  // neither: the pool has no points
    std::optional<linalg::MixedSoftmax> softmax;
    std::optional<linalg::KernelPass> kernel;
  };
  Pass make_pass(const SoftPool& pool, Precision precision) const {
    if (pool.empty()) return {};
    if (!pools_.is_gaussian())
      return {std::nullopt, linalg::KernelPass(pool.points, pool.log_weights, pools_.kernel,
                                               linalg::KernelPass::Weights::slopes)};
    const bool single = precision == Precision::float32 &&
                        linalg::MixedSoftmax::serves_single(pools_.gamma, pools_.radius);
    return {prediction_pass(pools_, pool, linalg::MixedPanels(pool.points, single)), std::nullopt};
  }

  KernelPools pools_;
  Pass positive_, negative_;
  Classify classify_;
};

/// Machines with common points: decisions = K(rows, points) * coefficients + intercepts.
class KernelDecision : public TileDecision {
 public:
  /// `coefficients` is points x machines.
  KernelDecision(const SharedMatrix& points, const Kernel& kernel, Matrix coefficients,
                 std::vector<double> intercepts, Precision precision, Classify classify)
      : center_(kernel.distance().is_euclidean() ? linalg::row_mean(points->view())
                                                 : std::vector<double>(points->cols(), 0.0)),
        intercepts_(std::move(intercepts)),
        classify_(std::move(classify)) {
    auto seen = std::make_shared<const linalg::PointSet>(points, center_);
    if (kernel.is_gaussian())
      softmax_.emplace(
          make_softmax(seen, kernel.terms()[0].gamma, std::move(coefficients), precision));
    else
      pass_.emplace(seen, std::vector<double>(points->rows(), 0.0), kernel,
                    linalg::KernelPass::Weights::values, SharedMatrix(std::move(coefficients)));
  }

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    const Matrix rows = centered(tile.rows, center_);
    const linalg::SoftmaxRows sums =
        softmax_ ? softmax_->run(rows.view(), intercepts_.size(), tile.threads)
                 : pass_->run(rows.view(), intercepts_.size());
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      // The mean of the coefficients under softmax weights, times the sum of the kernel values.
      const double kernel_sum = std::exp(sums[r].log_sum + sums[r].offset);
      for (std::size_t m = 0; m < intercepts_.size(); ++m)
        decisions(r, m) = kernel_sum * sums[r].mean[m] + intercepts_[m];
      if (classify_) classes.push_back(classify_(decisions.row(r)));
    }
    return {std::move(classes)};
  }

 private:
  static linalg::MixedSoftmax make_softmax(const linalg::SharedPoints& points, double gamma,
                                           Matrix coefficients, Precision precision) {
    const double total =
        std::transform_reduce(coefficients.values().begin(), coefficients.values().end(), 1.0,
                              std::plus<>(), [](double value) { return std::abs(value); });
    // The error of an exponent is multiplied by the sum of the coefficients: keep it below 1e-10.
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
  std::optional<linalg::MixedSoftmax> softmax_;  // Gaussian
  std::optional<linalg::KernelPass> pass_;       // other kernels
};

/// The votes of the neighbors, or their shares of the vote if votes are weighted; two classes give
/// the difference, more classes one number each.
class NeighborDecision : public TileDecision {
 public:
  NeighborDecision(const Model& model, bool has_shares) : votes_(model), has_shares_(has_shares) {}

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    const auto nearest = votes_.nearest(tile.rows, 0, tile.threads);
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const VoteCounts counts = votes_.count(nearest[r]);
      if (counts.neighbors() == 0) outcome.without_neighbors.push_back(r);
      const auto votes = [&](std::size_t c) {
        return has_shares_ ? counts.weights()[c] / counts.total : counts.weights()[c];
      };
      if (counts.weights().size() == 2) {
        decisions(r, 0) = votes(1) - votes(0);
      } else {
        for (std::size_t c = 0; c < counts.weights().size(); ++c) decisions(r, c) = votes(c);
      }
      outcome.classes.push_back(winner(counts.weights()));
    }
    return outcome;
  }

 private:
  WeightedVotes votes_;
  bool has_shares_;
};

/// The mean target of the neighbors.
class NeighborMean : public TileDecision {
 public:
  explicit NeighborMean(const NeighborRegressor& model)
      : votes_(Model(model), model.target_mean()), level_(model.target_mean()) {}

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    const auto nearest = votes_.nearest(tile.rows, 0, tile.threads);
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const VoteCounts counts = votes_.count(nearest[r]);
      if (counts.neighbors() == 0) outcome.without_neighbors.push_back(r);
      decisions(r, 0) = level_ + (counts.weights()[WeightedVotes::above] -
                                  counts.weights()[WeightedVotes::below]) /
                                     counts.total;
    }
    return outcome;
  }

 private:
  WeightedVotes votes_;
  double level_;
};

/// A kernel of the dot product: decisions = K(rows, points) * coefficients + intercepts.
class DotDecision : public TileDecision {
 public:
  DotDecision(const SharedMatrix& points, const Kernel& kernel, Matrix coefficients,
              std::vector<double> intercepts, Classify classify)
      : pass_(points, kernel, std::move(coefficients)),
        intercepts_(std::move(intercepts)),
        classify_(std::move(classify)) {}

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    pass_.sums(tile.rows, decisions);
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      for (std::size_t m = 0; m < intercepts_.size(); ++m) decisions(r, m) += intercepts_[m];
      if (classify_) classes.push_back(classify_(decisions.row(r)));
    }
    return {std::move(classes)};
  }

 private:
  linalg::DotPass pass_;
  std::vector<double> intercepts_;
  Classify classify_;
};

/// The negative squared distance to each centroid. The largest wins; of equal ones, the first.
class CentroidDecision : public TileDecision {
 public:
  explicit CentroidDecision(const CentroidModel& model)
      : centroids_(model.shared_points()), distance_(model.distance()) {}

  TileOutcome decide(const RowTile& tile, MatrixView<double> decisions) const override {
    std::vector<std::size_t> classes;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto values = decisions.row(r);
      for (std::size_t c = 0; c < centroids_->rows(); ++c)
        values[c] = -sum_to(tile.rows.row(r), centroids_->row(c));
      classes.push_back(winner(values));
    }
    return {std::move(classes)};
  }

 private:
  double sum_to(std::span<const double> row, std::span<const double> centroid) const {
    if (distance_.is_euclidean()) return linalg::squared_distance(row, centroid);
    return linalg::RowDistance(distance_, row).sum(centroid.data());
  }

  SharedMatrix centroids_;
  Distance distance_;
};

std::size_t sign_class(std::span<const double> decisions) { return decisions[0] > 0.0 ? 0 : 1; }

std::unique_ptr<TileDecision> make_machines(const SharedMatrix& points, const Kernel& kernel,
                                            Matrix coefficients, std::vector<double> intercepts,
                                            Precision precision, Classify classify) {
  if (!kernel.is_of_distance())
    return std::make_unique<DotDecision>(points, kernel, std::move(coefficients),
                                         std::move(intercepts), std::move(classify));
  return std::make_unique<KernelDecision>(points, kernel, std::move(coefficients),
                                          std::move(intercepts), precision, std::move(classify));
}

std::unique_ptr<TileDecision> make_machine(const KernelMachine& machine, Precision precision,
                                           Classify classify) {
  if (machine.kernel().is_of_distance())
    return std::make_unique<MachineDecision>(machine, precision, std::move(classify));
  return std::make_unique<DotDecision>(
      machine.shared_points(), machine.kernel(),
      Matrix(machine.coefficients().size(), 1, machine.coefficients()),
      std::vector<double>{machine.intercept()}, std::move(classify));
}

std::unique_ptr<TileDecision> make_tile_decision(const KernelClassifier& model,
                                                 Precision precision) {
  const std::size_t classes = model.classes();
  if (classes == 2)
    return make_machine(KernelMachine(model.shared_points(), model.pair_coefficients(0, 1),
                                      model.kernel(), model.pair_intercept(0, 1)),
                        precision, sign_class);
  Matrix coefficients(model.points().rows(), model.intercepts().size());
  if (model.has_machine_per_class()) {
    for (std::size_t n = 0; n < coefficients.rows(); ++n) {
      for (std::size_t c = 0; c < classes; ++c) coefficients(n, c) = model.coefficients()(c, n);
    }
    return make_machines(model.shared_points(), model.kernel(), std::move(coefficients),
                         model.intercepts(), precision, winner);
  }
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      const std::vector<double> column = model.pair_coefficients(a, b);
      const std::size_t pair = model.pair_index(a, b);
      for (std::size_t n = 0; n < column.size(); ++n) coefficients(n, pair) = column[n];
    }
  }
  const auto classify = [classes, arrangement = model.arrangement()](auto decisions) {
    return winner(class_scores(arrangement, classes, decisions));
  };
  return make_machines(model.shared_points(), model.kernel(), std::move(coefficients),
                       model.intercepts(), precision, classify);
}

std::unique_ptr<TileDecision> make_tile_decision(const KernelRegressor& model,
                                                 Precision precision) {
  return make_machine(model.machine, precision, nullptr);
}

std::unique_ptr<TileDecision> make_tile_decision(const OneClassMachine& model,
                                                 Precision precision) {
  return make_machine(model.machine, precision, sign_class);
}

std::unique_ptr<TileDecision> make_tile_decision(const NeighborModel& model, Precision) {
  return std::make_unique<NeighborDecision>(Model(model), !model.vote().is_plain());
}

std::unique_ptr<TileDecision> make_tile_decision(const NeighborRegressor& model, Precision) {
  return std::make_unique<NeighborMean>(model);
}

std::unique_ptr<TileDecision> make_tile_decision(const CentroidModel& model, Precision) {
  return std::make_unique<CentroidDecision>(model);
}

/// The number of decision values per row: one per machine, else one per class, or one in all.
enum class DecisionValues { one, per_class, per_pair };

DecisionValues decision_values(const KernelClassifier& model) {
  if (model.classes() == 2) return DecisionValues::one;
  return model.has_machine_per_class() ? DecisionValues::per_class : DecisionValues::per_pair;
}
DecisionValues decision_values(const NeighborModel& model) {
  return model.labels().size() == 2 ? DecisionValues::one : DecisionValues::per_class;
}
DecisionValues decision_values(const CentroidModel&) { return DecisionValues::per_class; }
template <class M>
requires(M::kTask != Task::classification) DecisionValues decision_values(const M&) {
  return DecisionValues::one;
}

std::vector<std::string> decision_names(const Model& model) {
  const DecisionValues values =
      std::visit([](const auto& m) { return decision_values(m); }, model.predictor());
  if (values == DecisionValues::one) return {"decision"};
  const std::vector<std::string> labels = model.labels();
  const bool by_pair = values == DecisionValues::per_pair;
  std::vector<std::string> names;
  for (std::size_t a = 0; a < labels.size(); ++a) {
    if (!by_pair) names.push_back(fmt::format("decision {}", labels[a]));
    for (std::size_t b = a + 1; by_pair && b < labels.size(); ++b)
      names.push_back(fmt::format("decision {}|{}", labels[a], labels[b]));
  }
  return names;
}

std::unique_ptr<TileDecision> make_decision(const Model& model, Precision precision,
                                            unsigned threads) {
  model.prepare(threads);
  return std::visit([&](const auto& m) { return make_tile_decision(m, precision); },
                    model.predictor());
}

}  // namespace

class DecisionFunction::Implementation {
 public:
  Implementation(const Model& model, Precision precision, unsigned threads)
      : model_(model),
        threads_(threads),
        names_(decision_names(model)),
        decision_(make_decision(model, precision, threads)) {}

  Predictions run(MatrixView<const double> rows) const {
    require_rows(model_, rows);
    Predictions result{Matrix(rows.rows(), names_.size()), {}};
    if (!model_.is_regressor()) result.classes.resize(rows.rows());
    std::mutex mutex;
    for_each_tile(model_, rows, threads_, [&](const RowTile& tile) {
      const TileOutcome outcome =
          decision_->decide(tile, result.decisions.view().rows(tile.first, tile.count));
      std::ranges::copy(outcome.classes,
                        result.classes.begin() + static_cast<std::ptrdiff_t>(tile.first));
      const std::lock_guard lock(mutex);
      for (const std::size_t r : outcome.without_neighbors)
        result.without_neighbors.push_back(tile.first + r);
    });
    std::ranges::sort(result.without_neighbors);
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
    : implementation_(std::make_shared<const Implementation>(model, precision, threads)) {}

Predictions DecisionFunction::operator()(MatrixView<const double> rows) const {
  return implementation_->run(rows);
}

const std::vector<std::string>& DecisionFunction::names() const { return implementation_->names(); }

Predictions predict(const Model& model, MatrixView<const double> rows) {
  return DecisionFunction(model)(rows);
}

}  // namespace bisector
