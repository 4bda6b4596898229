// How long a piece of work took, for the log.
#pragma once

#include <chrono>

namespace bisector::paper {

/// Runs from where it is made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace bisector::paper
