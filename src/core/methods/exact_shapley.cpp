#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/linalg/shapley_pass.h"
#include "core/methods/prepared.h"
#include "core/models/checks.h"
#include "core/models/rows.h"
#include "core/util/parallel.h"

namespace bisector {
namespace {

/// A pass over the points with a coefficient for each term of the kernel.
std::vector<linalg::ShapleyPass> passes_of(const KernelMachine& machine, const Matrix& background,
                                           const std::vector<std::size_t>& players) {
  std::vector<linalg::PointIndex> indices;
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < machine.coefficients().size(); ++n) {
    if (machine.coefficients()[n] == 0.0) continue;
    indices.push_back(static_cast<linalg::PointIndex>(n));
    coefficients.push_back(machine.coefficients()[n]);
  }
  const auto points = std::make_shared<const linalg::PointSet>(
      machine.shared_points(), std::move(indices), std::vector<double>(machine.features(), 0.0));
  std::vector<linalg::ShapleyPass> passes;
  for (const KernelTerm& term : machine.kernel().terms()) {
    std::vector<double> weighted = coefficients;
    for (double& value : weighted) value *= term.weight;
    passes.emplace_back(points, weighted,
                        linalg::ProductExponents(term.gamma, machine.kernel().distance(),
                                                 machine.features(), players),
                        background);
  }
  return passes;
}

void require_rows_of(std::size_t features, MatrixView<const double> rows, const char* what) {
  if (rows.cols() != features)
    throw InvalidInput(
        fmt::format("the {} have {} features, the machine {}", what, rows.cols(), features));
  detail::require_numbers(rows, what);
}

void require_product(const Kernel& kernel) {
  if (!is_product_kernel(kernel))
    throw InvalidInput(
        "the kernel is not a product over the features, expected an exponential of a distance that "
        "is a sum over features, such as the Gaussian");
}

void require_players(const std::vector<std::size_t>& players, std::size_t features) {
  if (players.empty()) return;
  if (players.size() != features)
    throw InvalidInput(
        fmt::format("{} features have players, the machine has {}", players.size(), features));
  std::vector<bool> has_feature(features, false);
  std::size_t last = 0;
  for (const std::size_t player : players) {
    if (player < features) has_feature[player] = true;
    last = std::max(last, player);
  }
  for (std::size_t p = 0; p <= last; ++p)
    if (p >= features || !has_feature[p])
      throw InvalidInput(fmt::format("player {} has no feature, expected players without gaps", p));
}

bool is_stronger(const PairInteraction& a, const PairInteraction& b) {
  const double left = std::abs(a.value), right = std::abs(b.value);
  return left != right ? left > right : std::pair(a.first, a.second) < std::pair(b.first, b.second);
}

}  // namespace

bool is_product_kernel(const Kernel& kernel) {
  return !kernel.distance().is_cosine() &&
         std::ranges::all_of(kernel.terms(), [](const KernelTerm& term) {
           return term.form == KernelForm::exponential;
         });
}

class ExactShapleyValues::Implementation {
 public:
  Implementation(const KernelMachine& machine, const Matrix& background, unsigned own_threads,
                 const std::vector<std::size_t>& players)
      : features(machine.features()), threads(own_threads) {
    require_product(machine.kernel());
    require_rows_of(features, background.view(), "background rows");
    require_players(players, features);
    passes = passes_of(machine, background, players);
  }

  /// Adds the pairs of the players from `first` to `last` with all before `last`.
  void add_block(std::span<const double> row, std::size_t first, std::size_t last,
                 MatrixView<double> block, std::span<double> values) const {
    require_rows_of(features, {row.data(), 1, row.size()}, "rows");
    for (const linalg::ShapleyPass& pass : passes) pass.run_pairs(row, first, last, block, values);
  }

  std::size_t features;
  unsigned threads;
  std::vector<linalg::ShapleyPass> passes;
};

ExactShapleyValues::ExactShapleyValues(const KernelMachine& machine, const Matrix& background,
                                       unsigned threads, std::vector<std::size_t> players) {
  if (background.rows() == 0)
    throw InvalidInput("the background has no rows, expected at least one reference point");
  implementation_ = std::make_shared<const Implementation>(machine, background, threads, players);
}
ExactShapleyValues::ExactShapleyValues(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ExactShapleyValues ExactShapleyValues::of_dropped_features(const KernelMachine& machine,
                                                           unsigned threads) {
  return ExactShapleyValues(std::make_shared<const Implementation>(
      machine, Matrix(0, machine.features()), threads, std::vector<std::size_t>{}));
}

std::size_t ExactShapleyValues::players() const {
  return implementation_->passes.front().players();
}

Matrix ExactShapleyValues::operator()(MatrixView<const double> rows) const {
  const auto& [features, threads, passes] = *implementation_;
  require_rows_of(features, rows, "rows");
  Matrix values(rows.rows(), players());
  const std::size_t tile = passes.front().row_tile();
  util::parallel_for((rows.rows() + tile - 1) / tile, threads, [&, &own = passes] {
    return [&](std::size_t t) {
      const std::size_t first = t * tile, count = std::min(tile, rows.rows() - first);
      for (const linalg::ShapleyPass& pass : own)
        pass.run(rows.rows(first, count), values.view().rows(first, count));
    };
  });
  return values;
}

Matrix ExactShapleyValues::interactions(std::span<const double> row) const {
  const std::size_t count = players();
  Matrix result(count, count);
  std::vector<double> values(count, 0.0);
  implementation_->add_block(row, 0, count, result.view(), values);
  for (std::size_t d = 0; d < count; ++d) {
    for (std::size_t e = 0; e < d; ++e) result(e, d) = result(d, e) = 0.5 * result(d, e);
  }
  for (std::size_t d = 0; d < count; ++d) {
    double main = values[d];
    for (std::size_t e = 0; e < count; ++e) main -= e == d ? 0.0 : result(d, e);
    result(d, d) = main;
  }
  return result;
}

std::vector<PairInteraction> ExactShapleyValues::strongest_interactions(std::span<const double> row,
                                                                        std::size_t count) const {
  constexpr std::size_t kBlock = 128;
  std::vector<PairInteraction> best;
  for (std::size_t first = 0; first < players(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, players());
    Matrix block(last - first, last);
    std::vector<double> values(last - first, 0.0);
    implementation_->add_block(row, first, last, block.view(), values);
    for (std::size_t d = first; d < last; ++d)
      for (std::size_t e = 0; e < d; ++e) best.push_back({e, d, block(d - first, e)});
    std::ranges::sort(best, is_stronger);
    best.resize(std::min(best.size(), count));
  }
  return best;
}

}  // namespace bisector

