// Explanations: how much each feature contributed to a prediction.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/method_table.h"
#include "bisector/model.h"
#include "bisector/network.h"
#include "bisector/predict.h"

namespace bisector {

/// The reference point: for eta < 1, features are measured relative to it.
struct Reference {
  enum class Kind {
    automatic,  // the origin, or the mean if the model's points are clearly off-center
    origin,     // zero in the model's space, after its preprocessing
    mean,       // the mean of the background, or of the model's points
    given       // `point`, in the model's input space
  };
  Kind kind = Kind::automatic;
  std::vector<double> point;
};
constexpr std::string_view name(Reference::Kind value) {
  switch (value) {
    case Reference::Kind::automatic:
      return "automatic";
    case Reference::Kind::origin:
      return "origin";
    case Reference::Kind::mean:
      return "mean";
    case Reference::Kind::given:
      return "given";
  }
  return {};
}

/// The unit of relevance, base value, output and remainder (docs/guide/units.md).
enum class Unit {
  g,  // rules: the neuralized output, a difference of squared distances in the model's space;
      // baselines: the output that they explain
  decision,  // the model's own output, as predict prints it: decision value, votes, prediction
  share      // percent of the sum of all |relevance| and |remainder|; the base value is 0
};
constexpr std::string_view name(Unit value) {
  switch (value) {
    case Unit::g:
      return "g";
    case Unit::decision:
      return "decision";
    case Unit::share:
      return "share";
  }
  return {};
}

/// Options of every method. Empty ones are resolved by the paper's heuristics.
struct ExplainOptions {
  Reference reference;
  std::optional<std::string> positive_class, versus;  // labels of the pools P and N
  std::optional<double> level;  // regressors: explain why the prediction is above it
  /// Rows that represent the data: for their median distance and mean, references, neighbors and
  /// the unit. Without it, the model's own background is taken, and else the model's points.
  std::optional<Matrix> background;
  /// The player of each input feature, 0, 1, ..., if features belong to groups; empty: every
  /// feature is a player. For every method, the relevance of a group is the sum over its features.
  /// Exact Shapley values add and remove the features of a player together; its value is then at
  /// its first feature, and its other features have 0.
  std::vector<std::size_t> players = {};
  Unit unit = Unit::decision;
  Precision precision = Precision::float64;
  unsigned threads = 0;  // 0: all
};

/// The method and the options of an Explainer after all defaults are resolved.
struct ExplainSettings {
  std::string method, reason;  // the rule that was taken, and why
  std::string note;            // what to know about the automatic choice; empty if there is nothing
  std::optional<double> eta;   // the rules
  /// Kernel machines; beta: the rules. For a kernel that is not Gaussian, gamma is that of the
  /// Gaussian with the same value at the median distance.
  std::optional<double> gamma, beta;
  std::optional<double> median_distance;  // kernel machines: the s in gamma s^2
  std::optional<std::size_t> k, kappa;    // neighbors; kappa: the rules
  std::optional<double> level;            // regressors
  std::optional<ReferenceSide> side;      // the expected path rule
  /// All parameters of the method that have a value, with those above as they were resolved.
  MethodParameters parameters;
  double cost = 0.0;          // kernel or distance evaluations per row, estimated
  bool has_evidence = false;  // Explainer::evidence is defined
  Unit unit = Unit::g;
  /// The base value is a mean over the points of a kernel machine, because no background was given.
  /// Support vectors are not typical rows.
  bool averages_points = false;
  /// A method whose contributions add up to the output where those of this one may not; empty if
  /// there is none or no need of one.
  std::string adds_up;
  std::vector<double> reference;  // in the model's input space
  std::string reference_name;     // "origin", "mean" or "given"
  /// Classes of the pools P and N where they are the same for every row; empty where they follow
  /// the prediction. For regressors "above" and "below".
  std::string positive, negative;
};

/// A column of a result, described once for every table, array and page that has it.
struct ResultColumn {
  enum class Role {
    before,        // before the contributions
    contribution,  // a number per feature
    after,         // after them
    detail,        // at the end of tables, on request
    internal       // in no table
  };
  enum class Of { all, classifiers, regressors };

  std::string_view name;  // in tables
  std::string_view key;   // in JSON and in Python
  Role role = Role::before;
  std::string_view description;
  Of of = Of::all;
  bool is_signed = false;  // changes its sign with the relevance

