// What rules and baselines ask of a model. A contrast compares two pools of points, P and N, of one
// pair of classes (regressors: above and below a level; detectors: inside and outside). Four
// implementations exist: soft (kernels of a distance), ranked (neighbors and centroids), level
// (outlier detectors) and linear (kernels of the dot product). Only the factory in contrasts.cpp
// asks for the kind of model.
//
// Virtual functions are called per tile of rows, never per point. A row's results depend on the row
// alone: not on the other rows of its tile and not on threads.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bisector/baselines.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/network.h"
#include "core/linalg/lines.h"
#include "core/linalg/mixed_softmax.h"
#include "core/models/rows.h"

namespace bisector::detail {

// The pools of a contrast at one row: members, distances and responsibilities. The network and the
// evidence are made from them; their size is linear in the points.

struct PoolAtRow {
  std::vector<PoolMember> members;
  std::vector<double> exponents;  // -gamma z_k, up to a summand that both pools share
  std::vector<double> weights;    // p_k; they sum to one
};

struct PoolsAtRow {
  PoolAtRow positive, negative;
  double gamma = 1.0;  // 1 for ranked pools, whose scores are squared distances

  /// z_ij, the detection unit of two members.
  double detection(std::size_t i, std::size_t j) const {
    return (positive.exponents[i] - negative.exponents[j]) / gamma;
  }
};

/// All pairs of members, without h_j and g, which differ between soft and ranked pools.
inline Network all_pairs(const PoolsAtRow& pools) {
  Network network;
  network.positive = pools.positive.members;
  network.negative = pools.negative.members;
  network.positive_weights = pools.positive.weights;
  network.negative_weights = pools.negative.weights;
  network.detection = Matrix(network.positive.size(), network.negative.size());
  for (std::size_t i = 0; i < network.positive.size(); ++i) {
    for (std::size_t j = 0; j < network.negative.size(); ++j)
      network.detection(i, j) = pools.detection(i, j);
  }
  return network;
}

/// The decision of a contrast for one row.
struct RowDecision {
  double f = 0.0;              // output of the model for the pair; regressors: prediction - level
  double g = 0.0;              // neuralized output; its sign is that of f
  double value = 0.0;          // regressors: the prediction
  std::size_t prediction = 0;  // class, into Model::labels()
  std::size_t positive = 0, negative = 1;  // classes of P and N
  bool tie = false;                        // votes or distances are equal up to rounding
  bool is_outside = false;  // the intercept alone decides (kernel machines), or far from the data
  bool has_output = true;   // false: no neighbor votes, and f is the model's default
  double level_part = 0.0;  // detectors: the part of g that is the level
  std::optional<double> level_output = {};  // detectors: f at distance 0
  std::optional<double> ratio = {};         // kernel machines: f / g, unless g is 0 or infinite
};

/// The moments of both pools at a tile of rows. A center c keeps rounding errors small; the means
/// are those of the points' values relative to c (PointValues).
struct TileMoments {
  /// c is the row itself, and the means are exact.
  struct AroundRow {};
  /// One c for all rows. The means are exact enough up to this cancellation (see RelevanceRule);
  /// beyond it, exact_means() computes them again.
  struct AroundCenter {
    Matrix centered;  // x - c
    std::span<const double> center;
    double tolerated;
  };

  std::vector<RowDecision> decisions;
  linalg::SoftmaxRows positive, negative;  // means of the values; columns as PointValues says
  std::vector<double> scales;              // factors of the rows' relevance
  std::variant<AroundRow, AroundCenter> place;
  /// Of g, by the model's features, where they are not the difference of the means.
  std::optional<Matrix> half_gradients;
};

/// The means of both pools at one row around a center that loses no digits.
struct ExactMeans {
  std::vector<double> center, positive, negative;
};

/// Rows of a tile whose neighbors are known: they decide for every pair of classes.
class SearchedRows {
 public:
  virtual ~SearchedRows() = default;
  virtual std::vector<RowDecision> decide(Model::ClassPair pair) const = 0;
};

class Contrast {
 public:
  Contrast(const Model& model, unsigned threads) : model_(model), threads_(threads) {}
  virtual ~Contrast() = default;
  Contrast(const Contrast&) = delete;
  Contrast& operator=(const Contrast&) = delete;

