// Properties of every model that was read.
#pragma once

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include "bisector/explain.h"
#include "bisector/io/model_file.h"
#include "bisector/model.h"
#include "bisector/predict.h"
#include "property.h"

namespace bisector::fuzz {

inline bool is_same(const Explanation& a, const Explanation& b) {
  const auto equal = [](const std::vector<double>& x, const std::vector<double>& y) {
    return std::ranges::equal(x, y, [](double u, double v) { return is_same(u, v); });
  };
  return is_same(a.relevance, b.relevance) && equal(a.g, b.g) && equal(a.decision, b.decision) &&
         equal(a.value, b.value) && a.prediction == b.prediction && a.positive == b.positive &&
         a.negative == b.negative && a.tie == b.tie && equal(a.base, b.base) &&
         equal(a.remainder, b.remainder) && a.outside == b.outside;
}

/// A few points of a model as rows for it, some of them moved.
inline Matrix rows_for(const Model& model) {
  constexpr std::size_t kRows = 3;
  Matrix rows(kRows, model.features());
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      const double at_point =
          d < model.points().cols() ? model.points()(r % model.points().rows(), d) : 0.0;
      rows(r, d) = std::clamp(at_point, -1e100, 1e100) + 0.25 * static_cast<double>(r);
    }
  }
  return rows;
}

/// The explanation of a few rows, or the reason for its absence: a model may have an empty pool.
inline std::optional<Explanation> explained(const Model& model) {
  ExplainOptions options;
  options.threads = 1;
  return attempt([&] { return explain(model, rows_for(model), EtaRule{}, options); });
}

/// More would only cost time.
inline bool is_small(const Model& model) {
  constexpr std::size_t kLargest = 2048;  // numbers
  return model.points().values().size() <= kLargest && model.features() <= kLargest &&
         model.input().matrix().values().size() <= kLargest;
}

inline void require_same(const std::optional<Explanation>& of_model,
                         const std::optional<Explanation>& of_copy) {
  require(of_model.has_value() == of_copy.has_value(), "a copy is explained where the model is");
  if (of_model) require(is_same(*of_model, *of_copy), "a copy explains identically");
}

inline void require_explains_alike(const Model& model, const Model& copy) {
  if (is_small(model)) require_same(explained(model), explained(copy));
}

}  // namespace bisector::fuzz