  /// True if results of this kind of model have the column.
  bool is_of(bool is_regressor) const {
    return of == Of::all || (of == Of::regressors) == is_regressor;
  }
};

/// One entry per row. Positive relevance supports the row's class `positive`.
struct Explanation {
  Matrix relevance;                     // rows x input features
  std::vector<double> g;                // the neuralized output; its sign is that of the decision
  std::vector<double> decision;         // f of the explained pair; regressors: prediction - level
  std::vector<double> value;            // regressors: the prediction
  std::vector<std::size_t> prediction;  // classifiers: the predicted class, into Model::labels()
  std::vector<std::size_t> positive, negative;  // classifiers: the pools' classes
  /// True if votes or distances are equal up to rounding, so that another order of the points or
  /// classes could change the output or the prediction: g or the difference of the votes is 0, some
  /// of the points at one distance vote and others do not, or points of several classes are at the
  /// row's place and have infinite weights. The prediction then follows the model's rule for ties.
  std::vector<bool> tie;
  Unit unit = Unit::g;  // unit of the relevance, the base value, the output and the remainder
  /// What the method explains at a row: base + sum(relevance) + remainder == output up to rounding.
  /// In the unit `decision` the output is what predict prints for the pair, and the base value is
  /// the same for all rows of a pair. In the unit g the output is g for the rules and the explained
  /// output for the baselines; the base value is the same for all rows of a pair, or of a pair and
  /// a side of the decision if the references depend on the side. The remainder is the part of the
  /// output that the features do not explain.
  std::vector<double> output, base, remainder;
  /// Standard errors of the relevance (rows x features) of methods that draw at random; otherwise
  /// empty.
  Matrix standard_error;
  /// The factor by which the conversion from g multiplied positive and divided negative relevance,
  /// relative to the contrast's scale. If it is far from 1, relevance and output disagree.
  std::vector<double> stretch;
  /// Path rules: the error of the finite number of steps, which was distributed over the features
  /// in proportion to their relevance. It is part of the relevance. In the unit of g.
  std::vector<double> correction;
  /// True if the row is far from the training data, so that its explanation says little: it is
  /// farther from each background row or point than any of them is from its nearest other one (for
  /// a kernel machine without a background, than any two points are; for fewer than 30 points, 100
  /// times that), or the intercept of a kernel machine alone decides.
  std::vector<bool> outside;
  /// True if no point is within the radius of the row. Then `tie` and `outside` are true too, the
  /// prediction is that of Predictions::without_neighbors, and rules give no feature relevance.
  std::vector<bool> without_neighbors;
  /// Twice the largest deviation of the output from its mean over the rows that represent the data,
  /// in `unit`; 0 in the unit g and where these rows are not known. A remainder below a hundredth
  /// of it is no flaw.
  std::vector<double> limit;
  /// True if the model answers nearly all background rows alike, for the pair of classes of the
  /// row: the 5th and the 95th percentile of the output differ by at most a thousandth of its
  /// range.
  std::vector<bool> alike;

  /// Calls visit(ResultColumn, pointer to member) for each column, in the order of tables.
  template <class Visit>
  static void columns(Visit&& visit) {
    using enum ResultColumn::Role;
    using enum ResultColumn::Of;
    using C = ResultColumn;
    using E = Explanation;
    visit(C{"prediction", "value", before, "the predicted number", regressors}, &E::value);
    visit(C{"prediction", "prediction", before, "the predicted class", classifiers},
          &E::prediction);
    visit(C{"class", "positive", before, "the class that positive values support", classifiers},
          &E::positive);
    visit(C{"versus", "negative", before, "the class that negative values support", classifiers},
          &E::negative);
    visit(C{"output", "output", before, "the model's output for this pair, as `predict` prints it",
            all, true},
          &E::output);
    visit(C{"base", "base", before, "base value: the mean output over the background", all, true},
          &E::base);
    visit(C{"", "relevance", contribution, "contribution of the feature", all, true},
          &E::relevance);
    visit(C{"remainder", "remainder", after,
            "the part of the output that the features do not explain", all, true},
          &E::remainder);
    visit(C{"outside", "outside", after, "the row is far from the training data"}, &E::outside);
    visit(C{"tie", "tie", after,
            "votes or distances are equal up to rounding: another order of the training "
            "rows or classes could give another output or prediction"},
          &E::tie);
    visit(C{"g", "g", detail, "the output of the neuralized network", all, true}, &E::g);
    visit(C{"decision", "decision", detail,
            "the model's own output for the pair, whatever the unit", all, true},
          &E::decision);
    visit(C{"correction", "correction", detail,
            "path rules: the error of the steps, which is part of the contributions, "
            "in the unit g",
            all, true},
          &E::correction);
    visit(C{"stretch", "stretch", detail,
            "by how much the conversion from g scaled the contributions"},
          &E::stretch);
    visit(C{"standard error of ", "standard_error", detail,
            "methods that draw at random: the standard error of the contribution"},
          &E::standard_error);
    visit(C{"alike", "alike", internal, "the model answers nearly all rows alike"}, &E::alike);
  }
};

/// All classes of a classifier, each against the rest, in the unit of the model's output.
struct ClassExplanations {
  std::vector<Matrix> relevance;  // one per class, in the order of Model::labels(): rows x features
  std::vector<double> base;       // one per class
  Matrix output, remainder;       // rows x classes
  std::vector<double> limit;      // one per class: the sum of Explanation::limit over its pairs
  std::vector<bool> tie, outside;  // one per row: true if it is for one of the classes
  std::vector<double> stretch;     // one per row: that of the class in which it is farthest from 1
  std::vector<bool> alike;         // one per row: true if it is for all classes
};

/// g of every row and its gradient by the input features.
struct ContrastGradients {
  std::vector<double> g;
  Matrix gradient;  // rows x input features
};

/// Relevance in the unit of g of the inputs of a network, whose outputs are the rows of a model.
struct NetworkRelevance {
  Matrix relevance;          // rows x inputs of the network
  Matrix standard_error;     // the same shape, or empty
  std::vector<double> base;  // the mean of g over the references of each row
  bool is_path = true;       // the relevance sums to g minus the base value
};

/// Three numbers per pair of classes, for Model::with_unit_scales, from rows that represent the
/// data; more than 1,000 are sampled. Empty for kernels of the dot product, which need no
/// conversion, and for models of more than 45 classes, whose pairs are too many.
BISECTOR_EXPORT std::vector<UnitScale> compute_unit_scales(const Model& model,
                                                           MatrixView<const double> rows,
                                                           unsigned threads = 0);

/// The background of a model from rows of its input space; `seed` is that of the draw among very
/// many. Throws InvalidInput for rows that do not fit the model.
BISECTOR_EXPORT Background background_of(const Model& model, MatrixView<const double> rows,
                                         std::uint64_t seed = 0);

/// The model with the check that auto makes of kernel classifiers, from its background or its own
/// points. The same model if it has a check or needs none.
BISECTOR_EXPORT Model with_auto_check(const Model& model, unsigned threads = 0);

/// A model for a file: with the rows that it was trained on as its background, the check of auto
/// and the unit scales that it has, which are those of the same rows.
BISECTOR_EXPORT Model with_training_data(const Model& model, MatrixView<const double> rows,
                                         unsigned threads = 0);

/// Orients rows toward their prediction: positive relevance then supports the predicted class. The
/// relevance, output, base value, remainder, correction, g and decision of rows that supported
/// another class change sign, their stretch is inverted, and their pools change places. In the unit
/// g, regressors are oriented to the side of the level on which the prediction lies; in other units
/// they are not oriented. Rows of a pair without the predicted class stay. Returns which rows were
/// reversed.
BISECTOR_EXPORT std::vector<bool> orient_to_prediction(Explanation& explanation);
/// The same for the evidence of a reversed row.
BISECTOR_EXPORT void reverse(Evidence& evidence);

/// A model prepared for explaining many rows by one method. Copies share it. Safe to share between
/// threads.
class BISECTOR_EXPORT Explainer {
 public:
  /// Throws InvalidInput for a method or options that do not fit the model and InvalidModel for a
  /// model with an empty pool.
  explicit Explainer(const Model& model, const Method& method = Auto{},
                     const ExplainOptions& options = {});

