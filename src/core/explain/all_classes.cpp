#include "core/explain/all_classes.h"

#include <cmath>
#include <string>
#include <utility>

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

}  // namespace

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

ClassExplanations AllClasses::operator()(MatrixView<const double> rows,
                                         std::size_t first_row) const {
  const ModelExplainer& pair = own_ ? *own_ : pair_;
  const std::vector<std::string> labels = pair.model().labels();
  const std::size_t classes = labels.size();
  ClassSums sums(classes, rows);
  for (std::size_t c = 0; c < against_rest_.size(); ++c)
    sums.add(against_rest_[c]->explain(rows, first_row), c, std::nullopt);
  if (!against_rest_.empty()) return sums.take();
  if (classes == 2) {
    // In the order of a plain explanation: random draws depend on it.
    const std::size_t positive = pair.settings().positive == labels[0] ? 0 : 1;
    sums.add(pair.explain(rows, first_row), positive, 1 - positive);
    return sums.take();
  }
  const Contrasts& contrasts = pair.contrasts();
  const Predictions decided = contrasts.machines()(rows);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b)
      sums.add(pair.explain(rows, first_row, contrasts.vote(decided, Model::ClassPair{a, b})), a,
               b);
  }
  return sums.take();
}

}  // namespace bisector::detail
