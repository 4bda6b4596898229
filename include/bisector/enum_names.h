// Enums and their names. An enum has one constexpr function name(E), a switch without a default, so
// that the compiler reports a value without a name. Everything else follows from that function.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bisector {

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
  { name(value) } -> std::convertible_to<std::string_view>;
};

/// All values of an enum, in order. Enums number their values from 0 without gaps, and name() is
/// empty beyond the last.
template <NamedEnum E>
std::vector<E> enum_values() {
  std::vector<E> values;
  for (int n = 0; !name(static_cast<E>(n)).empty(); ++n) values.push_back(static_cast<E>(n));
  return values;
}

/// The value with this name; nullopt for other names.
template <NamedEnum E>
std::optional<E> enum_from_name(std::string_view text) {
  for (const E value : enum_values<E>())
    if (name(value) == text) return value;
  return std::nullopt;
}

/// "a, b or c": the names for an error message.
template <NamedEnum E>
std::string enum_choices() {
  std::string text;
  const std::vector<E> values = enum_values<E>();
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (n > 0) text += n + 1 == values.size() ? " or " : ", ";
    text += name(values[n]);
  }
  return text;
}

}  // namespace bisector
