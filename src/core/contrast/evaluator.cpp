#include "core/contrast/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "core/linalg/dot_pass.h"
#include "core/linalg/kernel_pass.h"
#include "core/linalg/mixed_softmax.h"
#include "core/linalg/row_distance.h"
#include "core/linalg/vectors.h"
#include "core/models/kernel_pools.h"
#include "core/models/rows.h"
#include "core/models/votes.h"
#include "core/models/weighted_votes.h"

namespace bisector {
namespace detail {
namespace {

/// One column of coefficients per machine.
Matrix machine_columns(const KernelClassifier& model) {
  const std::size_t classes = model.classes();
  Matrix columns(model.points().rows(), model.intercepts().size());
  if (model.has_machine_per_class()) {
    for (std::size_t n = 0; n < columns.rows(); ++n) {
      for (std::size_t c = 0; c < classes; ++c) columns(n, c) = model.coefficients()(c, n);
    }
    return columns;
  }
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      const std::vector<double> column = model.pair_coefficients(a, b);
      const std::size_t pair = model.pair_index(a, b);
      for (std::size_t n = 0; n < column.size(); ++n) columns(n, pair) = column[n];
    }
  }
  return columns;
}

linalg::MixedSoftmax gaussian_sums(const linalg::SharedPoints& points, double gamma,
                                   Matrix coefficients, Precision precision) {
  const linalg::ExponentTolerance tolerance =
      sum_tolerance(linalg::absolute_sum(coefficients.values()));
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

/// A model with one output, by the contrast of its only pair: a pass without columns of moments.
class ContrastEvaluator final : public Evaluator {
 public:
  ContrastEvaluator(std::unique_ptr<const Contrast> contrast, bool is_regressor)
      : contrast_(std::move(contrast)), is_regressor_(is_regressor) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override {
    const std::vector<RowDecision> decided = contrast_->decide(tile);
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      decisions(r, 0) = is_regressor_ ? decided[r].value : decided[r].f;
      if (!is_regressor_) outcome.classes.push_back(decided[r].prediction);
      if (!decided[r].has_output) outcome.without_neighbors.push_back(r);
    }
    return outcome;
  }
  std::vector<std::string> names(const std::vector<std::string>&) const override {
    return {"decision"};
  }

 private:
  std::unique_ptr<const Contrast> contrast_;
  bool is_regressor_;
};

/// Kernel machines of three and more classes: the sums of all machines over their shared points.
class MachineSums final : public Evaluator {
 public:
  MachineSums(const KernelClassifier& model, Precision precision);
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override {
    sum(tile, decisions);
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto values = decisions.row(r);
      for (std::size_t m = 0; m < values.size(); ++m) values[m] += intercepts_[m];
      outcome.classes.push_back(winner(class_scores(arrangement_, classes_, values)));
    }
    return outcome;
  }
  std::vector<std::string> names(const std::vector<std::string>& labels) const override {
    if (arrangement_ == KernelClassifier::Arrangement::one_vs_rest) return Evaluator::names(labels);
    std::vector<std::string> names;
    for (std::size_t a = 0; a < labels.size(); ++a) {
      for (std::size_t b = a + 1; b < labels.size(); ++b)
        names.push_back(fmt::format("decision {}|{}", labels[a], labels[b]));
    }
    return names;
  }

 private:
  void sum(const RowTile& tile, MatrixView<double> decisions) const {
    if (products_) return products_->sums(tile.rows, decisions);
    const Matrix rows = centered(tile.rows, center_);
    const std::size_t machines = intercepts_.size();
    const linalg::SoftmaxRows sums = gaussian_ ? gaussian_->run(rows.view(), machines, tile.threads)
                                               : kernel_->run(rows.view(), machines);
    for (std::size_t r = 0; r < tile.count; ++r) {
      // The mean of the coefficients under softmax weights, times the sum of the kernel values.
      const double kernel_sum = std::exp(sums[r].log_sum + sums[r].offset);
      for (std::size_t m = 0; m < machines; ++m) decisions(r, m) = kernel_sum * sums[r].mean[m];
    }
  }

  KernelClassifier::Arrangement arrangement_;
  std::size_t classes_;
  std::vector<double> intercepts_, center_;
  std::optional<linalg::MixedSoftmax> gaussian_;
  std::optional<linalg::KernelPass> kernel_;  // other kernels of a distance
  std::optional<linalg::DotPass> products_;   // kernels of the dot product
};

