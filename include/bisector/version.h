// The version, in this one place: the build reads it from here.
#pragma once

#include <string_view>

namespace bisector {

inline constexpr std::string_view kVersion = "0.2.0";

}  // namespace bisector
