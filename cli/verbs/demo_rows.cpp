#include "cli/verbs/demo_rows.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bisector::cli {
namespace {

constexpr std::size_t kHalfWidth = 16;  // characters of a bar to one side

/// Positions of the `count` largest |values|, largest first.
std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t d) { return std::abs(values[d]); });
  order.resize(std::min(order.size(), count));
  return order;
}

std::string repeat(const char* text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

/// Zero is in the middle; negative to the left in blue, positive to the right in red.
std::string bar(double value, double largest, bool in_color) {
  const auto length = static_cast<std::size_t>(
      std::lround(std::abs(value) / largest * static_cast<double>(kHalfWidth)));
  const std::string blocks = repeat("█", std::max<std::size_t>(length, 1));
  const std::string gap = repeat(" ", kHalfWidth - std::max<std::size_t>(length, 1));
  const auto paint = [&](const char* code) {
    return in_color ? fmt::format("\x1b[{}m{}\x1b[0m", code, blocks) : blocks;
  };
  if (value < 0.0) return gap + paint("34") + "│" + repeat(" ", kHalfWidth);
  return repeat(" ", kHalfWidth) + "│" + paint("31") + gap;
}

void show_row(std::ostream& out, const ExplainedTable& table, const ShownRow& shown,
              std::size_t top, bool in_color) {
  const auto relevance = table.relevance.row(shown.row);
  const std::vector<std::size_t> order = strongest(relevance, top);
  const double largest = std::max(std::abs(relevance[order.front()]), 1e-300);
  fmt::print(out, "\n{}\n", shown.title);
  for (const std::size_t d : order)
    fmt::print(out, "  {:<24} {:>9.4g}  (mean {:>8.4g})  {} {:+.3f}\n", table.features[d],
               table.values(shown.row, d), table.typical[d], bar(relevance[d], largest, in_color),
               relevance[d]);
}

}  // namespace

void show_rows(std::ostream& out, const ExplainedTable& table, const std::vector<ShownRow>& rows,
               std::size_t top, bool in_color) {
  const std::string left = fmt::format("← for {}", table.negative);
  const std::string right = fmt::format("for {} →", table.positive);
  fmt::print(out, "{}{:>{}} │ {}\n", repeat(" ", 55), left, kHalfWidth - 1, right);
  for (const ShownRow& row : rows) show_row(out, table, row, top, in_color);
}

}  // namespace bisector::cli
