#include "cli/writers/row_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "bisector/text.h"
#include "cli/options/wrap.h"
#include "cli/writers/result_tables.h"
#include "tools/platform/machine.h"

namespace bisector::cli {
namespace {

constexpr std::size_t kHalfWidth = 16;  // largest number of characters of a bar to one side
constexpr std::size_t kSmallestHalf = 5;
constexpr std::size_t kLongestName = 24, kLongestValue = 10;

/// Takes one character of UTF-8 off the front. Bytes that are not UTF-8 count as characters.
std::string_view take_character(std::string_view& text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (text[bytes] & 0xC0) == 0x80) ++bytes;
  const std::string_view character = text.substr(0, bytes);
  text.remove_prefix(bytes);
  return character;
}

/// The columns of a terminal that a character takes: two for Chinese, Japanese, Korean and emoji,
/// none for combining marks.
std::size_t width_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 4) return byte(0) == 0xF0 && byte(1) >= 0x9F ? 2 : 1;
  if (character.size() == 2) {
    const unsigned code = (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
    return code >= 0x300 && code < 0x370 ? 0 : 1;
  }
  if (character.size() != 3) return 1;
  const unsigned code = (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  if (code >= 0xFE00 && code < 0xFE10) return 0;
  const bool is_wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2E80 && code < 0xA4D0) ||
                       (code >= 0xAC00 && code < 0xD7A4) || (code >= 0xF900 && code < 0xFB00) ||
                       (code >= 0xFF00 && code < 0xFF61);
  return is_wide ? 2 : 1;
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) columns += width_of(take_character(text));
  return columns;
}

/// Cuts long text and fills short text with blanks, on the left if `right`.
std::string fitted(std::string_view text, std::size_t size, bool right = false) {
  const bool is_long = width(text) > size;
  std::string cut;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    if (is_long && used + width_of(character) >= size) {
      cut += "…";
      ++used;
      break;
    }
    used += width_of(character);
    cut += character;
  }
  const std::string blanks(size - std::min(size, used), ' ');
  return right ? blanks + cut : cut + blanks;
}

/// The length of a full bar, if a line has this many other columns: lines have kTextWidth columns
/// where that is possible.
std::size_t half_width(std::size_t others) {
  const std::size_t left = kTextWidth - std::min(kTextWidth, others);
  return std::clamp(left / 2, kSmallestHalf, kHalfWidth);
}

std::size_t widest(const std::vector<std::string>& texts, std::span<const std::size_t> of,
                   std::size_t limit) {
  std::size_t size = 0;
  for (const std::size_t d : of) size = std::max(size, width(texts[d]));
  return std::min(size, limit);
}

std::string repeat(const char* text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

/// Decimals that show three digits of the largest number; small rows keep theirs.
int decimals(double largest) {
  if (!(largest > 0.0) || !std::isfinite(largest)) return 2;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 12);
}

std::string painted(const std::string& blocks, const char* code, bool in_color) {
  return in_color ? fmt::format("\x1b[{}m{}\x1b[0m", code, blocks) : blocks;
}

std::size_t bar_length(double value, double largest, std::size_t full) {
  if (value == 0.0 || !(largest > 0.0)) return 0;
  const double share = std::abs(value) / largest * static_cast<double>(full);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(share)), 1, full);
}

/// Zero is in the middle; negative values go left in blue, positive ones right in red.
std::string two_sided_bar(double value, double largest, std::size_t half, bool in_color) {
  const std::size_t length = bar_length(value, largest, half);
  const std::string blocks = repeat("█", length), gap(half - length, ' ');
  const std::string blank(half, ' ');
  if (value < 0.0) return gap + painted(blocks, "34", in_color) + "│" + blank;
  return blank + "│" + painted(blocks, "31", in_color) + gap;
}

/// "+1.20"; "0" if the value rounds to zero.
std::string signed_number(double value, int digits) {
  if (std::abs(value) < 0.5 * std::pow(10.0, -digits)) return "0";
  return fmt::format("{:+.{}f}", value, digits);
}

/// "average output +1.2, features +3.8, unexplained +0.1, result +5.1 (votes)".
std::string sums_line(const TextTable& table, const TextRow& row, int digits) {
  const double sum = std::accumulate(row.relevance.begin(), row.relevance.end(), 0.0);
  std::string text = fmt::format("{} {}, features {}", table.start, signed_number(row.base, digits),
                                 signed_number(sum, digits));
  const std::string unexplained = signed_number(row.remainder, digits);
  if (unexplained != "0") text += ", unexplained " + unexplained;
  return text + fmt::format(", result {} ({})", signed_number(row.output, digits), table.unit);
}

/// Names and labels come from files, so they may have control characters.
void make_printable(std::vector<std::string>& texts) {
  for (std::string& text : texts) text = printable(std::move(text));
}

TextTable shown(TextTable table) {
  make_printable(table.features);
  return table;
}

TextRow shown(TextRow row) {
  row.title = printable_lines(row.title);
  row.positive = printable(row.positive);
  row.negative = printable(row.negative);
  make_printable(row.values);
  return row;
}

double sum_of_others(std::span<const double> values, std::span<const std::size_t> shown) {
  double rest = std::accumulate(values.begin(), values.end(), 0.0);
  for (const std::size_t d : shown) rest -= values[d];
  return rest;
}

}  // namespace

