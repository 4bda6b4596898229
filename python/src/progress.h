// Long work in parts. Between parts, Python can interrupt and progress is reported.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>

namespace bisector::python {

namespace nb = nanobind;

/// As nb::gil_scoped_release. Before Python 3.13, a daemon thread that acquires the lock at the end
/// of the interpreter is unwound by force, which aborts C++ frames. Such a thread sleeps until the
/// process ends, as in newer versions.
class WithoutLock {
 public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;
  ~WithoutLock() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

 private:
  PyThreadState* state_;
};

/// progress(done, total)
using ProgressCallback = std::optional<nb::callable>;

/// Handles Ctrl-C and calls the progress callback; needs the interpreter's lock.
inline void report(const ProgressCallback& progress, std::size_t done, std::size_t total) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (progress) (*progress)(done, total);
}

/// The number of rows of a part: that of the first part, and the limits of the others. Rows of a
/// part share a pass over the model's points, which is long for many points.
struct PartRows {
  std::size_t first, most, least = 1;
};

/// Calls work(first, count) for parts of 0 ... total-1, without the interpreter's lock. A part that
/// takes about a fifth of a second is long enough to be efficient and short enough to be
/// interrupted.
template <class Work>
void in_parts(std::size_t total, PartRows rows, const ProgressCallback& progress,
              const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSeconds = 0.2;
  const std::size_t most = std::max(rows.most, rows.least);
  std::size_t part = std::clamp(rows.first, rows.least, most);
  for (std::size_t first = 0; first < total;) {
    const std::size_t count = std::min(part, total - first);
    const auto start = Clock::now();
    {
      const WithoutLock without_lock;
      work(first, count);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double change = std::clamp(kSeconds / std::max(seconds, 1e-9), 0.25, 4.0);
    part =
        std::clamp(static_cast<std::size_t>(static_cast<double>(count) * change), rows.least, most);
    first += count;
    report(progress, first, total);
  }
}

}  // namespace bisector::python
