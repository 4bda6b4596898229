#include "core/linalg/value_product.h"

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace bisector::linalg {
namespace {

/// Values of at most this many bytes are kept packed in both precisions: they stay in the cache.
constexpr std::size_t kSmallValues = 1u << 20;

}  // namespace

template <class T>
ValueProduct<T>::ValueProduct(SharedPoints points, std::optional<SharedMatrix> values,
                              std::size_t moments)
    : points_(std::move(points)), values_(std::move(values)) {
  const std::size_t columns = values_ ? (*values_)->cols() : moments * points_->features();
  const std::size_t bytes =
      points_->size() * round_up(columns, PackedMatrix<T>::kWidth) * sizeof(T);
  if (std::is_same_v<T, float> || bytes <= kSmallValues) pack(columns);
}

template <class T>
void ValueProduct<T>::pack(std::size_t columns) {
  const PointSet& points = *points_;
  const std::size_t features = points.features();
  packed_ =
      PackedMatrix<T>::of_rows(points.size(), columns, [&](std::size_t n, std::span<double> row) {
        if (values_) {
          std::ranges::copy((*values_)->row(n), row.begin());
          return;
        }
        for (std::size_t d = 0; d < features; ++d) {
          row[d] = points[n][d] - points.center()[d];
          if (columns > features) row[features + d] = row[d] * row[d];
        }
      });
}

/// An odd number of cache lines, so that rows do not share the same sets of the cache.
template <class T>
std::size_t ValueProduct<T>::stride(std::size_t columns) {
  constexpr std::size_t kLine = 64 / sizeof(T);
  return (round_up(columns, PackedMatrix<T>::kWidth) / kLine | 1) * kLine;
}

template <class T>
void ValueProduct<T>::add(const T* weights, std::size_t weight_stride, std::size_t rows,
                          std::size_t first, std::size_t count, std::size_t columns,
                          bool accumulate, T* sums) const {
  if (packed_) {
    simd::kernels<T>().multiply(weights, weight_stride, rows, packed_->from_row(first),
                                packed_->panel_stride(), count, columns, sums, stride(columns),
                                accumulate);
    return;
  }
  // Given values are treated as points relative to zero.
  std::array<const double*, kLongestTile> starts;
  for (std::size_t n = 0; n < count; ++n)
    starts[n] = (values_ ? (*values_)->row(first + n) : (*points_)[first + n]).data();
  const std::vector<double> zeros(values_ ? columns : 0, 0.0);
  const std::size_t width = values_ ? columns : points_->features();
  simd::kernels<T>().multiply_moments(weights, weight_stride, rows, starts.data(), count,
                                      values_ ? zeros.data() : points_->center().data(), width,
                                      columns > width, sums, stride(columns), accumulate);
}

template class ValueProduct<double>;
template class ValueProduct<float>;

}  // namespace bisector::linalg