std::string printable_lines(const std::string& text) {
  std::string result;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    result += printable(text.substr(start, end - start));
    if (end < text.size()) result += '\n';
    start = end + 1;
  }
  return result;
}

std::string short_number(double value) {
  const double size = std::abs(value);
  return size >= 1e4 && size < 1e10 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

bool wants_color() { return tools::is_output_a_terminal() && std::getenv("NO_COLOR") == nullptr; }

void write_row_text(std::ostream& out, const TextTable& given, const TextRow& given_row) {
  const TextTable table = shown(given);
  const TextRow row = shown(given_row);
  const std::vector<std::size_t> order = strongest(row.relevance, table.top);
  const double largest = order.empty() ? 0.0 : std::abs(row.relevance[order.front()]);
  const int digits = decimals(largest);
  const std::size_t names = widest(table.features, order, kLongestName);
  const std::size_t values = widest(row.values, order, kLongestValue);
  const std::size_t averages = widest(table.averages, order, kLongestValue);
  const std::size_t average_width = averages == 0 ? 0 : averages + 10;  // "(average )"
  fmt::print(out, "{}\n  {}\n", row.title, sums_line(table, row, digits));
  constexpr std::string_view kMark = " (filled in)";
  const auto is_imputed = [&](std::size_t d) {
    return !row.is_imputed.empty() && row.is_imputed[d];
  };
  const std::size_t mark = std::ranges::any_of(order, is_imputed) ? kMark.size() : 0;
  // Two blanks before each part, the middle of the bar, and the number.
  const std::size_t number = fmt::formatted_size(" {:+.{}f}", largest, digits);
  const std::size_t half = half_width(names + values + mark + average_width + 7 + number);
  const std::size_t before_zero = names + values + mark + average_width + half + 4;
  const std::string left = fitted("← " + row.negative, before_zero, true);
  fmt::print(out, "  {} │ {} →\n", left, row.positive);
  for (const std::size_t d : order) {
    const std::string average =
        table.averages[d].empty()
            ? std::string(average_width, ' ')
            : fmt::format("(average {})", fitted(table.averages[d], averages, true));
    fmt::print(out, "  {}  {}{}  {} {} {:+.{}f}\n", fitted(table.features[d], names),
               fitted(row.values[d], values, true), fitted(is_imputed(d) ? kMark : "", mark),
               average, two_sided_bar(row.relevance[d], largest, half, table.in_color),
               row.relevance[d], digits);
  }
  if (order.size() < row.relevance.size())
    fmt::print(out, "  {} other features together: {:+.{}f}\n", row.relevance.size() - order.size(),
               sum_of_others(row.relevance, order), digits);
}

void write_pairs_text(std::ostream& out, const PairTable& given) {
  PairTable table = given;
  make_printable(table.names);
  std::vector<std::size_t> order(table.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double largest = table.sizes.empty() ? 0.0 : table.sizes.front();
  const std::size_t names = widest(table.names, order, 2 * kLongestName);
  const int digits = decimals(largest);
  const std::size_t number = fmt::formatted_size(" {:+.{}f}", largest, digits);
  const std::size_t half = half_width(names + number + (table.is_one_row ? 5 : 15));
  fmt::print(out, "{} ({})\n", table.title, table.unit);
  if (!table.is_one_row) {
    const std::string head = fitted("pair", names + 2 * half + 2);
    fmt::print(out, "  {} {}  {}\n", head, "mean size", "mean");
  }
  for (const std::size_t i : order) {
    const std::string name = fitted(table.names[i], names);
    if (table.is_one_row) {
      fmt::print(out, "  {}  {} {:+.{}f}\n", name,
                 two_sided_bar(table.means[i], largest, half, table.in_color), table.means[i],
                 digits);
      continue;
    }
    const std::string bar = repeat("█", bar_length(table.sizes[i], largest, 2 * half));
    fmt::print(out, "  {}  {} {}  {:+.{}f}\n", name, fitted(bar, 2 * half),
               fitted(fmt::format("{:.{}f}", table.sizes[i], digits), 9), table.means[i], digits);
  }
  if (table.others > 0)
    fmt::print(out, "  {} other pair{} interact{} less\n", table.others,
               table.others == 1 ? "" : "s", table.others == 1 ? "s" : "");
}

void write_importance_text(std::ostream& out, const TextTable& given,
                           std::span<const double> mean_sizes, std::size_t rows) {
  const TextTable table = shown(given);
  const std::vector<std::size_t> order = strongest(mean_sizes, table.top);
  const double largest = order.empty() ? 0.0 : mean_sizes[order.front()];
  const std::size_t names = widest(table.features, order, kLongestName);
  fmt::print(out, "What matters over {} row{}: mean size of the contributions ({})\n", rows,
             rows == 1 ? "" : "s", table.unit);
  for (const std::size_t d : order)
    fmt::print(
        out, "  {}  {} {:.{}f}\n", fitted(table.features[d], names),
        fitted(repeat("█", bar_length(mean_sizes[d], largest, 2 * kHalfWidth)), 2 * kHalfWidth),
        mean_sizes[d], decimals(mean_sizes[d]));
  if (order.size() < mean_sizes.size())
    fmt::print(out, "  {} other features contribute less\n", mean_sizes.size() - order.size());
}

}  // namespace bisector::cli
