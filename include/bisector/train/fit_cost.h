// What a fit will take, before it takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/train/learner.h"
#include "bisector/train/tune.h"

namespace bisector {

/// Of the matrices and caches that the fit of a learner, or its tuning, holds at once, beside the
/// rows themselves.
BISECTOR_EXPORT std::uint64_t fit_bytes(const Learner& learner, std::size_t rows,
                                        std::size_t features, bool is_tuned);

/// Past these an exact solver is no longer practical: 20,000 rows for kernel ridge, 50,000 for
/// support vector machines. Nothing for learners that only keep their rows.
BISECTOR_EXPORT std::optional<std::size_t> practical_rows(const Learner& learner);

/// About how long the fit takes, from the time that two small samples take, drawn with the seed.
/// Rows are taken as they are: scale them first. With `tune` it is the time of the whole grid.
BISECTOR_EXPORT double fit_seconds(const Learner& learner, MatrixView<const double> rows,
                                   const Target& target, const std::optional<TuneOptions>& tune,
                                   std::uint64_t seed, unsigned threads = 0);

}  // namespace bisector