  /// Decisions of the rows of a tile. With f of a model that has one output, predict prints it.
  virtual std::vector<RowDecision> decide(const RowTile& tile) const = 0;
  /// The neighbors of the rows. Null for contrasts whose decisions for two pairs of classes have
  /// nothing in common.
  virtual std::unique_ptr<const SearchedRows> search(const RowTile&) const { return nullptr; }
  /// Gradients of f or g by the model's features, for contrasts that have them.
  virtual void gradients(ExplainedOutput output, const RowTile& tile,
                         MatrixView<double> gradients) const = 0;
  /// The number of Gauss nodes that make the integral of the gradient along a line exact.
  virtual std::optional<std::size_t> exact_nodes() const { return std::nullopt; }
  /// No change of a row of the model's space that is shorter (Euclidean) changes the model's
  /// prediction. 0: no radius is known. Kernel machines have machine_radius() instead.
  virtual double radius(std::span<const double>) const { return 0.0; }

  // Contrasts without pools throw InvalidInput in the functions from here on.

  /// Decisions and moments.
  virtual TileMoments moments(const RowTile& tile) const;
  /// Means of row r, point by point; called for moments around a center that are too inexact.
  virtual ExactMeans exact_means(const RowTile& tile, std::size_t r,
                                 const TileMoments& moments) const;

  /// Receives half of the gradient of g at step `step` of row `row`, by the model's features, and a
  /// factor for it.
  using UseGradient = std::function<void(std::size_t row, std::size_t step,
                                         std::span<const double> half_gradient, double factor)>;
  /// Gradients at points on lines to rows of the model's space. The starts of the lines are
  /// relative to center().
  virtual void gradients_on_lines(MatrixView<const double> rows, const linalg::Lines<double>& lines,
                                  unsigned threads, const UseGradient& use) const;
  /// Empty: the origin.
  virtual std::span<const double> center() const { return {}; }

  /// Members of both pools at a row of the model's space, with their responsibilities.
  virtual PoolsAtRow members(std::span<const double> row) const;
  /// The members that determine f, with their shares: of neighbors, those that vote. Otherwise the
  /// same as members().
  virtual PoolsAtRow voters(std::span<const double> row) const { return members(row); }
  virtual Network network(std::span<const double> row) const;

  /// f, g or the class outcome (+1 or -1) as a function of input rows. The function refers to this
  /// object. It throws InvalidInput if g is infinite.
  BatchFunction function(ExplainedOutput output) const;
  /// The gradient of f or g by the input features; refers to this object.
  BatchGradient gradient(ExplainedOutput output) const;
  /// g at points of the model's space.
  std::vector<double> g_at(const Matrix& points) const;

 protected:
  const Model& model() const { return model_; }

 private:
  Model model_;
  unsigned threads_;
};

/// f, g or the outcome of a decision.
double output_of(const RowDecision& decision, ExplainedOutput output);

// Rows grouped by the pair of classes that explains them, so that each group runs through one
// contrast.

/// The rows of each pair (class of P, class of N), ascending.
using PairGroups = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>>;

inline PairGroups group_by_pair(std::span<const RowDecision> decided) {
  PairGroups groups;
  for (std::size_t r = 0; r < decided.size(); ++r)
    groups[{decided[r].positive, decided[r].negative}].push_back(r);
  return groups;
}

// The two classes of a row's pools P and N.

/// The same for all rows, or each row's own.
struct ClassChoice {
  std::optional<std::size_t> positive;  // empty: the predicted class
  std::optional<std::size_t> negative;  // empty: its strongest rival
};

/// The classes that the user named, and the other one if the model has two. Throws InvalidInput for
/// a label that the model does not have, a class versus itself, and a rival without a class.
ClassChoice resolve_classes(const Model& model, const std::optional<std::string>& of_class,
                            const std::optional<std::string>& versus);

/// The pair of classes of a row from the scores of its classes. An open choice takes the class with
/// the largest and the one with the next largest, the first among equals.
Model::ClassPair choose_pair(const ClassChoice& choice, std::span<const double> scores);

}  // namespace bisector::detail
