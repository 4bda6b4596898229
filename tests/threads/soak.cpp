// bisector-soak SECONDS [RESULT.md]: mixed calls from several threads, again and again. Every
// result has to be what one thread gets, and memory has to stay flat. Ends with 1 otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include "bisector/random.h"
#include "bisector/runtime_info.h"
#include "bisector/version.h"
#include "threads/memory.h"
#include "threads/tasks.h"

namespace bisector::threads {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kThreads = 4;
constexpr double kRounds = 120.0;  // memory is read between rounds, when all threads have ended
constexpr double kMegabyte = 1e6;
// The first quarter fills caches and arenas. After it, allocated memory may not grow by more than a
// few blocks; the resident memory may vary as arenas come and go.
constexpr double kMaxInUse = 0.1 * kMegabyte;
constexpr double kMaxResident = 0.05;

struct Sample {
  double seconds;
  std::size_t calls;
  Memory memory;
};

class Soak {
 public:
  explicit Soak(const std::filesystem::path& folder)
      : expected_(run_alone(shared_tasks(folder))), tasks_(shared_tasks(folder)) {}

  void run(double seconds) {
    const auto start = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    samples_.reserve(2 * static_cast<std::size_t>(kRounds));  // not to see our own memory grow
    for (std::size_t round = 0; since() < seconds; ++round) {
      run_round(round, std::max(seconds / kRounds, 0.2));
      samples_.push_back({since(), calls_, memory_now()});
      std::cout << fmt::format("{:6.0f} s {:9} calls {:7.1f} MB resident {:9.4f} MB in use\n",
                               samples_.back().seconds, calls_.load(),
                               static_cast<double>(samples_.back().memory.resident) / kMegabyte,
                               static_cast<double>(samples_.back().memory.in_use) / kMegabyte)
                << std::flush;
    }
  }

  std::size_t tasks() const { return tasks_.size(); }
  std::size_t calls() const { return calls_; }
  const std::vector<Sample>& samples() const { return samples_; }
  const std::set<std::string>& failures() const { return failures_; }

 private:
  void run_round(std::size_t round, double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, end, seed = round * kThreads + t] {
        for (Random random(seed); Clock::now() < end;) run_task(random.below(tasks_.size()));
      });
    }
  }

  void run_task(std::size_t i) {
    std::string problem;
    try {
      if (tasks_[i].run() != expected_[i]) problem = "another result";
    } catch (const std::exception& error) {
      problem = error.what();
    }
    ++calls_;
    if (problem.empty()) return;
    const std::lock_guard lock(mutex_);
    failures_.insert(tasks_[i].name + ": " + problem);
  }

  std::vector<std::uint64_t> expected_;
  std::vector<Task> tasks_;
  std::atomic<std::size_t> calls_ = 0;
  std::vector<Sample> samples_;
  std::mutex mutex_;
  std::set<std::string> failures_;
};

/// The median over a part of the samples.
template <class Value>
double median(const std::vector<Sample>& samples, double from, double to, Value value) {
  const auto count = static_cast<double>(samples.size());
  std::vector<double> part;
  for (auto n = static_cast<std::size_t>(from * count); static_cast<double>(n) < to * count; ++n)
    part.push_back(static_cast<double>(samples[n].memory.*value));
  std::ranges::sort(part);
  return part[part.size() / 2];
}

struct Growth {
  double before, after;  // the second quarter and the last, in bytes
};

template <class Value>
Growth growth(const std::vector<Sample>& samples, Value value) {
  return {median(samples, 0.25, 0.5, value), median(samples, 0.75, 1.0, value)};
}

bool is_flat(const std::vector<Sample>& samples) {
  const Growth in_use = growth(samples, &Memory::in_use);
  const Growth resident = growth(samples, &Memory::resident);
  return in_use.after - in_use.before <= kMaxInUse &&
         resident.after <= (1.0 + kMaxResident) * resident.before;
}

std::string result_page(const Soak& soak) {
  const auto& samples = soak.samples();
  const Growth in_use = growth(samples, &Memory::in_use);
  const Growth resident = growth(samples, &Memory::resident);
  std::string text = fmt::format(
      "# Do many threads change results or lose memory?\n\nMade by `make soak` (bisector {}, {}): "
      "{:.0f} s of calls from {} threads at once.\nEach call may use two more threads. There are "
      "{} kinds of calls on shared objects, in random order:\nmodels of seven kinds are read, "
      "written, predicted, explained by every method in double and single\nprecision, evaluated "
      "and trained.\n\n",
      kVersion, runtime_info().instruction_set, samples.back().seconds, kThreads, soak.tasks());
  text += fmt::format(
      "- calls: {}\n- calls with an error, or with another result than on one thread: {}\n"
      "- allocated memory, median of the second and of the last quarter: {:.3f} MB, {:.3f} MB\n"
      "- resident memory, the same medians: {:.1f} MB, {:.1f} MB\n- conclusion: {}\n\n",
      soak.calls(), soak.failures().size(), in_use.before / kMegabyte, in_use.after / kMegabyte,
      resident.before / kMegabyte, resident.after / kMegabyte,
      is_flat(samples) ? "memory does not grow" : "**memory grows**");
  for (const std::string& failure : soak.failures()) text += "- " + failure + "\n";
  text += "| s | calls | resident MB | allocated MB |\n|---|---|---|---|\n";
  const std::size_t step = std::max<std::size_t>(1, samples.size() / 20);
  for (std::size_t n = step - 1; n < samples.size(); n += step)
    text += fmt::format("| {:.0f} | {} | {:.1f} | {:.3f} |\n", samples[n].seconds, samples[n].calls,
                        static_cast<double>(samples[n].memory.resident) / kMegabyte,
                        static_cast<double>(samples[n].memory.in_use) / kMegabyte);
  return text;
}

int main(double seconds, const char* result) {
  const auto folder = std::filesystem::temp_directory_path();
  Soak soak(folder);
  soak.run(seconds);
  const std::string page = result_page(soak);
  std::cout << page.substr(0, page.find("| s |"));
  if (result != nullptr) std::ofstream(result) << page;
  return soak.failures().empty() && is_flat(soak.samples()) ? 0 : 1;
}

}  // namespace
}  // namespace bisector::threads

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.0;
  if (argc > 3 || !(seconds > 0.0)) {
    std::cerr << "usage: bisector-soak SECONDS [RESULT.md]\n";
    return 2;
  }
  return bisector::threads::main(seconds, argc == 3 ? argv[2] : nullptr);
}
