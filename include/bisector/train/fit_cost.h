// Estimates of the memory and time of a fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/train/learner.h"
#include "bisector/train/tune.h"

namespace bisector {

/// The bytes of the matrices and caches that a fit, or its tuning, holds at once, without the rows.
BISECTOR_EXPORT std::uint64_t fit_bytes(const Learner& learner, std::size_t rows,
                                        std::size_t features, bool is_tuned);

/// The number of rows above which an exact solver is slow: 20,000 for kernel ridge, 50,000 for
/// support vector machines. Nothing for learners that only store their rows.
BISECTOR_EXPORT std::optional<std::size_t> practical_rows(const Learner& learner);

/// An estimate of the seconds of a fit from the times of two small samples, drawn with the seed.
/// Rows are not scaled: scale them first. With `tune` it is the time of the whole grid.
BISECTOR_EXPORT double fit_seconds(const Learner& learner, MatrixView<const double> rows,
                                   const Target& target, const std::optional<TuneOptions>& tune,
                                   std::uint64_t seed, unsigned threads = 0);

}  // namespace bisector
