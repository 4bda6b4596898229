// Training a Model on rows: scaling, optional tuning, and the fit.
#pragma once

#include <cstdint>
#include <functional>
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
  /// Called with the scaled rows before the work begins, for example to estimate its cost.
  std::function<void(MatrixView<const double> scaled)> before = {};
};

struct TrainResult {
  Model model;
  Learner learner;  // as given, or the best of the grid
  std::optional<TuneResult> tuning;
};

/// `rows` NxD in the model's input space. Throws as fit_scaling, tune and fit do.
BISECTOR_EXPORT TrainResult train(const Learner& learner, MatrixView<const double> rows,
                                  const Target& target, const TrainOptions& options = {});

}  // namespace bisector
