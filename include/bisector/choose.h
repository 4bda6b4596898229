// The most faithful rule for one model. No rule is best everywhere; which one is best for a model
// is measured on some rows of the background, in seconds.
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

/// The rules among which a view chooses. The first is "auto", the fixed choice for this kind of
/// model, even if another rule was measured before. A rule equal to it is left out.
BISECTOR_EXPORT std::vector<Candidate> view_candidates(const Model& model, View view);

/// The position of the result with the lowest mean AUFC; `fixed`, unless that is worse by more than
/// one standard error of the paired differences.
BISECTOR_EXPORT std::size_t winner_beside(std::size_t fixed,
                                          std::span<const PixelFlippingResult> results);

struct ChooseOptions {
  View view = View::model;
  std::size_t rows = 40;     // of the background; evaluated, and left out of both halves
  std::size_t samples = 20;  // imputed rows per measurement
  std::uint64_t seed = 0;
  /// Options of all rules. The background is ignored: the rules see their half.
  ExplainOptions explain;
  /// The same as in PixelFlippingOptions.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct Choice {
  MeasuredMethod measured;  // the winner and all figures, for Model::with_measured
  std::string name;         // of the winner among the candidates
  std::string reason;       // one sentence with its figures
  Evaluation evaluation;    // of view_candidates, in their order, on rows of the background
};

/// Evaluates the view's candidates with disjoint donor rows. Returns the fixed choice, or the
/// candidate with the lowest mean AUFC if that is lower by more than one paired standard error. The
/// result depends on the seed and not on threads. Throws InvalidInput for a background of fewer
/// than options.rows plus twice DonorSplit::kMinHalf rows.
BISECTOR_EXPORT Choice choose(const Model& model, MatrixView<const double> background,
                              const ChooseOptions& options = {});

}  // namespace bisector
