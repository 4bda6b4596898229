#include "core/util/row_sample.h"

#include <algorithm>
#include <numeric>

#include "bisector/random.h"

namespace bisector::util {

std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed) {
  std::vector<std::size_t> chosen(rows);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (rows > limit) {
    Random(seed).shuffle(std::span(chosen));
    chosen.resize(limit);
    chosen.shrink_to_fit();
    std::ranges::sort(chosen);
  }
  return chosen;
}

}  // namespace bisector::util
