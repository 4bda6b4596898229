#include "core/evaluate/checks.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"

namespace bisector::detail {

void require_numbers(MatrixView<const double> rows, std::string_view what, double limit) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      // Written so that a NaN fails too.
      if (!(std::abs(rows(r, d)) <= limit))
        throw InvalidInput(fmt::format("{}: row {}, column {} is {}, expected a number within ±{}",
                                       what, r + 1, d + 1, rows(r, d), limit));
    }
  }
}

}  // namespace bisector::detail
