#include "bisector/io/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "core/util/ascii.h"

namespace bisector {
namespace {

/// Takes `part` off the front of `text`, if it is there.
bool take_front(std::string_view& text, std::string_view part) {
  if (part.empty() || !text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

bool take_back(std::string_view& text, std::string_view part) {
  if (part.empty() || !text.ends_with(part)) return false;
  text.remove_suffix(part.size());
  return true;
}

// The second is a space that does not break the line, the third a narrow one.
constexpr std::array<std::string_view, 3> kSpaces{" ", "\xC2\xA0", "\xE2\x80\xAF"};
constexpr std::array<std::string_view, 9> kCurrencies{
    "$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "CHF", "USD", "EUR", "GBP", "JPY"};
constexpr std::size_t kDifferentCurrencies = 5;  // USD is $ and so on

void trim(std::string_view& text) {
  const auto takes = [&](bool (*take)(std::string_view&, std::string_view)) {
    return std::ranges::any_of(kSpaces, [&](std::string_view space) { return take(text, space); });
  };
  while (takes(take_front) || takes(take_back)) continue;
}

/// Takes a sign or accounting parentheses off; true if the number is negative.
bool take_sign(std::string_view& text) {
  trim(text);
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    return true;
  }
  const bool is_negative = take_front(text, "-") || take_front(text, "\xE2\x88\x92");
  if (!is_negative) take_front(text, "+");
  return is_negative;
}

/// The sign of the currency, or nothing if there is none.
std::string_view take_currency(std::string_view& text) {
  trim(text);
  for (std::size_t i = 0; i < kCurrencies.size(); ++i) {
    if (take_front(text, kCurrencies[i]) || take_back(text, kCurrencies[i]))
      return kCurrencies[i % kDifferentCurrencies];
  }
  return {};
}

/// The whole part without its group separators; nothing if the groups are not of three digits.
std::optional<std::string> ungrouped(std::string_view whole, std::string_view separator) {
  std::string digits;
  std::size_t in_group = 0, groups = 1;
  while (!whole.empty()) {
    if (take_front(whole, separator)) {
      if (in_group == 0 || in_group > 3 || (groups > 1 && in_group != 3)) return std::nullopt;
      in_group = 0;
      ++groups;
    } else if (util::is_digit(whole.front())) {
      digits += whole.front();
      whole.remove_prefix(1);
      ++in_group;
    } else {
      return std::nullopt;
    }
  }
  const bool has_groups = groups > 1;
  if (digits.empty() || (has_groups && (in_group != 3 || digits.front() == '0')))
    return std::nullopt;
  return digits;
}

/// The decimal separator of digits with points and commas: the last of two kinds, or the only one
/// unless it groups thousands.
std::optional<char> decimal_separator(std::string_view text) {
  const std::size_t point = text.rfind('.'), comma = text.rfind(',');
  if (point == std::string_view::npos && comma == std::string_view::npos) return std::nullopt;
  if (point != std::string_view::npos && comma != std::string_view::npos)
    return point > comma ? '.' : ',';
  if (comma == std::string_view::npos)
    return std::ranges::count(text, '.') > 1 ? std::nullopt : std::optional('.');
  const bool is_grouped = std::ranges::count(text, ',') > 1 ||
                          (text.size() - comma == 4 && comma > 0 && text.front() != '0');
  return is_grouped ? std::nullopt : std::optional(',');
}

/// Digits with separators: "1,234.50", "1.234,5", "1 234", "1'234.5".
std::optional<NumberText> grouped_number(std::string_view text) {
  if (text.empty() || !util::is_digit(text.back())) return std::nullopt;
  const auto decimal = decimal_separator(text);
  const std::size_t at = decimal ? text.rfind(*decimal) : text.size();
  const std::string_view whole = text.substr(0, at);
  const std::string_view fraction = decimal ? text.substr(at + 1) : std::string_view();
  if (!std::ranges::all_of(fraction, util::is_digit)) return std::nullopt;
  for (const std::string_view separator :
       {std::string_view(","), std::string_view("."), std::string_view("'"), kSpaces[0], kSpaces[1],
        kSpaces[2]}) {
    if (decimal && separator == std::string_view(&*decimal, 1)) continue;
    const auto digits = ungrouped(whole, separator);
    if (!digits) continue;
    const auto value = parse_number(*digits + "." + std::string(fraction) + "0");
    if (!value) return std::nullopt;
    const bool groups_by_comma = whole.find(',') != std::string_view::npos;
    return NumberText{*value, NumberFormat::grouped,
                      decimal.value_or(groups_by_comma ? '.' : '\0')};
  }
  return std::nullopt;
}

/// Takes a number of at most `most` digits off the front.
std::optional<int> take_integer(std::string_view& text, std::size_t most) {
  int value = 0;
  std::size_t digits = 0;
  while (digits < most && digits < text.size() && util::is_digit(text[digits]))
    value = 10 * value + (text[digits++] - '0');
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

/// The fraction of a day after a date: "", " 12:30", "T12:30:15.5Z".
std::optional<double> time_of_day(std::string_view text) {
  if (text.empty()) return 0.0;
  if (!take_front(text, " ") && !take_front(text, "T")) return std::nullopt;
  take_back(text, "Z");
  const auto hours = take_integer(text, 2);
  if (!hours || !take_front(text, ":")) return std::nullopt;
  const auto minutes = take_integer(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  double seconds = 0.0;
  if (take_front(text, ":")) {
    const auto value = parse_number(text);
    if (!value || *value < 0.0 || *value >= 61.0) return std::nullopt;
    seconds = *value;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  return ((*hours * 60.0 + *minutes) * 60.0 + seconds) / 86400.0;
}

std::optional<double> date_number(std::string_view text, DateOrder order) {
  std::array<int, 3> parts{};
  std::array<std::size_t, 3> lengths{};
  char separator = '\0';
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t before = text.size();
    const auto part = take_integer(text, 4);
    if (!part) return std::nullopt;
    parts[i] = *part;
    lengths[i] = before - text.size();
    if (i == 2) break;
    if (text.empty() || (i > 0 && text.front() != separator)) return std::nullopt;
    separator = text.front();
    text.remove_prefix(1);
  }
  const bool is_year_first = lengths[0] == 4 && (separator == '-' || separator == '/');
  const bool is_year_last = lengths[2] == 4 && (separator == '.' || separator == '/');
  if (!is_year_first && !is_year_last) return std::nullopt;
  if (is_year_last && separator == '.') std::swap(parts[0], parts[2]);
  if (is_year_last && separator == '/') {
    const SlashDate date{parts[0], parts[1]};
    if (order == DateOrder::unknown) order = date.order();
    if (order == DateOrder::unknown && date.first != date.second) return std::nullopt;
    parts = order == DateOrder::day_first ? std::array{parts[2], parts[1], parts[0]}
                                          : std::array{parts[2], parts[0], parts[1]};
  }
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  const auto time = time_of_day(text);
  if (!date.ok() || !time) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + *time;
}

DateOrder order_of(std::string_view format) {
  for (const DateOrder order : {DateOrder::month_first, DateOrder::day_first}) {
    if (format == format_of(order)) return order;
  }
  return DateOrder::unknown;
}

/// A number without a sign is an amount of any currency; percentages always have theirs.
bool has_unit_of(const NumberText& number, std::string_view format) {
  if (number.format == NumberFormat::date || number.unit == format) return true;
  const bool is_percent = number.unit == "%" || format == "%";
  return !is_percent && (number.unit.empty() || format.empty());
}

}  // namespace

std::string_view format_of(DateOrder order) {
  switch (order) {
    case DateOrder::month_first:
      return "month/day/year";
    case DateOrder::day_first:
      return "day/month/year";
    case DateOrder::unknown:
      break;
  }
  return {};
}

DateOrder SlashDate::order() const {
  constexpr int kMonths = 12;
  if (first > kMonths && second <= kMonths) return DateOrder::day_first;
  if (second > kMonths && first <= kMonths) return DateOrder::month_first;
  return DateOrder::unknown;
}

std::optional<SlashDate> read_slash_date(std::string_view cell) {
  std::string_view text = trimmed_cell(cell);
  const auto first = take_integer(text, 2);
  if (!first || !take_front(text, "/")) return std::nullopt;
  const auto second = take_integer(text, 2);
  if (!second || !take_front(text, "/")) return std::nullopt;
  const std::size_t before = text.size();
  if (!take_integer(text, 4) || before - text.size() != 4) return std::nullopt;
  return SlashDate{*first, *second};
}

std::optional<NumberText> read_number_text(std::string_view cell, DateOrder order) {
  std::string_view text = trimmed_cell(cell);
  if (const auto plain = parse_number(text))
    return NumberText{*plain, NumberFormat::plain,
                      text.find('.') == std::string_view::npos ? '\0' : '.'};
  if (const auto date = date_number(text, order)) return NumberText{*date, NumberFormat::date};
  bool is_negative = take_sign(text);
  const std::string_view currency = take_currency(text);
  if (!currency.empty()) is_negative = take_sign(text) || is_negative;
  trim(text);
  const bool has_percent = take_back(text, "%");
  trim(text);
  auto number = grouped_number(text);
  if (!number) return std::nullopt;
  if (is_negative) number->value = -number->value;
  if (has_percent) number->format = NumberFormat::percent;
  if (has_percent) number->unit = "%";
  if (!currency.empty()) number->format = NumberFormat::money;
  if (!currency.empty()) number->unit = currency;
  return number;
}

bool is_missing_number(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kMarks{"-",       "--",   ".",       "*",
                                                   "unknown", "none", "missing", "n.a."};
  if (is_missing(cell)) return true;
  const std::string_view text = trimmed_cell(cell);
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return util::equals_ignoring_case(text, mark); });
}

void make_numbers_plain(std::vector<std::string>& cells, std::string_view format) {
  const DateOrder order = order_of(format);
  for (std::string& cell : cells) {
    if (parse_number(cell)) continue;
    const auto number = read_number_text(cell, order);
    if (number && has_unit_of(*number, format))
      cell = fmt::format("{}", number->value);
    else if (number)
      continue;
    else if (!is_missing(cell) && is_missing_number(cell))
      cell.clear();
  }
}

std::optional<std::size_t> find_misread_number(const ColumnEncoding& column,
                                               const std::vector<std::string>& cells) {
  const bool is_dated = order_of(column.format) != DateOrder::unknown;
  if (!is_dated && column.format != "%") return std::nullopt;
  const auto found =
      std::ranges::find_if(cells, [](const auto& cell) { return parse_number(cell).has_value(); });
  if (found == cells.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cells.begin());
}

void make_numbers_plain(const std::vector<ColumnEncoding>& columns, TextColumns& cells) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].kind == ColumnEncoding::Kind::numeric)
      make_numbers_plain(cells[c], columns[c].format);
  }
}

std::optional<double> parse_number_text(std::string_view cell) {
  const auto number = read_number_text(cell);
  return number ? std::optional(number->value) : std::nullopt;
}

}  // namespace bisector
