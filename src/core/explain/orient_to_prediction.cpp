#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "bisector/explain.h"

namespace bisector {
namespace {

// Subtracted from 0, not negated, so that the result is never -0.
double reversed(double value) { return 0.0 - value; }

bool supports_another(const Explanation& explanation, std::size_t row) {
  const bool is_regressor = explanation.prediction.empty();
  if (is_regressor) return explanation.unit == Unit::g && !(explanation.g[row] > 0.0);
  return explanation.prediction[row] == explanation.negative[row];
}

}  // namespace

std::vector<bool> orient_to_prediction(Explanation& explanation) {
  std::vector<bool> is_reversed(explanation.relevance.rows(), false);
  for (std::size_t r = 0; r < is_reversed.size(); ++r) {
    if (!supports_another(explanation, r)) continue;
    is_reversed[r] = true;
    if (!explanation.prediction.empty())
      std::swap(explanation.positive[r], explanation.negative[r]);
    explanation.g[r] = reversed(explanation.g[r]);
    for (std::vector<double>* values :
         {&explanation.decision, &explanation.output, &explanation.base, &explanation.remainder,
          &explanation.correction})
      (*values)[r] = reversed((*values)[r]);
    for (double& value : explanation.relevance.row(r)) value = reversed(value);
    // Positive and negative relevance are exchanged.
    explanation.stretch[r] =
        std::min(1.0 / explanation.stretch[r], std::numeric_limits<double>::max());
  }
  return is_reversed;
}

void reverse(Evidence& evidence) {
  std::swap(evidence.positive, evidence.negative);
  evidence.activation = reversed(evidence.activation);
  for (double& value : evidence.relevance) value = reversed(value);
}

}  // namespace bisector
