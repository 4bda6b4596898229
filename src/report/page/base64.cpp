#include "report/page/base64.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace bisector::report {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

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

}  // namespace bisector::report
