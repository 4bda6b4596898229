#include "bisector/explain.h"

#include <memory>
#include <mutex>

#include "core/explain/all_classes.h"
#include "core/explain/contrast_gradients.h"
#include "core/explain/model_explainer.h"

namespace bisector {

class Explainer::Implementation {
 public:
  Implementation(const Model& model, const Method& method, const ExplainOptions& options)
      : pair(model, method, options) {}

  const detail::AllClasses& all_classes() const {
    std::call_once(once_, [this] { all_ = std::make_unique<const detail::AllClasses>(pair); });
    return *all_;
  }

  const detail::ModelExplainer pair;

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const detail::AllClasses> all_;
};

Explainer::Explainer(const Model& model, const Method& method, const ExplainOptions& options)
    : implementation_(std::make_shared<const Implementation>(model, method, options)) {}

Explanation Explainer::operator()(MatrixView<const double> rows, std::size_t first_row) const {
  return implementation_->pair.explain(rows, first_row);
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
ClassExplanations Explainer::all_classes(MatrixView<const double> rows,
                                         std::size_t first_row) const {
  return implementation_->all_classes()(rows, first_row);
}
ContrastGradients Explainer::gradients(MatrixView<const double> rows,
                                       std::span<const Model::ClassPair> pairs) const {
  return detail::contrast_gradients(implementation_->pair.contrasts(), rows, pairs);
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

}  // namespace bisector
