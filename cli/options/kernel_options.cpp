#include "cli/options/kernel_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/option_values.h"
#include "cli/verb.h"

namespace bisector::cli {

void require_consistent(const KernelArguments& arguments) {
  const KernelName name = arguments.name.value_or(KernelName::gaussian);
  const bool is_poly = name == KernelName::poly;
  if (arguments.shape && name != KernelName::rational_quadratic)
    throw UsageError(
        "--shape is for --kernel rational-quadratic; add that option or leave --shape out");
  if (arguments.degree && !is_poly)
    throw UsageError("--degree is for --kernel poly; add that option or leave --degree out");
  if (arguments.offset && !is_poly && name != KernelName::sigmoid)
    throw UsageError(
        "--offset is for --kernel poly or sigmoid; add one of them or leave --offset out");
  if (arguments.degree.value_or(1) > 100)
    throw UsageError("--degree is above 100, expected a whole number from 1 to 100");
}

KernelChoice kernel_of(const KernelArguments& arguments) {
  constexpr double kUsualDegree = 3.0;
  switch (arguments.name.value_or(KernelName::gaussian)) {
    case KernelName::gaussian:
      break;
    case KernelName::laplacian:
      return {KernelForm::exponential, 1.0, 0.0, Distance::manhattan()};
    case KernelName::matern12:
      return {KernelForm::matern12};
    case KernelName::matern32:
      return {KernelForm::matern32};
    case KernelName::matern52:
      return {KernelForm::matern52};
    case KernelName::rational_quadratic:
      return {KernelForm::power, arguments.shape.value_or(1.0)};
    case KernelName::inverse_multiquadric:
      return {KernelForm::power, 0.5};
    case KernelName::cauchy:
      return {KernelForm::power, 1.0};
    case KernelName::linear:
      return {KernelForm::polynomial};
    case KernelName::poly:
      return {KernelForm::polynomial,
              arguments.degree ? static_cast<double>(*arguments.degree) : kUsualDegree,
              arguments.offset.value_or(1.0)};
    case KernelName::sigmoid:
      return {KernelForm::sigmoid, 1.0, arguments.offset.value_or(0.0)};
  }
  return {};
}

void add_kernel_options(CLI::App& verb, KernelArguments& arguments) {
  const OptionGroup group(verb, "Kernels");
  using enum KernelName;
  add_choice<std::optional<KernelName>>(
      verb, "--kernel", arguments.name,
      {{"gaussian", gaussian},
       {"laplacian", laplacian},
       {"matern12", matern12},
       {"matern32", matern32},
       {"matern52", matern52},
       {"rational-quadratic", rational_quadratic},
       {"inverse-multiquadric", inverse_multiquadric},
       {"cauchy", cauchy},
       {"linear", linear},
       {"poly", poly},
       {"sigmoid", sigmoid}},
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
