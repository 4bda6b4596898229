#include "core/contrast/reference_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bisector/random.h"
#include "core/contrast/batches.h"
#include "core/linalg/vectors.h"
#include "core/models/rows.h"

namespace bisector::detail {

Matrix back_through(const AffineMap& input, const Matrix& points) {
  if (input.is_identity()) return points;
  Matrix inverse;
  if (input.has_matrix()) inverse = linalg::pseudo_inverse(input.matrix());
  Matrix rows(points.rows(), input.scale().size());
  for (std::size_t n = 0; n < points.rows(); ++n) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      double scaled = input.has_matrix() ? 0.0 : points(n, d);
      for (std::size_t o = 0; o < inverse.cols(); ++o)
        scaled +=
            inverse(d, o) * (points(n, o) - (input.offset().empty() ? 0.0 : input.offset()[o]));
      rows(n, d) = scaled / input.scale()[d] + input.shift()[d];
    }
  }
  return rows;
}

std::vector<std::size_t> draw_positions(std::size_t count, std::size_t limit, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  order.resize(std::min(count, limit));
  return order;
}

DrawnRows draw_rows(const Model& model, OptionalRows background, std::size_t limit,
                    std::uint64_t seed) {
  const SharedMatrix& points = model.shared_points();
  const std::vector<std::size_t> positions =
      draw_positions(background ? background->rows() : points.rows(), limit, seed);
  DrawnRows drawn;
  drawn.input_space = background ? gather_rows(*background, positions)
                                 : back_through(model.input(), points.gather(positions));
  drawn.model_space =
      preprocessed(model.input(), drawn.input_space.view(), model.model_features()).copy();
  return drawn;
}

Matrix standard_moments(const Matrix& rows) {
  const std::size_t features = rows.cols();
  Matrix moments(rows.rows(), 2 * features);
  const std::vector<double> mean = linalg::row_mean(rows.view());
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (std::size_t d = 0; d < features; ++d) {
      moments(n, d) = rows(n, d) - mean[d];
      moments(n, features + d) = moments(n, d) * moments(n, d);
    }
  }
  const std::vector<double> center = linalg::row_mean(moments.view());
  for (std::size_t v = 0; v < moments.cols(); ++v) {
    double variance = 0.0;
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      moments(n, v) -= center[v];
      variance += moments(n, v) * moments(n, v);
    }
    const double deviation = std::sqrt(variance / static_cast<double>(rows.rows()));
    for (std::size_t n = 0; deviation > 0.0 && n < rows.rows(); ++n) moments(n, v) /= deviation;
  }
  return moments;
}

std::vector<std::size_t> balanced_choice(const Matrix& rows, const std::vector<std::size_t>& list,
                                         std::size_t count) {
  const Matrix moments = standard_moments(gather_rows(rows, list));
  std::vector<double> sum(moments.cols(), 0.0), squares(list.size());
  for (std::size_t n = 0; n < list.size(); ++n) squares[n] = linalg::squared_norm(moments.row(n));
  std::vector<bool> is_taken(list.size(), false);
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    if (chosen.size() % list.size() == 0) is_taken.assign(list.size(), false);
    std::size_t best = list.size();
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (is_taken[n]) continue;
      const double distance = squares[n] + 2.0 * linalg::dot(sum, moments.row(n));
      if (best < list.size() && distance >= smallest) continue;
      smallest = distance;
      best = n;
    }
    is_taken[best] = true;
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += moments(best, v);
    chosen.push_back(list[best]);
  }
  return chosen;
}

Matrix balanced_references(const Model& model, OptionalRows background, std::size_t count,
                           std::uint64_t seed) {
  require_some(count, "references");
  const DrawnRows drawn = draw_rows(model, background, kMaxDrawnRows, seed);
  std::vector<std::size_t> all(drawn.model_space.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return gather_rows(drawn.input_space,
                     balanced_choice(drawn.model_space, all, std::min(count, all.size())));
}

}  // namespace bisector::detail
