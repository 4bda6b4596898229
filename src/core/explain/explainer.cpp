#include "bisector/explain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "bisector/matrix.h"
#include "core/explain/model_explainer.h"

namespace bisector {
namespace {

using detail::ModelExplainer;

/// Sums of the explanations that concern each class.
class ClassSums {
 public:
  ClassSums(std::size_t classes, MatrixView<const double> rows) {
    sums_.relevance.assign(classes, Matrix(rows.rows(), rows.cols()));
    sums_.base.assign(classes, 0.0);
    sums_.output = sums_.remainder = Matrix(rows.rows(), classes);
    sums_.tie.assign(rows.rows(), false);
    sums_.outside.assign(rows.rows(), false);
    sums_.stretch.assign(rows.rows(), 1.0);
    sums_.alike.assign(rows.rows(), true);
    sums_.limit.assign(classes, 0.0);
  }

  /// Adds an explanation of class `positive`, and subtracts it from the other class of a pair.
  void add(const Explanation& part, std::size_t positive, std::optional<std::size_t> negative) {
    add_times(1.0, part, positive);
    if (negative) add_times(-1.0, part, *negative);
    for (std::size_t r = 0; r < part.tie.size(); ++r) {
      sums_.tie[r] = sums_.tie[r] || part.tie[r];
      sums_.outside[r] = sums_.outside[r] || part.outside[r];
      sums_.alike[r] = sums_.alike[r] && part.alike[r];
      if (std::abs(std::log(part.stretch[r])) > std::abs(std::log(sums_.stretch[r])))
        sums_.stretch[r] = part.stretch[r];
    }
  }

  ClassExplanations take() { return std::move(sums_); }

 private:
  void add_times(double sign, const Explanation& part, std::size_t c) {
    Matrix& relevance = sums_.relevance[c];
    if (relevance.rows() > 0) {
      sums_.base[c] += sign * part.base[0];
      sums_.limit[c] += part.limit[0];
    }
    for (std::size_t r = 0; r < relevance.rows(); ++r) {
      sums_.output(r, c) += sign * part.output[r];
      sums_.remainder(r, c) += sign * part.remainder[r];
      for (std::size_t d = 0; d < relevance.cols(); ++d)
        relevance(r, d) += sign * part.relevance(r, d);
    }
  }

  ClassExplanations sums_;
};

/// Every class against the rest, for classifiers of any number of classes.
class AllClasses {
 public:
  /// Takes the model, the method and the options of `pair`, which outlives this object. Throws
  /// InvalidInput for regressors and units other than decision.
  explicit AllClasses(const ModelExplainer& pair);

  ClassExplanations operator()(MatrixView<const double> rows, std::size_t first_row,
                               detail::Voters voters) const;

 private:
  const ModelExplainer& pair_;
  std::unique_ptr<const ModelExplainer> own_;  // if those of `pair` are of chosen classes
  /// One per class, of models that can be split; else the pairs of classes are explained.
  std::vector<std::unique_ptr<const ModelExplainer>> against_rest_;
};

AllClasses::AllClasses(const ModelExplainer& pair) : pair_(pair) {
  const Model model = pair.model();
  if (model.is_regressor())
    throw InvalidInput("all classes were asked for, expected a classifier: this is a regressor");
  if (pair.options().unit != Unit::decision)
    throw InvalidInput("all classes need the unit decision; leave out the unit");
  ExplainOptions options = pair.options();
  const bool has_classes = options.positive_class || options.versus;
  options.positive_class.reset();
  options.versus.reset();
  const std::vector<Model> models = model.against_rest();
  for (std::size_t c = 0; c < models.size(); ++c) {
    options.positive_class = model.labels()[c];
    options.versus = kRest;
    against_rest_.push_back(
        std::make_unique<const ModelExplainer>(models[c], pair.method(), options));
  }
  if (models.empty() && has_classes)
    own_ = std::make_unique<const ModelExplainer>(model, pair.method(), options);
}

ClassExplanations AllClasses::operator()(MatrixView<const double> rows, std::size_t first_row,
                                         detail::Voters voters) const {
  const ModelExplainer& pair = own_ ? *own_ : pair_;
  const std::vector<std::string> labels = pair.model().labels();
  const std::size_t classes = labels.size();
  ClassSums sums(classes, rows);
  for (std::size_t c = 0; c < against_rest_.size(); ++c)
    sums.add(against_rest_[c]->explain(rows, first_row, voters), c, std::nullopt);
  if (!against_rest_.empty()) return sums.take();
  if (classes == 2) {
    // In the order of a plain explanation: random draws depend on it.
    const std::size_t positive = pair.settings().positive == labels[0] ? 0 : 1;
    sums.add(pair.explain(rows, first_row, voters), positive, 1 - positive);
    return sums.take();
  }
  const detail::Contrasts& contrasts = pair.contrasts();
  const Predictions decided = contrasts.machines()(rows);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b)
      sums.add(pair.explain(rows, first_row, contrasts.vote(decided, Model::ClassPair{a, b})), a,
               b);
  }
  return sums.take();
}

