// The library inside a report's page: a model, and the explanation of one row at a time. Built by
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
#include "report/page/packed_model.h"

// Highway's own looks at the processor; whatever was compiled for a page runs in it.
namespace hwy {
std::int64_t SupportedTargets() { return HWY_TARGETS; }
}  // namespace hwy

namespace {

std::vector<double> room, result;
std::optional<bisector::report::PackedExplainer> packed;
std::map<std::pair<int, int>, bisector::Explainer> explainers;  // by the classes that are compared

/// Negative: whichever the options and the row ask for.
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
double* engine_room(std::size_t count) {
  room.resize(count);
  return room.data();
}

/// Takes the packed model from the room; returns how many features a row has.
std::size_t engine_load(std::size_t count) {
  packed = bisector::report::unpack({room.data(), count});
  explainers.clear();
  explainer_of(-1, -1);  // so that an unusable model is refused now
  return packed->model.features();
}

/// Explains the row in the room: g, decision, value, prediction, positive, negative, tie, base,
/// outside, and the relevance of every feature. The classes that are compared are given by their
/// positions, or follow the row where they are negative.
const double* engine_explain(int positive, int negative) {
  const bisector::Explanation e =
      explainer_of(positive, negative)({room.data(), 1, packed->model.features()});
  result = {e.g[0],
            e.decision[0],
            entry(e.value),
            entry(e.prediction),
            entry(e.positive),
            entry(e.negative),
            e.tie[0] ? 1.0 : 0.0,
            e.base[0],
            e.outside[0] ? 1.0 : 0.0};
  const auto relevance = e.relevance.row(0);
  result.insert(result.end(), relevance.begin(), relevance.end());
  return result.data();
}

}  // extern "C"
