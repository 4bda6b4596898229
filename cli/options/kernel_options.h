// Options of `train` for the kernel.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>

#include "bisector/train/learner.h"

namespace bisector::cli {

enum class KernelName {
  gaussian,
  laplacian,
  matern12,
  matern32,
  matern52,
  rational_quadratic,
  inverse_multiquadric,
  cauchy,
  linear,
  poly,
  sigmoid
};

struct KernelArguments {
  std::optional<KernelName> name;
  std::optional<double> shape, offset;
  std::optional<std::size_t> degree;
};

/// Throws UsageError for a parameter that the kernel does not have.
void require_consistent(const KernelArguments& arguments);

KernelChoice kernel_of(const KernelArguments& arguments);

void add_kernel_options(CLI::App& verb, KernelArguments& arguments);

}  // namespace bisector::cli
