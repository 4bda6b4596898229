// Options of `train` for the kernel.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "bisector/train/learner.h"

namespace bisector::cli {

struct KernelArguments {
  std::optional<std::string> name;  // "gaussian", "matern32", ...
  std::optional<double> shape, offset;
  std::optional<std::size_t> degree;
};

/// Throws UsageError for a parameter that the kernel does not have.
void require_consistent(const KernelArguments& arguments);

KernelChoice kernel_of(const KernelArguments& arguments);

void add_kernel_options(CLI::App& verb, KernelArguments& arguments);

}  // namespace bisector::cli
