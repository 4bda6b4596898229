#include <utility>

#include "bisector/error.h"
#include "bisector/explain.h"

namespace bisector {
namespace {

// Subtracted from zero rather than negated, so that no -0 comes out.
double turned(double value) { return 0.0 - value; }

}  // namespace

std::vector<bool> turn_to_prediction(Explanation& explanation) {
  const std::size_t rows = explanation.relevance.rows();
  if (explanation.prediction.size() != rows)
    throw InvalidInput("signs are to follow the prediction, expected a classifier");
  std::vector<bool> is_turned(rows, false);
  for (std::size_t r = 0; r < rows; ++r) {
    if (explanation.prediction[r] != explanation.negative[r]) continue;
    is_turned[r] = true;
    std::swap(explanation.positive[r], explanation.negative[r]);
    explanation.g[r] = turned(explanation.g[r]);
    explanation.decision[r] = turned(explanation.decision[r]);
    for (double& value : explanation.relevance.row(r)) value = turned(value);
  }
  return is_turned;
}

void turn(Evidence& evidence) {
  std::swap(evidence.positive, evidence.negative);
  evidence.activation = turned(evidence.activation);
  for (double& value : evidence.relevance) value = turned(value);
}

}  // namespace bisector
