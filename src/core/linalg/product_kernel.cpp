#include "core/linalg/product_kernel.h"

#include <algorithm>
#include <cmath>

namespace bisector::linalg {
namespace {

constexpr std::size_t kPanelPoints = PackedMatrix<double>::kWidth;

/// Adds -gamma part(panel - x) of one feature for all points of a panel.
template <class Part>
void add_parts(const double* panel, double x, double gamma, const Part& part, double* out) {
  for (std::size_t n = 0; n < kPanelPoints; ++n) out[n] += -gamma * part(x - panel[n]);
}

}  // namespace

ProductExponents::ProductExponents(double gamma, const Distance& distance, std::size_t features,
                                   std::vector<std::size_t> players)
    : gamma_(gamma),
      distance_(distance),
      features_(features),
      players_(std::move(players)),
      count_(players_.empty() ? features : *std::ranges::max_element(players_) + 1) {}

void ProductExponents::operator()(const double* panel, std::span<const double> point,
                                  std::span<double> out) const {
  std::ranges::fill(out.first(count_ * kPanelPoints), 0.0);
  for (std::size_t d = 0; d < features_; ++d) {
    double* const own = out.data() + (players_.empty() ? d : players_[d]) * kPanelPoints;
    const double* const points = panel + d * kPanelPoints;
    if (distance_.is_category(d) || (distance_.power() != 1.0 && distance_.power() != 2.0))
      add_parts(
          points, point[d], gamma_, [&](double t) { return distance_.part(d, t); }, own);
    else if (distance_.power() == 2.0)
      add_parts(
          points, point[d], gamma_, [](double t) { return t * t; }, own);
    else
      add_parts(
          points, point[d], gamma_, [](double t) { return std::abs(t); }, own);
  }
}

}  // namespace bisector::linalg
