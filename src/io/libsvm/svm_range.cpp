#include "bisector/io/svm_range.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <vector>

#include "bisector/error.h"
#include "io/text/text_input.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;

namespace {

// A scale for constant features, so small that their values do not count; 0 is not invertible.
constexpr double kNothing = 1e-100;

/// All numbers of the next line.
template <std::size_t Count>
std::array<double, Count> numbers_in(const TextLines& lines, const char* expected) {
  std::array<double, Count> numbers;
  std::string_view rest = lines.text();
  for (double& number : numbers) {
    const auto value = parse_finite(take_word(rest));
    if (!value) lines.fail(fmt::format("expected {}", expected));
    number = *value;
  }
  if (!take_word(rest).empty()) lines.fail(fmt::format("expected {} and no more", expected));
  return numbers;
}

void require_line(TextLines& lines, const char* expected) {
  if (!lines.next()) lines.fail(fmt::format("the file ends, expected {}", expected));
}

}  // namespace

AffineMap read_svm_range(const std::filesystem::path& path, std::size_t features) {
  std::ifstream in(path);
  if (!in) throw FileError(fmt::format("cannot open {}", path.string()));
  TextLines lines(in, path.string());
  require_line(lines, "x, the first line of an svm-scale range file");
  if (lines.text() == "y") {
    for (int line = 0; line < 3; ++line) require_line(lines, "the section x behind that of y");
  }
  if (lines.text() != "x") lines.fail("expected x, the first line of an svm-scale range file");
  require_line(lines, "the lower and the upper end");
  const auto [lower, upper] = numbers_in<2>(lines, "the lower and the upper end");
  if (!(lower < upper)) lines.fail("the lower end is not below the upper");

  std::vector<double> shift(features, 0.0), scale(features, kNothing);
  while (lines.next()) {
    if (lines.text().empty()) continue;
    const auto [index, low, high] = numbers_in<3>(lines, "a feature, its least and largest value");
    const bool is_index =
        index >= 1.0 && index == static_cast<double>(static_cast<std::size_t>(index));
    if (!is_index || index > static_cast<double>(features))
      lines.fail(
          fmt::format("feature {}, expected one from 1 to {}, the model's", index, features));
    if (!(low < high)) continue;
    const auto d = static_cast<std::size_t>(index) - 1;
    scale[d] = (upper - lower) / (high - low);
    shift[d] = low - lower / scale[d];
  }
  return {std::move(shift), std::move(scale)};
}

}  // namespace bisector
