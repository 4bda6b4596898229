// The message of an error, for tests that read it.
#pragma once

#include <string>

#include "bisector/error.h"

namespace bisector {

/// The message of the InvalidInput that `action` throws; "(no error)" without one.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace bisector
