#include <algorithm>
#include <cmath>
#include <numeric>

#include "bisector/report/report.h"

namespace bisector {
namespace {

using Order = std::vector<std::size_t>;

/// Rows sorted by a column's value; equal rows keep their order.
Order order_by(MatrixView<const double> values, std::size_t column) {
  Order order(values.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return values(row, column); });
  return order;
}

/// Sums of one bin.
struct Moments {
  double covariance = 0.0, variance = 0.0;  // with the partner, of the partner
};

Moments moments(MatrixView<const double> values, std::size_t partner,
                std::span<const std::size_t> bin, std::span<const double> centered_relevance) {
  double mean = 0.0;
  for (const std::size_t row : bin) mean += values(row, partner) / static_cast<double>(bin.size());
  Moments result;
  for (std::size_t i = 0; i < bin.size(); ++i) {
    const double deviation = values(bin[i], partner) - mean;
    result.covariance += deviation * centered_relevance[i];
    result.variance += deviation * deviation;
  }
  return result;
}

/// Bins are small enough that the column hardly varies, and large enough for a line fit.
std::size_t bin_count(std::size_t rows) { return std::clamp<std::size_t>(rows / 20, 1, 20); }

Interaction strongest(MatrixView<const double> values, MatrixView<const double> relevance,
                      std::size_t column, const std::vector<std::size_t>& candidates) {
  const Order order = order_by(values, column);
  const std::size_t rows = order.size(), bins = bin_count(rows);
  std::vector<double> explained(candidates.size(), 0.0);
  double total = 0.0;
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t first = b * rows / bins, last = (b + 1) * rows / bins;
    const std::span bin = std::span(order).subspan(first, last - first);
    std::vector<double> centered;
    double mean = 0.0;
    for (const std::size_t row : bin)
      mean += relevance(row, column) / static_cast<double>(bin.size());
    for (const std::size_t row : bin) centered.push_back(relevance(row, column) - mean);
    total += std::inner_product(centered.begin(), centered.end(), centered.begin(), 0.0);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Moments m = moments(values, candidates[c], bin, centered);
      if (m.variance > 0.0) explained[c] += m.covariance * m.covariance / m.variance;
    }
  }
  Interaction best{column == 0 && values.cols() > 1 ? std::size_t{1} : std::size_t{0}, 0.0};
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const double share = total > 0.0 ? explained[c] / total : 0.0;
    if (candidates[c] != column && share > best.share) best = {candidates[c], std::min(share, 1.0)};
  }
  return best;
}

}  // namespace

std::vector<Interaction> strongest_interactions(MatrixView<const double> values,
                                                MatrixView<const double> relevance,
                                                const std::vector<std::size_t>& candidates) {
  std::vector<Interaction> result;
  for (std::size_t column = 0; column < values.cols(); ++column)
    result.push_back(strongest(values, relevance, column, candidates));
  return result;
}

}  // namespace bisector
