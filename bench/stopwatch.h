// Measures time: the shortest of several runs.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace bisector::bench {

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Processor time of this process: other processes do not count.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Patience {
  int least = 3, most = 20;  // runs, as in bench/peers/clock.py
  double seconds = 1.5;      // no further run begins after this time, but at least `least` run
};

/// The shortest time of several runs; longer ones include the work of other programs.
template <auto now = seconds, class Run>
double best_of(const Run& run, Patience patience = {}) {
  const double begin = now();
  double best = std::numeric_limits<double>::infinity();
  for (int n = 0; n < patience.most; ++n) {
    const double start = now();
    if (n >= patience.least && start - begin > patience.seconds) break;
    run();
    best = std::min(best, now() - start);
  }
  return best;
}

}  // namespace bisector::bench
