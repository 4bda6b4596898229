// Numbers from text where the standard library does not read them: libc++ has no std::from_chars
// for doubles before version 20, and none on older systems of Apple's. The same rounding
// everywhere.
#pragma once

#include <charconv>
#include <system_error>

#ifdef BISECTOR_FAST_FLOAT
#include <fast_float/fast_float.h>
#endif

namespace bisector::util {

/// The same as std::from_chars.
inline std::from_chars_result from_chars(const char* first, const char* last, double& value) {
#ifdef BISECTOR_FAST_FLOAT
  double read = 0;
  const auto [end, error] = fast_float::from_chars(first, last, read);
  if (error == std::errc()) value = read;
  return {end, error};
#else
  return std::from_chars(first, last, value);
#endif
}

}  // namespace bisector::util
