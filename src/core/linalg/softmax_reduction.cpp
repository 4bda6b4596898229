#include "core/linalg/softmax_reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/util/parallel.h"

namespace bisector::linalg {
namespace {

/// The most points per tile. A tile of scores (rows x points) and a panel of values stay in the
/// second-level cache; where the sums of both moments do not, longer tiles fetch them less often.
template <class T>
std::size_t longest_tile_of(std::size_t features) {
  constexpr std::size_t kSecondLevel = 512 * 1024;
  return kRowTile * 2 * features * sizeof(T) > kSecondLevel ? kLongestTile : kLongestTile / 2;
}

/// The exponent of a padding point: finite, and far below that of any point.
template <class T>
constexpr T kNegligible = -std::numeric_limits<T>::max() / 4;

}  // namespace

template <class T>
void SoftmaxState<T>::merge(const SoftmaxState& other) {
  const std::size_t rows = sum.size();
  for (std::size_t r = 0; r < rows; ++r) {
    const double high = std::max(largest[r], other.largest[r]);
    const double own = std::exp(largest[r] - high), others = std::exp(other.largest[r] - high);
    largest[r] = high;
    sum[r] = own * sum[r] + others * other.sum[r];
    T* to = weighted.data() + r * stride;
    const T* from = other.weighted.data() + r * stride;
    for (std::size_t v = 0; v < stride; ++v)
      to[v] = static_cast<T>(own) * to[v] + static_cast<T>(others) * from[v];
  }
}

template <class T>
SoftmaxReduction<T>::SoftmaxReduction(std::shared_ptr<const PointPanels<T>> panels,
                                      std::span<const double> log_weights, double gamma,
                                      std::optional<SharedMatrix> values, std::size_t moments)
    : panels_(std::move(panels)),
      longest_tile_(longest_tile_of<T>(panels_->points().features())),
      values_(panels_->shared_points(), std::move(values), moments),
      product_bias_(round_up(size(), PackedMatrix<T>::kWidth), kNegligible<T>),
      // Single precision uses inner products only.
      difference_bias_(std::is_same_v<T, double> ? product_bias_.size() : 0, kNegligible<T>),
      gamma_(gamma) {
  for (std::size_t n = 0; n < size(); ++n) {
    const double squared = panels_->points().squared_norm(n);
    product_bias_[n] = static_cast<T>(log_weights[n] - gamma * squared);
    if (!difference_bias_.empty()) difference_bias_[n] = static_cast<T>(log_weights[n]);
  }
}

template <class T>
SoftmaxState<T> SoftmaxReduction<T>::reduce(MatrixView<const T> rows, DistanceForm form,
                                            std::size_t value_columns, unsigned threads) const {
  const std::size_t numbers = rows.rows() * ValueProduct<T>::stride(value_columns);
  return merge_shards(threads, numbers, [&](std::size_t first, std::size_t count) {
    return reduce_shard(rows, form, value_columns, first, count);
  });
}

template <class T>
SoftmaxState<T> SoftmaxReduction<T>::reduce_on_lines(MatrixView<const T> rows,
                                                     const Lines<T>& lines,
                                                     std::size_t value_columns,
                                                     unsigned threads) const {
  const std::size_t numbers =
      rows.rows() * lines.steps.size() * ValueProduct<T>::stride(value_columns);
  return merge_shards(threads, numbers, [&](std::size_t first, std::size_t count) {
    return reduce_shard_on_lines(rows, lines, value_columns, first, count);
  });
}

template <class T>
template <class ReduceShard>
SoftmaxState<T> SoftmaxReduction<T>::merge_shards(unsigned threads, std::size_t numbers,
                                                  const ReduceShard& reduce_shard) const {
  if (size() <= kPointShard) return reduce_shard(std::size_t{0}, size());
  const std::size_t shards = (size() + kPointShard - 1) / kPointShard;
  // As many shards per round as have states of a few megabytes, because threads start per round.
  constexpr std::size_t kHeld = std::size_t{1} << 19;
  const std::size_t least = 4 * util::resolve_threads(threads);
  const std::size_t together = threads == 1 ? 1 : std::max(least, kHeld / (numbers + 1));
  std::optional<SoftmaxState<T>> total;
  for (std::size_t begin = 0; begin < shards; begin += together) {
    std::vector<SoftmaxState<T>> states(std::min(together, shards - begin));
    util::parallel_for(states.size(), threads, [&] {
      return [&](std::size_t s) {
        const std::size_t first = (begin + s) * kPointShard;
        states[s] = reduce_shard(first, std::min(kPointShard, size() - first));
      };
    });
    for (SoftmaxState<T>& state : states) {
      if (total)
        total->merge(state);
      else
        total = std::move(state);
    }
  }
  return std::move(*total);
}

template <class T>
SoftmaxState<T> SoftmaxReduction<T>::reduce_shard(MatrixView<const T> rows, DistanceForm form,
                                                  std::size_t value_columns, std::size_t first,
                                                  std::size_t count) const {
  const auto& kernels = simd::kernels<T>();
  const bool by_products = form == DistanceForm::inner_products;
  const auto distance = by_products ? kernels.multiply : kernels.squared_distances;
  const T scale = static_cast<T>(by_products ? 2.0 * gamma_ : -gamma_);
  const T* bias = by_products ? product_bias_.data() : difference_bias_.data();

  SoftmaxState<T> state = empty_state(rows.rows(), value_columns);
  const std::size_t tile = tile_size(count);
  AlignedVector<T> scores(rows.rows() * tile), buffer;
  for (std::size_t begin = first; begin < first + count; begin += tile) {
    const std::size_t size = std::min(tile, first + count - begin);
    const std::size_t padded = round_up(size, PackedMatrix<T>::kWidth);
    const std::size_t together = panels_->packed_together(padded);
    for (std::size_t part = 0; part < size; part += together) {
      const std::size_t points = std::min(together, size - part);
      distance(rows.data(), rows.stride(), rows.rows(), panels_->tile(begin + part, points, buffer),
               panels_->stride(), rows.cols(), round_up(points, PackedMatrix<T>::kWidth),
               scores.data() + part, tile, false);
    }
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      T* const row_scores = scores.data() + r * tile;
      const double largest = kernels.scale_and_max(row_scores, bias + begin, scale, padded);
      weigh(r, largest, row_scores, padded, value_columns, state);
    }
    if (value_columns > 0)
      values_.add(scores.data(), tile, rows.rows(), begin, size, value_columns, begin > first,
                  state.weighted.data());
  }
  return state;
}

