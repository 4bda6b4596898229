#include "report/page/packed_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace bisector::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

template <class T>
Json packed(const char* type, std::span<const double> numbers, double scale) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const double number : numbers) {
    if constexpr (std::is_integral_v<T>)
      values.push_back(static_cast<T>(std::round(number * scale)));
    else
      values.push_back(static_cast<T>(number));
  }
  return {{"type", type}, {"scale", scale}, {"data", base64(std::as_bytes(std::span(values)))}};
}

double largest_of(std::span<const double> numbers) {
  double largest = 0.0;
  for (const double number : numbers)
    largest = std::isfinite(number) ? std::max(largest, std::abs(number))
                                    : std::numeric_limits<double>::infinity();
  return largest;
}

/// The smallest power of ten that turns all numbers into integers.
std::optional<double> scale_of(std::span<const double> numbers, double largest, double tolerance) {
  constexpr double kMost = 2147483647.0;
  for (double scale = 1.0; scale <= 1e9 && largest * scale <= kMost; scale *= 10.0) {
    const auto is_exact = [&](double number) {
      // Minus zero becomes zero.
      return std::abs(std::round(number * scale) / scale - number) <= tolerance * largest;
    };
    if (std::ranges::all_of(numbers, is_exact)) return scale;
  }
  return std::nullopt;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t b = 0; b < 3; ++b)
      group = group << 8 | (b < count ? std::to_integer<std::uint32_t>(bytes[i + b]) : 0u);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= count ? kDigits[group >> (18 - 6 * digit) & 63u] : '=';
  }
  return text;
}

std::string base64(std::span<const double> numbers) { return base64(std::as_bytes(numbers)); }

Json packed_numbers(std::span<const double> numbers, double tolerance) {
  const double largest = largest_of(numbers);
  if (const auto scale = scale_of(numbers, largest, tolerance)) {
    const double least = numbers.empty() ? 0.0 : *std::ranges::min_element(numbers) * *scale;
    const double most = std::round(largest * *scale);
    if (least >= -0.5 && most <= 255.0) return packed<std::uint8_t>("u8", numbers, *scale);
    if (most <= 32767.0) return packed<std::int16_t>("i16", numbers, *scale);
    return packed<std::int32_t>("i32", numbers, *scale);
  }
  const auto is_float = [&](double number) {
    return std::abs(static_cast<double>(static_cast<float>(number)) - number) <=
           tolerance * largest;
  };
  if (std::isfinite(largest) && std::ranges::all_of(numbers, is_float))
    return packed_floats(numbers);
  return packed<double>("f64", numbers, 1.0);
}

Json packed_floats(std::span<const double> numbers) { return packed<float>("f32", numbers, 1.0); }

}  // namespace bisector::report
