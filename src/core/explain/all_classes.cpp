#include "core/explain/all_classes.h"

#include <utility>

#include "bisector/against_rest.h"
#include "bisector/error.h"

namespace bisector::detail {
AllClasses::AllClasses(const Model& model, const Method& method, const ExplainOptions& options)
    : model_(model), method_(method), options_(options) {
  if (model.is_regressor())
    throw InvalidInput("all classes were asked for, expected a classifier: this is a regressor");
  if (options.unit != Unit::decision)
    throw InvalidInput("all classes need the unit decision; leave out the unit");
  const std::vector<Model> against_rest = models_against_rest(model_);
  for (std::size_t c = 0; c < against_rest.size(); ++c)
    add(against_rest[c], c, std::nullopt, kRest);
  if (!against_rest.empty()) return;
  const std::vector<std::string> labels = model_.labels();
  if (labels.size() == 2) add_only_pair();
  for (std::size_t a = 0; labels.size() > 2 && a < labels.size(); ++a) {
    for (std::size_t b = a + 1; b < labels.size(); ++b) add(model_, a, b, labels[b]);
  }
}

void AllClasses::add_only_pair() {
  // The pair in the order of a plain explanation: random draws depend on the order.
  ExplainOptions options = options_;
  options.positive_class.reset();
  options.versus.reset();
  Explainer explainer(model_, method_, options);
  const bool is_first = explainer.settings().positive == model_.labels()[0];
  parts_.push_back({std::move(explainer), is_first ? 0u : 1u, is_first ? 1u : 0u});
}

void AllClasses::add(const Model& model, std::size_t positive, std::optional<std::size_t> negative,
                     const std::string& versus) {
  ExplainOptions options = options_;
  options.positive_class = model_.labels()[positive];
  options.versus = versus;
  parts_.push_back({Explainer(model, method_, options), positive, negative});
}

ClassExplanations AllClasses::operator()(MatrixView<const double> rows,
                                         std::size_t first_row) const {
  const std::size_t classes = model_.labels().size();
  ClassExplanations result;
  result.relevance.assign(classes, Matrix(rows.rows(), rows.cols()));
  result.base.assign(classes, 0.0);
  result.output = result.remainder = Matrix(rows.rows(), classes);
  result.tie.assign(rows.rows(), false);
  result.outside.assign(rows.rows(), false);
  const auto add = [&](const Explanation& part, std::size_t c, double sign) {
    if (rows.rows() > 0) result.base[c] += sign * part.base[0];
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      result.output(r, c) += sign * part.output[r];
      result.remainder(r, c) += sign * part.remainder[r];
      for (std::size_t d = 0; d < rows.cols(); ++d)
        result.relevance[c](r, d) += sign * part.relevance(r, d);
    }
  };
  for (const Part& part : parts_) {
    const Explanation explanation = part.explainer(rows, first_row);
    add(explanation, part.positive, 1.0);
    if (part.negative) add(explanation, *part.negative, -1.0);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      result.tie[r] = result.tie[r] || explanation.tie[r];
      result.outside[r] = result.outside[r] || explanation.outside[r];
    }
  }
  return result;
}

}  // namespace bisector::detail
