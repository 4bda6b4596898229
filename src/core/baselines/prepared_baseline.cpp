#include <numeric>
#include <type_traits>

#include "core/baselines/baselines.h"
#include "core/contrast/batches.h"
#include "core/contrast/reference_rows.h"

namespace bisector::detail {
namespace {

template <class M>
concept IsBaseline = requires(const M& method, const BaselineInput& input) {
  make_baseline(method, input);
};

}  // namespace

std::unique_ptr<const PreparedBaseline> PreparedBaseline::make(const Method& method,
                                                               const Contrasts& contrasts,
                                                               const ExplainOptions& options,
                                                               OptionalRows background,
                                                               std::span<const double> reference) {
  std::unique_ptr<PreparedBaseline> result;
  std::visit(
      [&]<class M>(const M& own) {
        if constexpr (IsBaseline<M>) {
          result.reset(new PreparedBaseline(contrasts));
          result->prepare(own, options, background, reference);
        }
      },
      method);
  return result;
}

template <class M>
void PreparedBaseline::prepare(const M& method, const ExplainOptions& options,
                               OptionalRows background, std::span<const double> reference) {
  if constexpr (requires { method.output; }) {
    output_ = method.output;
    contrasts_.require_output(output_);
  }
  if constexpr (requires { method.references; }) {
    if (method.references)
      references_ =
          balanced_references(contrasts_.model(), background, *method.references, method.seed);
  }
  // A reference that was asked for takes precedence over the background.
  const bool over_background = background && options.reference.kind == Reference::Kind::automatic;
  const MatrixView<const double> alone(reference.data(), 1, reference.size());
  const BaselineInput input{contrasts_, reference,
                            references_.rows() > 0                  ? references_.view()
                            : over_background && options.background ? options.background->view()
                            : over_background                       ? *background
                                                                    : alone,
                            options.players};
  baseline_ = make_baseline(method, input);
  is_drawn_ = std::is_same_v<M, SampledShapley> || references_.rows() > 1;
  base_rows_ = std::is_same_v<M, ExactShapley> ? input.references : alone;
}

double PreparedBaseline::base(Model::ClassPair pair) const {
  return bases_.get(pair, [this](Model::ClassPair own) {
    const std::vector<double> values =
        evaluate_rows(contrasts_.of(own).function(output_), base_rows_);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return std::make_unique<const double>(sum / static_cast<double>(values.size()));
  });
}

}  // namespace bisector::detail
