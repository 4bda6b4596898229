#include "cli/options/kernel_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {

namespace {

/// The kernels by name, with the default of every parameter. The shape of poly is its degree.
const std::vector<std::pair<std::string, KernelChoice>>& kernels() {
  using enum KernelForm;
  static const std::vector<std::pair<std::string, KernelChoice>> table = {
      {"gaussian", {}},
      {"laplacian", {exponential, 1.0, 0.0, Distance::manhattan()}},
      {"matern12", {matern12}},
      {"matern32", {matern32}},
      {"matern52", {matern52}},
      {"rational-quadratic", {power, 1.0}},
      {"inverse-multiquadric", {power, 0.5}},
      {"cauchy", {power, 1.0}},
      {"linear", {polynomial}},
      {"poly", {polynomial, 3.0, 1.0}},
      {"sigmoid", {sigmoid, 1.0, 0.0}}};
  return table;
}

}  // namespace

void require_consistent(const KernelArguments& arguments) {
  const bool is_poly = arguments.name == "poly";
  if (arguments.shape && arguments.name != "rational-quadratic")
    throw UsageError(
        "--shape is for --kernel rational-quadratic; add that option or leave --shape out");
  if (arguments.degree && !is_poly)
    throw UsageError("--degree is for --kernel poly; add that option or leave --degree out");
  if (arguments.offset && !is_poly && arguments.name != "sigmoid")
    throw UsageError(
        "--offset is for --kernel poly or sigmoid; add one of them or leave --offset out");
  if (arguments.degree.value_or(1) > 100)
    throw UsageError("--degree is above 100, expected a whole number from 1 to 100");
}

KernelChoice kernel_of(const KernelArguments& arguments) {
  if (!arguments.name) return {};
  KernelChoice kernel =
      std::ranges::find(kernels(), *arguments.name, &std::pair<std::string, KernelChoice>::first)
          ->second;
  if (arguments.degree) kernel.shape = static_cast<double>(*arguments.degree);
  kernel.shape = arguments.shape.value_or(kernel.shape);
  kernel.offset = arguments.offset.value_or(kernel.offset);
  return kernel;
}

void add_kernel_options(CLI::App& verb, KernelArguments& arguments) {
  const OptionGroup group(verb, "Kernels");
  std::vector<std::pair<std::string, std::optional<std::string>>> names;
  for (const auto& kernel : kernels()) names.emplace_back(kernel.first, kernel.first);
  add_choice<std::optional<std::string>>(
      verb, "--kernel", arguments.name, names,
      "svm, svr, oneclass, krr, density: with d = |x - u| and t = "
      "gamma d, gaussian is exp(-gamma d^2), laplacian exp(-gamma "
      "|x - u|_1), matern12 exp(-t), matern32 (1 + t) exp(-t), "
      "matern52 (1 + t + t^2/3) exp(-t), the next three (1 + gamma "
      "d^2)^-shape with the shape given, 1/2 and 1. linear, poly "
      "((gamma x.u + offset)^degree) and sigmoid depend on the dot "
      "product, not on a distance; they are explained on the "
      "decision value itself (default: gaussian)");
  add_number(verb, "--shape", arguments.shape, kPositive, "S",
             "Shape of --kernel rational-quadratic (default: 1)");
  add_count(verb, "--degree", arguments.degree, 1, "N", "Degree of --kernel poly (default: 3)");
  add_number(verb, "--offset", arguments.offset, kAnyNumber, "B",
             "Offset of --kernel poly (default: 1) and sigmoid (default: 0)");
}

}  // namespace bisector::cli
