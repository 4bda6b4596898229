#include <algorithm>
#include <numeric>
#include <optional>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "bisector/methods.h"
#include "core/explain/requirements.h"
#include "core/explain/settings.h"
#include "core/models/rows.h"
#include "core/neuralize/pair_groups.h"
#include "core/neuralize/pair_machine.h"
#include "core/neuralize/per_pair.h"
#include "core/neuralize/ranked_function.h"
#include "core/neuralize/soft_function.h"

namespace bisector {

using namespace detail;

namespace {

using ClassPair = Model::ClassPair;

/// For baselines: the cheapest rule, which decides about predictions and pairs as every other.
Explainer make_explainer(const Model& model, Method method, const MethodOptions& options) {
  require_defined(model, method, options);
  if (method == Method::lrp_path)
    return Explainer(model, options.explain, PathRule{options.path_steps});
  ExplainOptions explain = options.explain;
  if (!is_lrp(method)) explain.eta = 0.0;
  return Explainer(model, explain);
}

/// What the baselines explain, for one pair of classes.
struct Target {
  BatchFunction value;
  BatchGradient gradient;  // kernel machines
};

}  // namespace

class MethodExplainer::Implementation {
 public:
  Implementation(const Model& model, Method method, const MethodOptions& options)
      : model_(model),
        method_(method),
        options_(options),
        explainer_(make_explainer(model, method, options)) {
    if (!is_lrp(method) && has_ranked_pools(model)) ranked_.emplace(model, options.explain.threads);
  }

  Explanation explain(MatrixView<const double> rows, std::size_t first_row) const {
    Explanation result = explainer_(rows);
    if (is_lrp(method_)) return result;
    for (const auto& [classes, members] : groups(result)) {
      std::vector<std::size_t> numbers = members;
      for (std::size_t& number : numbers) number += first_row;
      const Matrix part =
          relevance({classes.first, classes.second}, gathered(rows, members).view(), numbers);
      for (std::size_t m = 0; m < members.size(); ++m)
        std::ranges::copy(part.row(m), result.relevance.row(members[m]).begin());
    }
    return result;
  }

  Method method() const { return method_; }
  const ExplainSettings& settings() const { return explainer_.settings(); }

 private:
  bool in_single_precision() const { return options_.explain.precision == Precision::f32; }
  double level() const { return settings().level.value_or(0.0); }

  /// Rows that share a contrast; a regressor has one for all.
  PairGroups groups(const Explanation& explanation) const {
    if (!model_.is_regressor()) return group_by_pair(explanation.positive, explanation.negative);
    std::vector<std::size_t> all(explanation.g.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {{{0, 1}, std::move(all)}};
  }

  /// The baseline's relevance for rows that share a pair of classes.
  Matrix relevance(ClassPair pair, MatrixView<const double> rows,
                   std::span<const std::size_t> row_numbers) const {
    if (method_ == Method::shapley_exact) return exact_shapley(pair, rows);
    const Target f = target(pair);
    const std::span<const double> reference = settings().reference;
    switch (method_) {
      case Method::gradient_times_input:
        return gradient_times_input(f.gradient, rows, reference);
      case Method::integrated_gradients:
        return integrated_gradients(f.gradient, rows, reference, options_.steps);
      case Method::sensitivity:
        return sensitivity(f.value, f.gradient, rows);
      case Method::occlusion:
        return occlusion(f.value, rows, reference);
      case Method::shapley_sampling:
        return shapley_sampling(f.value, rows, reference, {options_.sequences, options_.seed},
                                row_numbers);
      default:
        throw InvalidInput("no baseline, expected one");
    }
  }

  Target target(ClassPair pair) const {
    if (ranked_) {
      const auto compute = options_.on == Explained::g       ? &RankedFunction::g
                           : options_.on == Explained::votes ? &RankedFunction::votes
                                                             : &RankedFunction::f;
      return {[this, compute, pair](auto rows, auto values) {
                ((*ranked_).*compute)(pair, rows, values);
              },
              nullptr};
    }
    const SoftFunction& contrast = soft_function(pair);
    const bool on_g = options_.on == Explained::g;
    const auto value = on_g ? &SoftFunction::g : &SoftFunction::f;
    const auto slope = on_g ? &SoftFunction::g_gradient : &SoftFunction::f_gradient;
    return {[&contrast, value](auto rows, auto values) { (contrast.*value)(rows, values); },
            [&contrast, slope](auto rows, auto gradients) { (contrast.*slope)(rows, gradients); }};
  }

  const SoftFunction& soft_function(ClassPair pair) const {
    return soft_.get(pair, [this](ClassPair of) {
      return std::make_unique<const SoftFunction>(model_, of, level(), in_single_precision(),
                                                  options_.explain.threads);
    });
  }

  /// Shapley values of scaled features are those of the features, so all happens in the model's
  /// space.
  Matrix exact_shapley(ClassPair pair, MatrixView<const double> rows) const {
    const ExactShapley& shapley = exact_.get(pair, [this](ClassPair of) {
      const ModelRows background =
          preprocessed(model_.input(), shapley_background(), model_.model_features());
      return std::make_unique<const ExactShapley>(pair_machine(model_, of, level()),
                                                  background.copy(), options_.explain.threads);
    });
    return shapley(preprocessed(model_.input(), rows, model_.model_features()).view());
  }

  /// A reference that was asked for goes before the background.
  MatrixView<const double> shapley_background() const {
    const ExplainOptions& explain = options_.explain;
    if (explain.background && explain.reference.kind == Reference::Kind::automatic)
      return explain.background->view();
    const std::vector<double>& reference = settings().reference;
    return {reference.data(), 1, reference.size()};
  }

  Model model_;
  Method method_;
  MethodOptions options_;
  Explainer explainer_;
  std::optional<RankedFunction> ranked_;  // baselines of neighbours and centroids
  PerPair<SoftFunction> soft_;            // baselines of kernel machines
  PerPair<ExactShapley> exact_;
};

MethodExplainer::MethodExplainer(const Model& model, Method method, const MethodOptions& options)
    : implementation_(std::make_unique<Implementation>(model, method, options)) {}
MethodExplainer::MethodExplainer(MethodExplainer&&) noexcept = default;
MethodExplainer& MethodExplainer::operator=(MethodExplainer&&) noexcept = default;
MethodExplainer::~MethodExplainer() = default;

Explanation MethodExplainer::operator()(MatrixView<const double> rows,
                                        std::size_t first_row) const {
  return implementation_->explain(rows, first_row);
}
Method MethodExplainer::method() const { return implementation_->method(); }
const ExplainSettings& MethodExplainer::settings() const { return implementation_->settings(); }

}  // namespace bisector
