// A uniform sample of a stream of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bisector/random.h"

namespace bisector::report {

class RowReservoir {
 public:
  RowReservoir(std::size_t size, std::uint64_t seed) : size_(size), random_(seed) {}

  /// The position of the next row, which may replace an earlier row; empty if it is not kept.
  std::optional<std::size_t> place() {
    const std::size_t seen = seen_++;
    if (seen < size_) return seen;
    const std::size_t drawn = random_.below(seen + 1);
    return drawn < size_ ? std::optional(drawn) : std::nullopt;
  }

 private:
  std::size_t size_, seen_ = 0;
  Random random_;
};

}  // namespace bisector::report
