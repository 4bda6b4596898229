#include <fmt/format.h>

#include "bisector/error.h"
#include "bisector/explain.h"

namespace bisector {
namespace {

bool speaks_for_prediction(const Explanation& explanation, std::size_t row) {
  if (explanation.prediction.empty()) return explanation.g[row] > 0.0;  // a regressor
  const std::size_t predicted = explanation.prediction[row];
  if (predicted == explanation.positive[row]) return true;
  if (predicted == explanation.negative[row]) return false;
  throw InvalidInput(
      fmt::format("row {} is predicted as a third class, expected one of the two classes that its "
                  "relevance contrasts",
                  row + 1));
}

}  // namespace

Matrix for_predicted(const Explanation& explanation) {
  Matrix relevance = explanation.relevance;
  for (std::size_t r = 0; r < relevance.rows(); ++r) {
    if (speaks_for_prediction(explanation, r)) continue;
    for (double& value : relevance.row(r)) value = -value;
  }
  return relevance;
}

}  // namespace bisector
