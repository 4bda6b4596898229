// Which rule is the most faithful one for this very model? No rule is best everywhere, but which
// one is can be measured on rows that the model was not asked about, in seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bisector/evaluate.h"
#include "bisector/explain.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/model.h"

namespace bisector {

/// The rules among which a view chooses; the first is "auto", the fixed choice for this kind of
/// model, whatever was measured for it before. A rule equal to that does not come twice.
BISECTOR_EXPORT std::vector<Candidate> view_candidates(const Model& model, View view);

/// The position of the result with the lowest mean AUFC; `fixed`, unless that is worse by more than
/// one standard error of the paired differences.
BISECTOR_EXPORT std::size_t winner_beside(std::size_t fixed,
                                          std::span<const PixelFlippingResult> results);

struct ChooseOptions {
  View view = View::model;
  std::size_t rows = 40;     // of the background: evaluated, and left out of both halves
  std::size_t samples = 20;  // completed rows per measurement
  std::uint64_t seed = 0;
  /// Of all rules. Its background is not used: the rules see their half.
  ExplainOptions explain;
  /// As PixelFlippingOptions has it.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct Choice {
  MeasuredMethod measured;  // the winner and all figures, for Model::with_measured
  std::string name;         // of the winner among the candidates
  std::string reason;       // one sentence with its figures
  Evaluation evaluation;    // of view_candidates, in their order; rows are the background's
};

/// Evaluates the view's candidates with disjoint donors and returns the one with the lowest mean
/// AUFC; the fixed choice, unless it is worse than that by more than one paired standard error. The
/// same for the same seed, whatever the threads. Throws InvalidInput for a background of fewer than
/// options.rows and twice DonorSplit::kMinHalf rows.
BISECTOR_EXPORT Choice choose(const Model& model, MatrixView<const double> background,
                              const ChooseOptions& options = {});

}  // namespace bisector
