// The library inside a report's page: a model, and the explanation of one row at a time. Built by
// emscripten; web/src/engine.ts calls it.
#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bisector/explain.h"
#include "report/page/packed_model.h"

// Highway's own looks at the processor; whatever was compiled for a page runs in it.
namespace hwy {
std::int64_t SupportedTargets() { return HWY_TARGETS; }
}  // namespace hwy

namespace {

std::vector<double> room, result;
std::optional<bisector::Explainer> explainer;
std::size_t features = 0;

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
  const auto packed = bisector::report::unpack({room.data(), count});
  explainer.emplace(packed.model, packed.method, packed.options);
  features = packed.model.features();
  return features;
}

/// Explains the row in the room: g, decision, value, prediction, positive, negative, tie, base,
/// outside, and the relevance of every feature.
const double* engine_explain() {
  const bisector::Explanation e = (*explainer)({room.data(), 1, features});
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