  /// `rows` QxD in the model's input space; every entry finite and within ±1e100. `first_row` is
  /// the number of the first row in its file, counted from 0: the random draws of SampledShapley
  /// depend on it, so that a file may be split anywhere. `voters`, for models of neighbors: the
  /// points that vote in each row, if another search found them; they decide between points at
  /// equal distances, of which otherwise those with the lowest indices vote.
  Explanation operator()(MatrixView<const double> rows, std::size_t first_row = 0,
                         std::span<const std::vector<std::size_t>> voters = {}) const;

  /// Every class against the rest: one-vs-one machines by the sum over the class's pairs, neighbors
  /// by the class's votes against all others, machines per class by the class's own. Throws
  /// InvalidInput for regressors and for other units than `decision`.
  ClassExplanations all_classes(MatrixView<const double> rows, std::size_t first_row = 0,
                                std::span<const std::vector<std::size_t>> voters = {}) const;

  /// The `count` pairs of points with the largest p_i p_j for one row, largest first, in the unit
  /// of g by the eta rule. Path rules use their eta at the row alone; shapley-exact, whose
  /// relevance is no sum over pairs, uses eta 0. Throws InvalidInput for other baselines.
  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const;
  /// The `count` points of each pool with the largest p_k for one row; for any method. Of
  /// neighbors, those that vote, with their shares of the vote.
  DecidingPoints deciding_points(std::span<const double> row, std::size_t count) const;
  /// All points and all pairs of them, for any method.
  Network network(std::span<const double> row) const;

  /// g of each row for its own pair of classes (regressors: {0, 1}), and the gradient of g. Ranked
  /// pools have the mean gradient of the band of ranks, which is exact for kappa 0.
  ContrastGradients gradients(MatrixView<const double> rows,
                              std::span<const Model::ClassPair> pairs) const;
  /// Completes relevance of a network's inputs with the decisions of its outputs `rows` and with
  /// output, base value and remainder in the unit of this explainer.
  Explanation complete(MatrixView<const double> rows, NetworkRelevance relevance) const;

  /// The model with the check of auto, if that was made, and with the background that is used.
  Model model() const;
  /// The method that Auto was resolved to, or the given one.
  const Method& method() const;
  const ExplainSettings& settings() const;

 private:
  class Implementation;
  std::shared_ptr<const Implementation> implementation_;
};

/// Explains once; make an Explainer to explain more often.
BISECTOR_EXPORT Explanation explain(const Model& model, MatrixView<const double> rows,
                                    const Method& method = Auto{},
                                    const ExplainOptions& options = {});

}  // namespace bisector