template <class T>
SoftmaxState<T> SoftmaxReduction<T>::reduce_shard_on_lines(MatrixView<const T> rows,
                                                           const Lines<T>& lines,
                                                           std::size_t value_columns,
                                                           std::size_t first,
                                                           std::size_t count) const {
  const auto& kernels = simd::kernels<T>();
  const std::size_t steps = lines.steps.size();
  // Rows whose steps make a tile of scores together.
  const std::size_t group = std::clamp<std::size_t>(kRowTile / steps, 1, rows.rows());
  const double scale = 2.0 * gamma_;
  SoftmaxState<T> state = empty_state(rows.rows() * steps, value_columns);
  const std::size_t tile = tile_size(count);
  AlignedVector<T> of_rows(rows.rows() * tile), of_starts(lines.starts.rows() * tile);
  AlignedVector<T> scores(group * steps * tile), buffer;
  for (std::size_t begin = first; begin < first + count; begin += tile) {
    const std::size_t points = std::min(tile, first + count - begin);
    const std::size_t padded = round_up(points, PackedMatrix<T>::kWidth);
    const T* panels = panels_->tile(begin, points, buffer);
    const auto multiply = [&](MatrixView<const T> left, AlignedVector<T>& products) {
      kernels.multiply(left.data(), left.stride(), left.rows(), panels, panels_->stride(),
                       left.cols(), padded, products.data(), tile, false);
    };
    multiply(rows, of_rows);
    multiply(lines.starts, of_starts);
    for (std::size_t row = 0; row < rows.rows(); row += group) {
      const std::size_t scored = std::min(group, rows.rows() - row) * steps;
      for (std::size_t i = 0; i < scored; ++i) {
        const LineStep& step = lines.steps[i % steps];
        T* const out = scores.data() + i * tile;
        const double largest = kernels.blend_and_max(
            of_rows.data() + (row + i / steps) * tile, static_cast<T>(scale * step.fraction),
            of_starts.data() + step.start * tile, static_cast<T>(scale * (1.0 - step.fraction)),
            product_bias_.data() + begin, out, padded);
        weigh(row * steps + i, largest, out, padded, value_columns, state);
      }
      values_.add(scores.data(), tile, scored, begin, points, value_columns, begin > first,
                  state.weighted.data() + row * steps * state.stride);
    }
  }
  return state;
}

/// Tiles of equal size: a short last one would cost every row as many calls as a long one.
template <class T>
std::size_t SoftmaxReduction<T>::tile_size(std::size_t points) const {
  const std::size_t tiles = (points + longest_tile_ - 1) / longest_tile_;
  return round_up((points + tiles - 1) / tiles, PackedMatrix<T>::kWidth);
}

template <class T>
SoftmaxState<T> SoftmaxReduction<T>::empty_state(std::size_t rows,
                                                 std::size_t value_columns) const {
  SoftmaxState<T> state;
  state.largest.assign(rows, -std::numeric_limits<double>::infinity());
  state.sum.assign(rows, 0.0);
  state.stride = ValueProduct<T>::stride(value_columns);
  state.weighted.resize(rows * state.stride);
  return state;
}

/// Turns a row's exponents of one tile, the largest of which is given, into weights against the
/// running maximum.
template <class T>
void SoftmaxReduction<T>::weigh(std::size_t row, double tile_largest, T* scores, std::size_t count,
                                std::size_t value_columns, SoftmaxState<T>& state) const {
  const auto& kernels = simd::kernels<T>();
  double& largest = state.largest[row];
  if (tile_largest > largest) {
    if (largest > -std::numeric_limits<double>::infinity()) {
      const double shrink = std::exp(largest - tile_largest);
      state.sum[row] *= shrink;
      T* weighted = state.weighted.data() + row * state.stride;
      for (std::size_t v = 0; v < value_columns; ++v) weighted[v] *= static_cast<T>(shrink);
    }
    largest = tile_largest;
  }
  state.sum[row] +=
      static_cast<double>(kernels.exp_and_sum(scores, static_cast<T>(largest), count));
}

template <class T>
double product_error(double gamma, double radius, double row_norm) {
  return std::numeric_limits<T>::epsilon() * gamma * radius * (radius + 2.0 * row_norm);
}

template <class T>
DistanceForm choose_form(double gamma, double radius, double row_norm, double tolerance) {
  const bool exact_enough = product_error<T>(gamma, radius, row_norm) <= tolerance;
  return is_far(radius, row_norm) || exact_enough ? DistanceForm::inner_products
                                                  : DistanceForm::differences;
}

template struct SoftmaxState<double>;
template struct SoftmaxState<float>;
template class SoftmaxReduction<double>;
template class SoftmaxReduction<float>;
template double product_error<double>(double, double, double);
template double product_error<float>(double, double, double);
template DistanceForm choose_form<double>(double, double, double, double);
template DistanceForm choose_form<float>(double, double, double, double);

}  // namespace bisector::linalg
