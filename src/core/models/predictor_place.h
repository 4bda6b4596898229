// The kinds of predictors as numbers, for formats that hold one of any kind.
#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

#include "bisector/model.h"

namespace bisector::detail {

template <class Kind, std::size_t place = 0>
constexpr std::size_t find_place() {
  if constexpr (std::is_same_v<std::variant_alternative_t<place, Predictor>, Kind>)
    return place;
  else
    return find_place<Kind, place + 1>();
}

/// The kind's place among those of a Predictor, which is in pages: new kinds stand at the end.
template <class Kind>
inline constexpr std::size_t kPlaceOf = find_place<Kind>();

}  // namespace bisector::detail
