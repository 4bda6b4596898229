#include "core/contrast/batches.h"

#include <fmt/format.h>

#include <limits>

#include "bisector/error.h"

namespace bisector::detail {

std::vector<double> evaluate_rows(const BatchFunction& function, MatrixView<const double> rows) {
  std::vector<double> values(rows.rows());
  const std::size_t capacity = batch_rows(rows.cols());
  for (std::size_t first = 0; first < rows.rows(); first += capacity) {
    const std::size_t size = std::min(capacity, rows.rows() - first);
    function(rows.rows(first, size), std::span(values).subspan(first, size));
  }
  return values;
}

void require_reference(MatrixView<const double> rows, std::span<const double> reference) {
  if (reference.size() != rows.cols())
    throw InvalidInput(
        fmt::format("the reference has {} features, the data {}", reference.size(), rows.cols()));
  if (rows.cols() == 0) throw InvalidInput("data of no features, expected at least one");
}

std::size_t checked_product(std::initializer_list<std::size_t> factors) {
  constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max() / (2 * sizeof(double));
  std::size_t product = 1;
  for (const std::size_t factor : factors) {
    if (factor != 0 && product > kMax / factor)
      throw InvalidInput(fmt::format("{} evaluations for each batch of rows, expected fewer",
                                     fmt::join(factors, " x ")));
    product *= factor;
  }
  return product;
}

void require_some(std::size_t count, std::string_view what) {
  if (count == 0) throw InvalidInput(fmt::format("0 {}, expected at least one", what));
}

}  // namespace bisector::detail
