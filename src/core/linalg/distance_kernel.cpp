#include "core/linalg/distance_kernel.h"

#include "core/linalg/row_distance.h"
#include "core/simd/kernels.h"

namespace bisector::linalg {

bool has_kernel(const Distance& distance) {
  return has_exact_kernel(distance) || is_minkowski(distance);
}

bool has_exact_kernel(const Distance& distance) {
  const bool is_product = is_minkowski(distance) && Distance::is_product(distance.power());
  return is_plain_manhattan(distance) || is_of_categories(distance) || is_product;
}

void kernel_sums(const Distance& distance, MatrixView<const double> rows, const double* panels,
                 std::size_t panel_stride, std::size_t columns, double* sums, std::size_t stride) {
  const auto& kernels = simd::kernels<double>();
  if (is_of_categories(distance))
    kernels.category_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                               rows.cols(), columns, distance.categories().data(), sums, stride);
  else if (is_plain_manhattan(distance))
    kernels.absolute_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                               rows.cols(), columns, sums, stride, false);
  else
    kernels.power_distances(rows.data(), rows.stride(), rows.rows(), panels, panel_stride,
                            rows.cols(), columns, distance.power(), nullptr, sums, stride);
}

}  // namespace bisector::linalg
