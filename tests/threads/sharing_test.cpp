// Several threads use the same objects at once, each in an order of its own, and get bit for bit
// what one thread gets. Under ThreadSanitizer (make tsan) this also shows every race.
#include <gtest/gtest.h>

#include <barrier>
#include <mutex>
#include <numeric>
#include <thread>

#include "bisector/random.h"
#include "threads/tasks.h"

namespace bisector::threads {
namespace {

constexpr std::size_t kThreads = 4;

std::vector<std::size_t> order_of(std::size_t thread, std::size_t tasks) {
  std::vector<std::size_t> order(tasks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Two threads keep the order, so that both meet every object when it is new.
  if (thread >= 2) Random(thread).shuffle(std::span(order));
  return order;
}

TEST(Sharing, ThreadsGetWhatOneThreadGets) {
  const std::vector<std::uint64_t> expected = run_alone(shared_tasks(testing::TempDir()));
  const std::vector<Task> tasks = shared_tasks(testing::TempDir());
  std::barrier start(kThreads);
  std::mutex mutex;
  std::vector<std::string> differences;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        for (const std::size_t i : order_of(t, tasks.size())) {
          if (tasks[i].run() == expected[i]) continue;
          const std::lock_guard lock(mutex);
          differences.push_back(tasks[i].name);
        }
      });
    }
  }
  EXPECT_TRUE(differences.empty()) << testing::PrintToString(differences);
  EXPECT_GE(tasks.size(), 100u);
}

}  // namespace
}  // namespace bisector::threads
