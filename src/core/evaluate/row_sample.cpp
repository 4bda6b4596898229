#include "core/evaluate/row_sample.h"

#include <algorithm>
#include <numeric>

#include "bisector/random.h"

namespace bisector::detail {

std::vector<std::size_t> sample_rows(std::size_t rows, std::size_t limit, std::uint64_t seed) {
  std::vector<std::size_t> chosen(rows);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (rows > limit) {
    Random(seed).shuffle(std::span(chosen));
    chosen.resize(limit);
    std::ranges::sort(chosen);
  }
  return chosen;
}

Matrix gather(MatrixView<const double> rows, std::span<const std::size_t> chosen) {
  Matrix result(chosen.size(), rows.cols());
  for (std::size_t r = 0; r < chosen.size(); ++r)
    std::ranges::copy(rows.row(chosen[r]), result.row(r).begin());
  return result;
}

}  // namespace bisector::detail
