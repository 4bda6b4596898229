// Training a Model on rows: scaling, optional tuning, and the fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/model.h"
#include "bisector/table_encoding.h"
#include "bisector/train/learner.h"
#include "bisector/train/scaling.h"
#include "bisector/train/tune.h"

namespace bisector {

/// The largest tables and numbers of classes that train() accepts.
struct FitLimits {
  std::optional<std::size_t> rows = std::nullopt;  // empty: row_limit() of the learner
  std::size_t classes = 100;                       // of a support vector machine
};

/// The rows that a learner is trained on at most. Kernel ridge holds one matrix of rows x rows, and
/// three when it is tuned; some kernels need such a matrix in LIBSVM, too. The time of support
/// vector machines grows at least with the square of the rows. Empty for learners that only store
/// their rows.
BISECTOR_EXPORT std::optional<std::size_t> row_limit(const Learner& learner, bool is_tuned);

struct TrainOptions {
  Scaling scaling = Scaling::standard_median;
  /// Search the grid instead of using the learner's own parameters.
  std::optional<TuneOptions> tune = std::nullopt;
  std::uint64_t seed = 0;  // for the rows of the median distance
  unsigned threads = 0;    // zero: all
  std::vector<std::string> feature_names = {};
  std::optional<TableEncoding> encoding = std::nullopt;  // the table encoding; it has the names
  /// The number of each row in the table that the rows come from, from 0; empty: its position.
  std::vector<std::size_t> row_numbers = {};
  IterationProgress progress = {};  // of the fit; tuning has its own progress
  FitLimits limits = {};
};

struct TrainResult {
  Model model;
  Learner learner;  // as given, or the best of the grid
  std::optional<TuneResult> tuning;
};

/// `rows` NxD in the model's input space. Throws InvalidInput beyond the limits, and as
/// fit_scaling, tune and fit do.
BISECTOR_EXPORT TrainResult train(const Learner& learner, MatrixView<const double> rows,
                                  const Target& target, const TrainOptions& options = {});

}  // namespace bisector
