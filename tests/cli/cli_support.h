// Running commands in this process, on small models and files of their own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "bisector/io/model_file.h"
#include "bisector/model.h"
#include "bisector/random.h"
#include "cli/run.h"
#include "cli/writers/number.h"

namespace bisector::cli::test {

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome run_command(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int status = run(arguments, out, err);
  return {status, out.str(), err.str()};
}

/// The standard error of a command without the lines that say how it read its table, and without
/// the notes on rows with a large stretch or remainder, on a missing background and on the choice
/// of the method: they depend on the data of a test, not on what it checks.
inline std::string without_reading(const std::string& err) {
  std::istringstream in(err);
  std::string rest;
  for (std::string line; std::getline(in, line);) {
    const bool is_expected = line.starts_with("read: ") ||
                             line.find(" contributions were scaled ") != std::string::npos ||
                             line.find(" the features leave more ") != std::string::npos ||
                             line.find(" add --background ") != std::string::npos ||
                             line.find(" make the report with ") != std::string::npos ||
                             line.find("(the filter has them)") != std::string::npos ||
                             line.find(" lrp-path contradicts ") != std::string::npos ||
                             line.find(" main effects sum to ") != std::string::npos;
    if (!is_expected) rest += line + '\n';
  }
  return rest;
}

/// The output of a command that must succeed.
inline std::string output_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_command(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(without_reading(outcome.err), "");
  return outcome.out;
}

/// Text that was wrapped at the width of a page, on one line with single spaces.
inline std::string unwrapped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n';
    if (!is_blank || (!result.empty() && result.back() != ' ')) result += is_blank ? ' ' : c;
  }
  return result;
}

/// A folder that is empty before and gone after a test.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string(test->test_suite_name()) + "_" + test->name() + "_" +
             std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    EXPECT_TRUE(in) << name;
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::filesystem::path path_;
};

inline Matrix random_rows(std::size_t rows, std::size_t features, std::uint64_t seed) {
  Random random(seed);
  Matrix result(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : result.row(r)) value = random.normal();
  }
  return result;
}

/// Points of class after class, coefficients of the right signs, any number of classes.
inline KernelClassifier random_classifier(std::size_t features, std::vector<std::string> labels,
                                          std::uint64_t seed) {
  const std::size_t classes = labels.size(), per_class = 4;
  Matrix coefficients = random_rows(classes - 1, classes * per_class, seed + 1);
  for (std::size_t n = 0; n < classes * per_class; ++n) {
    for (std::size_t m = 0; m < classes - 1; ++m) {
      // Row m of a point of class c is its part in the machine with class m + 1 (c <= m) or m.
      const double sign = n / per_class <= m ? 1.0 : -1.0;
      coefficients(m, n) = sign * (0.1 + std::abs(coefficients(m, n)));
    }
  }
  std::vector<double> intercepts(classes * (classes - 1) / 2);
  for (std::size_t i = 0; i < intercepts.size(); ++i)
    intercepts[i] = 0.05 * (i % 2 == 0 ? 1.0 : -1.0);
  return KernelClassifier(random_rows(classes * per_class, features, seed),
                          std::vector<std::size_t>(classes, per_class), std::move(coefficients),
                          std::move(intercepts), Kernel(0.4), std::move(labels));
}

/// A bundle, whatever its name: models are recognized by content.
inline std::string write_model(const Folder& folder, const std::string& name, const Model& model) {
  write_bundle(folder.file(name), model);
  return folder.file(name);
}

inline std::string write_csv(const Folder& folder, const std::string& name, const Matrix& rows,
                             const std::string& header = "") {
  std::string text = header.empty() ? "" : header + "\n";
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t d = 0; d < rows.cols(); ++d) {
      if (d > 0) text += ',';
      append_number(text, rows(r, d));
    }
    text += '\n';
  }
  return folder.write(name, text);
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Cells without quotes, which the tests with quotes compare as text.
inline std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

}  // namespace bisector::cli::test
