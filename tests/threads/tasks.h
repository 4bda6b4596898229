// The library's functions as small tasks on objects that several threads share. A task's result is
// a digest, which depends neither on the thread nor on what runs at the same time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bisector::threads {

struct Task {
  std::string name;
  std::function<std::uint64_t()> run;
};

/// A new set of shared objects, none of them used yet, and the tasks on them: every kind of model,
/// every method, both precisions, files read and written (in `folder`), training and evaluation.
/// The objects live as long as the tasks.
std::vector<Task> shared_tasks(const std::filesystem::path& folder);

/// The digests of a set of tasks that one thread ran.
std::vector<std::uint64_t> run_alone(const std::vector<Task>& tasks);

}  // namespace bisector::threads
