// Which rows a model learns from, and which are held out to score it.
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
  double holdout = 0.0;               // the share that is held out, below 1
  std::optional<std::size_t> sample;  // learn from at most so many of the others
  std::uint64_t seed = 0;
};

/// Draws with the seed. Classes keep their shares in every part, to a row or two, and each has a
/// row to learn from. A sample does not change what is held out. Throws InvalidInput where there
/// are not enough rows for that.
BISECTOR_EXPORT RowSplit split_rows(const Target& target, std::size_t rows,
                                    const RowSplitOptions& options);

/// The targets of some rows.
BISECTOR_EXPORT Target target_of_rows(const Target& target, std::span<const std::size_t> rows);

}  // namespace bisector