// Subtracted from 0, not negated, so that the result is never -0.
double reversed(double value) { return 0.0 - value; }

bool supports_another(const Explanation& explanation, std::size_t row) {
  const bool is_regressor = explanation.prediction.empty();
  if (is_regressor) return explanation.unit == Unit::g && !(explanation.g[row] > 0.0);
  return explanation.prediction[row] == explanation.negative[row];
}

}  // namespace

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const Method& method, const ExplainOptions& options)
      : pair(model, method, options) {}

  const AllClasses& all_classes() const {
    std::call_once(once_, [this] { all_ = std::make_unique<const AllClasses>(pair); });
    return *all_;
  }

  const ModelExplainer pair;

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const AllClasses> all_;
};

Explainer::Explainer(const Model& model, const Method& method, const ExplainOptions& options)
    : implementation_(std::make_shared<const Implementation>(model, method, options)) {}

Explanation Explainer::operator()(MatrixView<const double> rows, std::size_t first_row,
                                  std::span<const std::vector<std::size_t>> voters) const {
  return implementation_->pair.explain(rows, first_row, voters);
}
std::vector<Evidence> Explainer::evidence(std::span<const double> row, std::size_t count) const {
  return implementation_->pair.evidence(row, count);
}
DecidingPoints Explainer::deciding_points(std::span<const double> row, std::size_t count) const {
  return implementation_->pair.deciding_points(row, count);
}
Network Explainer::network(std::span<const double> row) const {
  return implementation_->pair.network(row);
}
ClassExplanations Explainer::all_classes(MatrixView<const double> rows, std::size_t first_row,
                                         std::span<const std::vector<std::size_t>> voters) const {
  return implementation_->all_classes()(rows, first_row, voters);
}
ContrastGradients Explainer::gradients(MatrixView<const double> rows,
                                       std::span<const Model::ClassPair> pairs) const {
  return implementation_->pair.gradients(rows, pairs);
}
Explanation Explainer::complete(MatrixView<const double> rows, NetworkRelevance relevance) const {
  return implementation_->pair.complete(rows, std::move(relevance));
}
Model Explainer::model() const { return implementation_->pair.model(); }
const Method& Explainer::method() const { return implementation_->pair.method(); }
const ExplainSettings& Explainer::settings() const { return implementation_->pair.settings(); }

Explanation explain(const Model& model, MatrixView<const double> rows, const Method& method,
                    const ExplainOptions& options) {
  return Explainer(model, method, options)(rows);
}

std::vector<bool> orient_to_prediction(Explanation& explanation) {
  std::vector<bool> is_reversed(explanation.relevance.rows(), false);
  for (std::size_t r = 0; r < is_reversed.size(); ++r) {
    if (!supports_another(explanation, r)) continue;
    is_reversed[r] = true;
    if (!explanation.prediction.empty())
      std::swap(explanation.positive[r], explanation.negative[r]);
    Explanation::columns([&](const ResultColumn& column, auto member) {
      if (!column.is_signed) return;
      if constexpr (std::is_same_v<decltype(member), Matrix Explanation::*>) {
        for (double& value : (explanation.*member).row(r)) value = reversed(value);
      } else if constexpr (std::is_same_v<decltype(member), std::vector<double> Explanation::*>) {
        (explanation.*member)[r] = reversed((explanation.*member)[r]);
      }
    });
    // Positive and negative relevance are exchanged.
    explanation.stretch[r] =
        std::min(1.0 / explanation.stretch[r], std::numeric_limits<double>::max());
  }
  return is_reversed;
}

void reverse(Evidence& evidence) {
  std::swap(evidence.positive, evidence.negative);
  evidence.activation = reversed(evidence.activation);
  for (double& value : evidence.relevance) value = reversed(value);
}

}  // namespace bisector
