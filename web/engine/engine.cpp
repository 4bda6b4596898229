// The library inside a report page: it explains and predicts rows of one model. It is built by
// emscripten; web/src/engine.ts calls it.
#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/predict.h"
#include "report/page/packed_model.h"

// Highway's own version inspects the processor; a page runs the target that was compiled.
namespace hwy {
std::int64_t SupportedTargets() { return HWY_TARGETS; }
}  // namespace hwy

namespace {

std::vector<double> buffer, result;
std::optional<bisector::report::PackedExplainer> packed;
std::map<std::pair<int, int>, bisector::Explainer> explainers;  // by the compared classes
std::optional<bisector::DecisionFunction> decide;

/// Negative positions leave the choice of the class to the options and the row.
const bisector::Explainer& explainer_of(int positive, int negative) {
  const auto known = explainers.find({positive, negative});
  if (known != explainers.end()) return known->second;
  bisector::ExplainOptions options = packed->options;
  const std::vector<std::string> labels = packed->model.labels();
  if (positive >= 0) options.positive_class = labels.at(static_cast<std::size_t>(positive));
  if (negative >= 0) options.versus = labels.at(static_cast<std::size_t>(negative));
  return explainers
      .emplace(std::pair(positive, negative),
               bisector::Explainer(packed->model, packed->method, options))
      .first->second;
}

template <class T>
double entry(const std::vector<T>& values) {
  return values.empty() ? 0.0 : static_cast<double>(values[0]);
}

}  // namespace

extern "C" {

/// Memory for `count` numbers, which the page fills before the next call.
double* engine_buffer(std::size_t count) {
  buffer.resize(count);
  return buffer.data();
}

/// Reads the packed model from the buffer and returns its number of features.
std::size_t engine_load(std::size_t count) {
  packed = bisector::report::unpack({buffer.data(), count});
  explainers.clear();
  explainer_of(-1, -1);  // refuses an unusable model now
  decide.emplace(packed->model);
  return packed->model.features();
}

/// Explains the row in the buffer: output, base, remainder, decision, value, prediction, positive,
/// negative, tie, outside, and the relevance of every feature. Positions of the compared classes
/// may be negative; the row then determines them.
const double* engine_explain(int positive, int negative) {
  const bisector::Explanation e =
      explainer_of(positive, negative)({buffer.data(), 1, packed->model.features()});
  result = {e.output[0],          e.base[0],
            e.remainder[0],       e.decision[0],
            entry(e.value),       entry(e.prediction),
            entry(e.positive),    entry(e.negative),
            e.tie[0] ? 1.0 : 0.0, e.outside[0] ? 1.0 : 0.0};
  const auto relevance = e.relevance.row(0);
  result.insert(result.end(), relevance.begin(), relevance.end());
  return result.data();
}

/// Predicts `count` rows in the buffer: the first decision value of each, or a regressor's value.
const double* engine_predict(std::size_t count) {
  const bisector::Predictions made = (*decide)({buffer.data(), count, packed->model.features()});
  result.resize(count);
  for (std::size_t r = 0; r < count; ++r) result[r] = made.decisions(r, 0);
  return result.data();
}

}  // extern "C"
