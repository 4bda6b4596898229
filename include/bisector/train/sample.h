// Random choice of training rows and held-out rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bisector/export.h"
#include "bisector/train/learner.h"

namespace bisector {

/// Row numbers, ascending.
struct RowSplit {
  std::vector<std::size_t> training, held_out;
  bool operator==(const RowSplit&) const = default;
};

struct RowSplitOptions {
  double holdout = 0.0;               // fraction of the rows held out, below 1
  std::optional<std::size_t> sample;  // largest number of training rows
  std::uint64_t seed = 0;
};

/// Draws with the seed. Classes keep their proportions in every part, up to a row or two, and each
/// class has a training row. A sample does not change the held-out rows. Throws InvalidInput if
/// there are not enough rows.
BISECTOR_EXPORT RowSplit split_rows(const Target& target, std::size_t rows,
                                    const RowSplitOptions& options);

/// The targets of some rows.
BISECTOR_EXPORT Target target_of_rows(const Target& target, std::span<const std::size_t> rows);

}  // namespace bisector
