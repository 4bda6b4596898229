// Running independent blocks of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
#include <version>

namespace bisector::util {

// libc++ before 20, and with it Apple's, has no std::jthread; the page's engine brings its own.
#if defined(__cpp_lib_jthread) || defined(__EMSCRIPTEN__)
using JoiningThread = std::jthread;
#else
class JoiningThread {
 public:
  template <class Work>
  explicit JoiningThread(Work work) : thread_(std::move(work)) {}
  JoiningThread(JoiningThread&&) = default;
  ~JoiningThread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};
#endif

/// Zero means as many as the machine has.
inline unsigned resolve_threads(unsigned threads) {
  // Asked once: the answer takes longer than a small batch.
  static const unsigned all = std::max(1u, std::thread::hardware_concurrency());
  return threads > 0 ? threads : all;
}

/// Calls worker(i) once for every i < count, where each thread makes its own worker (and with it
/// its workspace) by make_worker(). An exception stops the hand-out of blocks; that of the lowest i
/// is rethrown. A block's result must depend on its index alone; then the number of threads changes
/// nothing.
template <class MakeWorker>
void parallel_for(std::size_t count, unsigned threads, const MakeWorker& make_worker) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::size_t failed = count;
  std::mutex failure_mutex;
  const auto work = [&] {
    std::size_t i = 0;
    try {
      auto worker = make_worker();
      for (i = next++; i < count; i = next++) worker(i);
    } catch (...) {
      // Blocks before this one are already handed out, so the lowest failure is always among them.
      const std::lock_guard lock(failure_mutex);
      if (i < failed) failure = std::current_exception();
      failed = std::min(failed, i);
      next = count;
    }
  };
  {
    std::vector<JoiningThread> helpers;
    const std::size_t wanted = std::min<std::size_t>(resolve_threads(threads), count);
    for (std::size_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bisector::util
