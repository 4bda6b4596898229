#include "bisector/distance.h"

#include <fmt/format.h>

#include <algorithm>

#include "bisector/error.h"

namespace bisector {

Distance::Distance(double power, std::vector<double> categories)
    : power_(power), categories_(std::move(categories)) {
  if (!(power_ >= 1.0) || !std::isfinite(power_))
    throw InvalidModel(
        fmt::format("the power of the distance is {}, expected a finite number from 1 on", power_));
  for (const double weight : categories_) {
    if (!(weight >= 0.0) || !std::isfinite(weight))
      throw InvalidModel(fmt::format(
          "the weight of a category is {}, expected a finite number above 0, or 0 for a number",
          weight));
  }
  const bool has_some =
      std::ranges::any_of(categories_, [](double weight) { return weight > 0.0; });
  if (!has_some) categories_.clear();
}

Distance Distance::cosine() {
  Distance cosine(1.0);
  cosine.is_cosine_ = true;
  return cosine;
}

}  // namespace bisector
