// Notes about the memory and time of a fit before it begins.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "bisector/matrix.h"
#include "bisector/train/learner.h"
#include "bisector/train/tune.h"

namespace bisector::cli {

struct PlannedFit {
  const Learner& learner;
  MatrixView<const double> rows;  // scaled
  const Target& target;
  const std::optional<TuneOptions>& tune;
  std::uint64_t seed = 0;
  unsigned threads = 0;
};

/// Writes a note if the fit needs more than a gigabyte or more than a few seconds of tuning, or has
/// more rows than is practical. Throws InvalidInput if it needs more memory than is available.
void announce_fit(const PlannedFit& fit, std::ostream& notes);

/// "1.6 GB", "25 MB".
std::string bytes_text(std::uint64_t bytes);
/// "40 seconds", "25 minutes", "3 hours".
std::string duration_text(double seconds);

}  // namespace bisector::cli
