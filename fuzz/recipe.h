// Bytes as decisions: targets that build their input (a model, an archive, a graph) take every
// choice from a recipe. So libFuzzer changes the structure of the input, not its encoding.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace bisector::fuzz {

/// Reads from the front; bytes beyond the end are zero.
class Recipe {
 public:
  explicit Recipe(std::string_view bytes) : rest_(bytes) {}

  bool is_empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  bool flag() { return byte() % 2 == 1; }
  /// From 0 to count - 1; count is at most 256.
  std::size_t below(std::size_t count) { return byte() % count; }
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | byte();
    return value;
  }
  /// Finite: mostly eighths around zero, some extremes, some of any bits.
  double number() {
    constexpr std::array kExtremes{0.0,   -0.0,  1e-300, -1e-300, 1e300, -1e300, 1e-8, 1e8,
                                   1e100, 1e-16, 1e16,   -1e8,    0.5,   1e-100, 1e5,  3.0};
    const std::uint8_t kind = byte();
    if (kind < 192) return (static_cast<double>(byte()) - 128.0) / 8.0;
    if (kind < 224) return kExtremes[kind % kExtremes.size()];
    const double value = std::bit_cast<double>(word());
    return std::isfinite(value) ? value : 1.0;
  }
  /// A length, then that many bytes.
  std::string_view text(std::size_t longest = 255) {
    const std::size_t size = std::min({std::size_t{byte()}, longest, rest_.size()});
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  std::string_view rest() { return std::exchange(rest_, {}); }

 private:
  std::string_view rest_;
};

}  // namespace bisector::fuzz
