// The Python whose NumPy the tests ask.
#pragma once

#include <cstdlib>
#include <string>

namespace bisector {

/// The environment variable BISECTOR_TEST_PYTHON, which `make test` sets, or python3.
inline std::string test_python() {
  const char* const given = std::getenv("BISECTOR_TEST_PYTHON");
  return given != nullptr ? given : "python3";
}

inline bool has_numpy() {
  return std::system(("'" + test_python() + "' -c 'import numpy' >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace bisector