namespace bisector::detail {
namespace {

/// Rows x features from rows x players: a player's value is at its first feature.
Matrix at_first_features(Matrix values, std::span<const std::size_t> players) {
  if (players.empty()) return values;
  Matrix result(values.rows(), players.size());
  std::vector<bool> is_known(values.cols(), false);
  for (std::size_t d = 0; d < players.size(); ++d) {
    const std::size_t player = players[d];
    if (is_known[player]) continue;
    is_known[player] = true;
    for (std::size_t r = 0; r < values.rows(); ++r) result(r, d) = values(r, player);
  }
  return result;
}

/// Shapley values over drawn references are the mean over batches of them, whose spread gives the
/// standard error. Values over a background are those of one batch.
class ReferenceBatches {
 public:
  ReferenceBatches(const KernelMachine& machine, MatrixView<const double> references,
                   bool are_drawn, unsigned threads, const std::vector<std::size_t>& players)
      : count_(references.rows()) {
    constexpr std::size_t kBatches = 10;
    const std::size_t batches = are_drawn ? std::min(kBatches, count_) : 1;
    for (std::size_t b = 0; b < batches; ++b) {
      // References are chosen so that those next to each other balance: batches are contiguous.
      const std::size_t first = b * count_ / batches, last = (b + 1) * count_ / batches;
      std::vector<std::size_t> members(last - first);
      std::iota(members.begin(), members.end(), first);
      sizes_.push_back(members.size());
      values_.emplace_back(machine, gather_rows(references, members), threads, players);
    }
  }

  BaselineResult operator()(MatrixView<const double> rows) const {
    if (values_.size() == 1) return {values_.front()(rows)};
    std::vector<Matrix> batches;
    for (const ExactShapleyValues& values : values_) batches.push_back(values(rows));
    const std::size_t features = batches.front().cols();
    BaselineResult result{Matrix(rows.rows(), features), Matrix(rows.rows(), features)};
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t d = 0; d < features; ++d) {
        double mean = 0.0, squares = 0.0;
        for (std::size_t b = 0; b < batches.size(); ++b) mean += share(b) * batches[b](r, d);
        for (std::size_t b = 0; b < batches.size(); ++b) {
          const double deviation = share(b) * (batches[b](r, d) - mean);
          squares += deviation * deviation;
        }
        const auto count = static_cast<double>(batches.size());
        result.relevance(r, d) = mean;
        result.standard_error(r, d) = std::sqrt(squares * count / (count - 1.0));
      }
    }
    return result;
  }

 private:
  double share(std::size_t batch) const {
    return static_cast<double>(sizes_[batch]) / static_cast<double>(count_);
  }

  std::size_t count_;
  std::vector<std::size_t> sizes_;
  std::vector<ExactShapleyValues> values_;
};

}  // namespace

/// Shapley values do not change if features are scaled, so they are computed in the model's space.
Baseline make_baseline(const ExactShapley& method, const BaselineInput& in) {
  const Model& model = in.contrasts.model();
  in.contrasts.require_product_kernel(ExactShapley::kName);
  const bool are_drawn = method.references.has_value();
  require_players({in.players.begin(), in.players.end()}, model.features());
  // Shared, because a std::function is copyable.
  const auto prepared = std::make_shared<PairCache<ReferenceBatches>>();
  return [=, &model](const PairRows& of) {
    const auto mapped = [&](MatrixView<const double> rows) {
      return preprocessed(model.input(), rows, model.model_features());
    };
    const ReferenceBatches& shapley = prepared->get(of.pair, [&](Model::ClassPair pair) {
      return std::make_unique<const ReferenceBatches>(
          model.pair_machine(pair, in.contrasts.level()), mapped(in.references).view(), are_drawn,
          in.contrasts.threads(), std::vector(in.players.begin(), in.players.end()));
    });
    BaselineResult result = shapley(mapped(of.rows).view());
    result.relevance = at_first_features(std::move(result.relevance), in.players);
    if (result.standard_error.rows() > 0)
      result.standard_error = at_first_features(std::move(result.standard_error), in.players);
    return result;
  };
}

}  // namespace bisector::detail
