#include "core/explain/all_classes.h"

#include <cmath>
#include <utility>

#include "bisector/against_rest.h"
#include "bisector/error.h"

namespace bisector::detail {
namespace {

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

ExplainOptions without_classes(ExplainOptions options) {
  options.positive_class.reset();
  options.versus.reset();
  return options;
}

}  // namespace

AllClasses::AllClasses(const Model& model, const Method& method, const ExplainOptions& options)
    : model_(model), method_(method), options_(without_classes(options)) {
  if (model.is_regressor())
    throw InvalidInput("all classes were asked for, expected a classifier: this is a regressor");
  if (options.unit != Unit::decision)
    throw InvalidInput("all classes need the unit decision; leave out the unit");
  const std::vector<Model> models = models_against_rest(model_);
  for (std::size_t c = 0; c < models.size(); ++c) models_.push_back(against_rest(models[c], c));
  if (!models.empty()) return;
  if (model_.labels().size() == 2)
    models_.push_back(only_pair());
  else
    pairs_.emplace(AllPairs{Explainer(model_, method_, options_),
                            DecisionFunction(model_, options_.precision, options_.threads)});
}

/// The pair in the order of a plain explanation: random draws depend on the order.
AllClasses::OneModel AllClasses::only_pair() const {
  Explainer explainer(model_, method_, options_);
  const bool is_first = explainer.settings().positive == model_.labels()[0];
  return {std::move(explainer), is_first ? 0u : 1u, is_first ? 1u : 0u};
}

AllClasses::OneModel AllClasses::against_rest(const Model& model, std::size_t positive) const {
  ExplainOptions options = options_;
  options.positive_class = model_.labels()[positive];
  options.versus = kRest;
  return {Explainer(model, method_, options), positive, std::nullopt};
}

ClassExplanations AllClasses::operator()(MatrixView<const double> rows,
                                         std::size_t first_row) const {
  const std::size_t classes = model_.labels().size();
  ClassSums sums(classes, rows);
  for (const auto& [explainer, positive, negative] : models_)
    sums.add(explainer(rows, first_row), positive, negative);
  if (!pairs_) return sums.take();
  const Predictions votes = pairs_->machines(rows);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b)
      sums.add(pairs_->explainer.explain_pair(rows, first_row, {a, b}, votes), a, b);
  }
  return sums.take();
}

}  // namespace bisector::detail
