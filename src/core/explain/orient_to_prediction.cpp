#include <utility>
#include <vector>

#include "bisector/explain.h"

namespace bisector {
namespace {

// Subtracted from zero rather than negated, so that no -0 comes out.
double reversed(double value) { return 0.0 - value; }

bool speaks_against_prediction(const Explanation& explanation, std::size_t row) {
  if (explanation.prediction.empty()) return !(explanation.g[row] > 0.0);  // a regressor
  return explanation.prediction[row] == explanation.negative[row];
}

}  // namespace

std::vector<bool> orient_to_prediction(Explanation& explanation) {
  std::vector<bool> is_reversed(explanation.relevance.rows(), false);
  for (std::size_t r = 0; r < is_reversed.size(); ++r) {
    if (!speaks_against_prediction(explanation, r)) continue;
    is_reversed[r] = true;
    if (!explanation.prediction.empty())
      std::swap(explanation.positive[r], explanation.negative[r]);
    explanation.g[r] = reversed(explanation.g[r]);
    for (std::vector<double>* values :
         {&explanation.decision, &explanation.output, &explanation.base, &explanation.remainder,
          &explanation.correction})
      (*values)[r] = reversed((*values)[r]);
    for (double& value : explanation.relevance.row(r)) value = reversed(value);
  }
  return is_reversed;
}

void reverse(Evidence& evidence) {
  std::swap(evidence.positive, evidence.negative);
  evidence.activation = reversed(evidence.activation);
  for (double& value : evidence.relevance) value = reversed(value);
}

}  // namespace bisector
