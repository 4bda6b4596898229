// Explanations: which features speak for this prediction.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/network.h"
#include "bisector/predict.h"

namespace bisector {

/// The point from which eta < 1 measures x.
struct Reference {
  enum class Kind {
    automatic,  // the origin, or the mean where the model's points are clearly off-centre
    origin,     // zero in the model's space, after its preprocessing
    mean,       // the mean of the background, or of the model's points
    given       // `point`, in the model's input space
  };
  Kind kind = Kind::automatic;
  std::vector<double> point;
};

/// Every default means "as the paper's heuristics say".
struct ExplainOptions {
  std::optional<double> eta;         // 0: gradient x input on g; 1: the midpoint rule
  std::optional<double> beta;        // kernel machines: stiffness of the responsibilities
  std::optional<std::size_t> kappa;  // neighbours: half-width of the band of ranks
  Reference reference;
  bool ignore_intercept = false;  // keep the intercept's virtual point out of the relevance
  std::optional<std::string> of_class, versus;  // labels of the pools P and N
  std::optional<double> level;                  // regressors: "why is the prediction above this?"
  std::optional<Matrix> background;  // rows that stand for the data: their median distance and mean
  Precision precision = Precision::f64;
  unsigned threads = 0;  // zero: all
};

/// The path rule instead of the eta rule: the gradient half of the relevance is taken along the way
/// from the reference point to x, at the middles of `steps` equal parts, instead of at x alone.
struct PathRule {
  std::size_t steps = 5;
};

/// What an Explainer settled on.
struct ExplainSettings {
  double eta = 0.0;
  std::optional<double> gamma, beta;      // kernel machines
  std::optional<double> median_distance;  // kernel machines: the s in gamma s^2
  std::optional<std::size_t> k, kappa;    // neighbours
  std::optional<double> level;            // regressors
  std::optional<std::size_t> path_steps;  // the path rule
  std::vector<double> reference;          // in the model's input space
  std::string reference_name;             // "origin", "mean" or "given"
  /// Classes of the pools P and N where they are the same for every row; empty where they follow
  /// the prediction. For regressors "above" and "below".
  std::string positive, negative;
};

/// One entry per row. Positive relevance speaks for the row's class `positive`.
struct Explanation {
  Matrix relevance;              // rows x input features
  std::vector<double> g;         // the neuralized output; its sign is the decision
  std::vector<double> decision;  // f, of the pair that is explained; neighbours: vote difference
  std::vector<double> value;     // regressors: the prediction
  std::vector<std::size_t> prediction;  // classifiers: the predicted class, into Model::labels()
  std::vector<std::size_t> positive, negative;  // classifiers: the pools' classes
  std::vector<bool> tie;                        // neighbours: the two classes have equal votes
};

/// Turns the rows whose pool N is the predicted class around, so that positive relevance speaks for
/// the prediction: relevance, g and decision change sign, and the pools their classes. Rows of a
/// pair without the predicted class stay. Returns which rows were turned. Throws InvalidInput for
/// a regressor's explanation.
BISECTOR_EXPORT std::vector<bool> turn_to_prediction(Explanation& explanation);
/// The same for the evidence of a row that was turned.
BISECTOR_EXPORT void turn(Evidence& evidence);

/// A model made ready for explaining many rows. Safe to share between threads.
class BISECTOR_EXPORT Explainer {
 public:
  /// Throws InvalidInput for options that do not fit the model and InvalidModel for a model with
  /// nothing in one pool.
  explicit Explainer(const Model& model, const ExplainOptions& options = {});
  /// By the path rule. Neighbour models: a row's pair of classes is decided at the row itself, the
  /// votes and the rank anew at every point of the way. evidence() is that of the row alone, by the
  /// eta rule.
  Explainer(const Model& model, const ExplainOptions& options, const PathRule& path);
  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;
  ~Explainer();

  /// `rows` QxD in the model's input space; every entry finite and within ±1e100.
  Explanation operator()(MatrixView<const double> rows) const;

  /// The `count` pairs of points with the largest p_i p_j for one row, largest first.
  std::vector<Evidence> evidence(std::span<const double> row, std::size_t count) const;
  Network network(std::span<const double> row) const;

  const ExplainSettings& settings() const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

/// The three-line way; build an Explainer to explain more than once.
BISECTOR_EXPORT Explanation explain(const Model& model, MatrixView<const double> rows,
                                    const ExplainOptions& options = {});

/// The relevance with each row's sign turned so that positive = for the class in `prediction`
/// (regressors: for the side of the level on which the prediction lies). Throws InvalidInput for a
/// row whose predicted class is neither of the two that its relevance contrasts.
BISECTOR_EXPORT Matrix for_predicted(const Explanation& explanation);

}  // namespace bisector