/// Neighbors of three and more classes: the votes, or the shares of weighted votes, of each class.
class ClassVotes final : public Evaluator {
 public:
  ClassVotes(const Model& model, bool has_shares) : votes_(model), has_shares_(has_shares) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override {
    const auto nearest = votes_.nearest(tile.rows, 0, tile.threads);
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const VoteCounts counts = votes_.count(nearest[r]);
      if (counts.neighbors() == 0) outcome.without_neighbors.push_back(r);
      const auto weights = counts.weights();
      for (std::size_t c = 0; c < weights.size(); ++c)
        decisions(r, c) = has_shares_ ? weights[c] / counts.total : weights[c];
      outcome.classes.push_back(winner(weights));
    }
    return outcome;
  }

 private:
  WeightedVotes votes_;
  bool has_shares_;
};

/// The negative squared distance to each centroid. The largest wins; of equal ones, the first.
class CentroidDistances final : public Evaluator {
 public:
  explicit CentroidDistances(const CentroidModel& model)
      : centroids_(model.shared_points()), distance_(model.distance()) {}
  TileOutcome evaluate(const RowTile& tile, MatrixView<double> decisions) const override {
    TileOutcome outcome;
    for (std::size_t r = 0; r < tile.count; ++r) {
      const auto row = tile.rows.row(r);
      for (std::size_t c = 0; c < centroids_->rows(); ++c) {
        const auto centroid = centroids_->row(c);
        decisions(r, c) = distance_.is_euclidean()
                              ? -linalg::squared_distance(row, centroid)
                              : -linalg::RowDistance(distance_, row).sum(centroid.data());
      }
      outcome.classes.push_back(winner(decisions.row(r)));
    }
    return outcome;
  }

 private:
  SharedMatrix centroids_;
  Distance distance_;
};

MachineSums::MachineSums(const KernelClassifier& model, Precision precision)
    : arrangement_(model.arrangement()),
      classes_(model.classes()),
      intercepts_(model.intercepts()) {
  const Kernel& kernel = model.kernel();
  if (!kernel.is_of_distance()) {
    products_.emplace(model.shared_points(), kernel, machine_columns(model));
    return;
  }
  center_ = kernel.distance().is_euclidean() ? linalg::row_mean(model.points().view())
                                             : std::vector<double>(model.points().cols(), 0.0);
  const auto points = std::make_shared<const linalg::PointSet>(model.shared_points(), center_);
  if (kernel.is_gaussian())
    gaussian_.emplace(
        gaussian_sums(points, kernel.terms()[0].gamma, machine_columns(model), precision));
  else
    kernel_.emplace(points, std::vector<double>(points->size(), 0.0), kernel,
                    linalg::KernelPass::Weights::values, SharedMatrix(machine_columns(model)));
}

}  // namespace

std::vector<std::string> Evaluator::names(const std::vector<std::string>& labels) const {
  std::vector<std::string> names;
  for (const std::string& label : labels) names.push_back("decision " + label);
  return names;
}

std::unique_ptr<const Evaluator> contrast_evaluator(std::unique_ptr<const Contrast> contrast,
                                                    bool is_regressor) {
  return std::make_unique<const ContrastEvaluator>(std::move(contrast), is_regressor);
}
std::unique_ptr<const Evaluator> machine_sums(const KernelClassifier& model, Precision precision) {
  return std::make_unique<const MachineSums>(model, precision);
}
std::unique_ptr<const Evaluator> class_votes(const Model& model, bool has_shares) {
  return std::make_unique<const ClassVotes>(model, has_shares);
}
std::unique_ptr<const Evaluator> centroid_distances(const CentroidModel& model) {
  return std::make_unique<const CentroidDistances>(model);
}

}  // namespace detail

class DecisionFunction::Implementation {
 public:
  Implementation(const Model& model, Precision precision, unsigned threads)
      : model_(model), threads_(threads) {
    model.prepare(threads);
    evaluator_ = detail::make_evaluator(model, precision, threads);
    names_ = evaluator_->names(model.labels());
  }

  Predictions run(MatrixView<const double> rows) const {
    detail::require_rows(model_, rows);
    Predictions result{Matrix(rows.rows(), names_.size()), {}};
    if (!model_.is_regressor()) result.classes.resize(rows.rows());
    std::mutex mutex;
    detail::for_each_tile(model_, rows, threads_, [&](const detail::RowTile& tile) {
      const detail::TileOutcome outcome =
          evaluator_->evaluate(tile, result.decisions.view().rows(tile.first, tile.count));
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
  std::unique_ptr<const detail::Evaluator> evaluator_;
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
