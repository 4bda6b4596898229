// Explanations: which features speak for this prediction.
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

/// The point from which eta < 1 measures x.
struct Reference {
  enum class Kind {
    automatic,  // the origin, or the mean where the model's points are clearly off-center
    origin,     // zero in the model's space, after its preprocessing
    mean,       // the mean of the background, or of the model's points
    given       // `point`, in the model's input space
  };
  Kind kind = Kind::automatic;
  std::vector<double> point;
};

/// What relevance is counted in.
enum class Unit {
  g,  // what the rules explain: a difference of squared distances in the model's space, which
      // has no name; baselines: the output that they explain
  decision,  // the model's own output: decision value, votes, the target's unit above the level
  share      // per cent of the output
};
BISECTOR_EXPORT std::string_view name(Unit unit);

/// What every method takes. Every default means "as the paper's heuristics say".
struct ExplainOptions {
  Reference reference;
  std::optional<std::string> positive_class, versus;  // labels of the pools P and N
  std::optional<double> level;  // regressors: "why is the prediction above this?"
  /// Rows that stand for the data: their median distance and mean, references and neighbors.
  std::optional<Matrix> background;
  /// Columns of the user's table, if several features are made from one column and the model does
  /// not know. The automatic choice of the method counts them.
  std::optional<std::size_t> table_columns;
  Unit unit = Unit::g;
  Precision precision = Precision::float64;
  unsigned threads = 0;  // zero: all
};

/// What an Explainer resolved its method and options to.
struct ExplainSettings {
  std::string method, reason;  // the rule that was taken, and why
  std::optional<double> eta;   // the rules
  /// Kernel machines; beta: the rules. Of a kernel that is not Gaussian, gamma is that of the
  /// Gaussian that is as far down at the median distance.
  std::optional<double> gamma, beta;
  std::optional<double> median_distance;  // kernel machines: the s in gamma s^2
  std::optional<std::size_t> k, kappa;    // neighbors; kappa: the rules
  std::optional<double> level;            // regressors
  std::optional<ReferenceSide> side;      // the expected path rule
  /// All parameters of the method that have a value, with those above as they were resolved.
  MethodParameters parameters;
  double cost = 0.0;          // kernel or distance evaluations per row, estimated
  bool has_evidence = false;  // Explainer::evidence has an answer
  Unit unit = Unit::g;
  std::vector<double> reference;  // in the model's input space
  std::string reference_name;     // "origin", "mean" or "given"
  /// Classes of the pools P and N where they are the same for every row; empty where they follow
  /// the prediction. For regressors "above" and "below".
  std::string positive, negative;
};

/// One entry per row. Positive relevance speaks for the row's class `positive`.
struct Explanation {
  Matrix relevance;              // rows x input features
  std::vector<double> g;         // the neuralized output; its sign is the decision
  std::vector<double> decision;  // f, of the pair that is explained; neighbors: vote difference
  std::vector<double> value;     // regressors: the prediction
  std::vector<std::size_t> prediction;  // classifiers: the predicted class, into Model::labels()
  std::vector<std::size_t> positive, negative;  // classifiers: the pools' classes
  /// The sign of g does not decide: it is 0 (for neighbors: equal distances), or the two classes
  /// have equal votes. The prediction is then by the model's own order of equals.
  std::vector<bool> tie;
  Unit unit = Unit::g;  // unit of the relevance, the base value, the output and the remainder
  /// What the method explains at a row: base + sum(relevance) + remainder == output up to rounding.
  /// In the unit g it is g for the rules and the explained output for the baselines. The base value
  /// is the same for all rows of a pair of classes (of a pair and a side of the decision, where the
  /// references depend on the side); in other units it is scaled like the row's relevance. The
  /// remainder is the part of the output that the features do not explain.
  std::vector<double> output, base, remainder;
  /// Path rules: what the steps of the way had left over and every feature took its part of, in
  /// proportion to its relevance. In the relevance already.
  std::vector<double> correction;
  /// The row is far from all data: its nearest row of the background, or neighbor, is farther than
  /// any of theirs is (of a kernel machine without a background, its nearest point than any two are
  /// apart), or a kernel machine sees nothing but its intercept there. Its explanation says little.
  std::vector<bool> outside;
};

/// Turns the rows that speak against their prediction around, so that positive relevance speaks for
/// the predicted class (regressors: for the side of the level on which the prediction lies):
/// relevance, output, base, remainder, correction, g and decision change sign, the pools their
/// classes.
/// Rows of a pair without the predicted class stay. Returns which rows were turned.
BISECTOR_EXPORT std::vector<bool> orient_to_prediction(Explanation& explanation);
/// The same for the evidence of a row that was turned.
BISECTOR_EXPORT void reverse(Evidence& evidence);

/// A model made ready for explaining many rows by one method. Safe to share between threads.
class BISECTOR_EXPORT Explainer {
 public:
  /// Throws InvalidInput for a method or options that do not fit the model and InvalidModel for a
  /// model with nothing in one pool.
  explicit Explainer(const Model& model, const Method& method = Auto{},
                     const ExplainOptions& options = {});
  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;
  ~Explainer();

  /// `rows` QxD in the model's input space; every entry finite and within ±1e100. `first_row` is
  /// the number of the first row in its file, counted from zero: it sets the random draws of
  /// SampledShapley, so that a file may be cut anywhere. All but the relevance is the same for
  /// every method.
  Explanation operator()(MatrixView<const double> rows, std::size_t first_row = 0) const;

  /// The `count` pairs of points with the largest p_i p_j for one row, largest first, by the eta
  /// rule: under the path rule with its eta, at the row alone, and under shapley-exact, whose
  /// relevance is of f and no sum over pairs, with eta 0. Throws InvalidInput for other baselines.
  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const;
  /// The `count` points of either pool with the largest p_k for one row; for any method.
  DecidingPoints deciding_points(std::span<const double> row, std::size_t count) const;
  /// All points and all pairs of them, for any method.
  Network network(std::span<const double> row) const;

  /// What Auto was resolved to, or the method that was asked for.
  const Method& method() const;
  const ExplainSettings& settings() const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

/// The three-line way; build an Explainer to explain more than once.
BISECTOR_EXPORT Explanation explain(const Model& model, MatrixView<const double> rows,
                                    const Method& method = Auto{},
                                    const ExplainOptions& options = {});

}  // namespace bisector
