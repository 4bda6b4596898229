// What the tests of model files share: random models of every kind, temporary files, and the text
// of an expected error.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bisector/error.h"
#include "bisector/model.h"
#include "reference/error_of.h"

namespace bisector::test {

using bisector::error_of;

/// A path in the tests' temporary directory that belongs to the running test alone.
inline std::filesystem::path temporary_path(const std::string& name) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string prefix = std::string(test->test_suite_name()) + "." + test->name() + ".";
  for (char& c : prefix) {
    if (c == '/') c = '_';
  }
  return std::filesystem::path(testing::TempDir()) / (prefix + name);
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Another pipe or file of that name keeps its place; `write_new_file` is for thousands of them,
/// where a new file is much faster than a truncated one.
inline void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// The same for thousands of files: a new one is much faster than one that is cut to nothing first.
inline void write_new_file(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::remove(path);
  write_file(path, content);
}

/// True where `action` ends well or with an InvalidInput; anything else passes through and fails
/// the test.
template <class Action>
bool succeeds_or_rejects(Action&& action) {
  try {
    action();
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

/// Models from a seed. Coordinates and coefficients are over many magnitudes, some zero, so that
/// writing them is hard.
class RandomModels {
 public:
  explicit RandomModels(std::uint64_t seed) : engine_(seed) {}

  std::size_t integer(std::size_t low, std::size_t high) {
    return low + engine_() % (high - low + 1);
  }
  double number() {
    if (engine_() % 4 == 0) return 0.0;
    const double mantissa = static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0;
    return std::ldexp(mantissa, static_cast<int>(integer(0, 60)) - 30);
  }
  double positive() { return std::abs(number()) + 1e-3; }

  std::vector<double> numbers(std::size_t count) {
    std::vector<double> result(count);
    for (double& value : result) value = number();
    return result;
  }
  Matrix matrix(std::size_t rows, std::size_t cols) { return {rows, cols, numbers(rows * cols)}; }

  std::vector<std::string> integer_labels(std::size_t count) {
    std::vector<std::string> labels;
    for (std::size_t n = 0; n < count; ++n)
      labels.push_back(std::to_string(static_cast<int>(n) * 3 - 4));
    return labels;
  }
  std::vector<std::string> text_labels(std::size_t count) {
    std::vector<std::string> labels;
    for (std::size_t n = 0; n < count; ++n) labels.push_back("grün " + std::to_string(n) + ".0");
    return labels;
  }

  KernelMachine machine() {
    const std::size_t points = integer(1, 6);
    return {matrix(points, integer(1, 5)), numbers(points), Kernel(positive()), number()};
  }
  KernelClassifier classifier(bool with_text_labels = false) {
    const std::size_t classes = integer(2, 4);
    std::vector<std::size_t> per_class;
    std::size_t points = 0;
    for (std::size_t c = 0; c < classes; ++c) points += per_class.emplace_back(integer(1, 4));
    return {matrix(points, integer(1, 5)),
            per_class,
            matrix(classes - 1, points),
            numbers(classes * (classes - 1) / 2),
            Kernel(positive()),
            with_text_labels ? text_labels(classes) : integer_labels(classes)};
  }
  NeighborModel neighbors() {
    const std::size_t classes = integer(2, 4), points = classes + integer(0, 6);
    std::vector<std::size_t> point_classes(points);
    for (std::size_t n = 0; n < points; ++n) point_classes[n] = n % classes;
    return {matrix(points, integer(1, 5)), point_classes, text_labels(classes), integer(1, points)};
  }
  CentroidModel centroids() {
    const std::size_t classes = integer(2, 5);
    return {matrix(classes, integer(1, 5)), integer_labels(classes)};
  }
  /// Every kind in turn as `n` grows.
  Predictor predictor(std::size_t n) {
    switch (n % 6) {
      case 0:
        return classifier();
      case 1:
        return classifier(true);
      case 2:
        return KernelRegressor{machine(), n % 4 == 2 ? std::optional(number()) : std::nullopt};
      case 3:
        return OneClassMachine{machine()};
      case 4:
        return neighbors();
      default:
        return centroids();
    }
  }

  /// No preprocessing, feature-wise, with a matrix, with a matrix and an offset: in turn.
  AffineMap preprocessing(std::size_t n, std::size_t outputs) {
    if (n % 4 == 0) return {};
    const std::size_t inputs = n % 4 == 1 ? outputs : integer(1, 5);
    std::vector<double> scale(inputs);
    for (double& value : scale) value = positive();
    if (n % 4 == 1) return {numbers(inputs), scale};
    return {numbers(inputs), scale, matrix(outputs, inputs),
            n % 4 == 2 ? std::vector<double>{} : numbers(outputs)};
  }

  /// Over 48 numbers `n` every combination of kind, preprocessing and names.
  Model model(std::size_t n) {
    Predictor any = predictor(n);
    const std::size_t outputs = std::visit([](const auto& p) { return p.features(); }, any);
    AffineMap input = preprocessing(n / 6, outputs);
    std::vector<std::string> names;
    if (n / 24 % 2 == 1) {
      for (std::size_t d = 0; d < input.inputs(outputs); ++d)
        names.push_back("größe, " + std::to_string(d));
    }
    std::optional<double> median = n % 5 == 0 ? std::optional(positive()) : std::nullopt;
    return Model(std::move(any), std::move(input), std::move(names), median);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bisector::test
