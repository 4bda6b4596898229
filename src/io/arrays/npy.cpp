#include "io/arrays/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "bisector/error.h"
#include "io/text/utf8.h"

namespace bisector::io {
namespace {

/// IEEE half precision, which the language has no type for everywhere.
struct Half {
  std::uint16_t bits = 0;

  explicit operator double() const {
    const bool is_negative = (bits & 0x8000) != 0;
    const int exponent = (bits >> 10) & 0x1F;
    const int fraction = bits & 0x3FF;
    double value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    if (exponent == 0x1F)
      value = fraction == 0 ? std::numeric_limits<double>::infinity()
                            : std::numeric_limits<double>::quiet_NaN();
    return is_negative ? -value : value;
  }
};

/// Calls `visit` with a value of the element type; the header must be numeric.
template <class Visit>
decltype(auto) with_element_type(const NpyHeader& header, Visit&& visit) {
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f' && header.item_size == 2) return visit(Half{});
  if (header.kind == 'f') return header.item_size == 4 ? visit(float{}) : visit(double{});
  if (header.item_size == 1) return is_signed ? visit(std::int8_t{}) : visit(std::uint8_t{});
  if (header.item_size == 2) return is_signed ? visit(std::int16_t{}) : visit(std::uint16_t{});
  if (header.item_size == 4) return is_signed ? visit(std::int32_t{}) : visit(std::uint32_t{});
  return is_signed ? visit(std::int64_t{}) : visit(std::uint64_t{});
}

template <class T>
T load(const char* from, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (swapped) std::ranges::reverse(bytes);
  return std::bit_cast<T>(bytes);
}

template <class T>
std::string encode(char kind, std::span<const T> values, std::vector<std::size_t> shape) {
  std::string file = npy_header({.kind = kind, .item_size = sizeof(T), .shape = std::move(shape)});
  const std::size_t start = file.size();
  file.resize(start + values.size_bytes());
  if (!values.empty()) std::memcpy(file.data() + start, values.data(), values.size_bytes());
  return file;
}

std::string text_element(std::string_view bytes, bool swapped, std::string_view source) {
  std::u32string text(bytes.size() / sizeof(char32_t), U'\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = load<char32_t>(bytes.data() + i * sizeof(char32_t), swapped);
  text.erase(text.find_last_not_of(U'\0') + 1);
  std::string utf8;
  for (const char32_t code : text) {
    if (!append_utf8(utf8, code))
      throw FormatError(
          source, 0,
          fmt::format("character code {:#x}, expected Unicode", static_cast<std::uint32_t>(code)));
  }
  return utf8;
}

std::u32string text_codes(const std::string& text) {
  auto codes = decode_utf8(text);
  if (!codes) throw InvalidInput("text is not valid UTF-8");
  if (codes->ends_with(U'\0')) throw InvalidInput("text ends in a zero, which NumPy cannot hold");
  return *std::move(codes);
}

}  // namespace

std::size_t NpyHeader::count() const {
  std::size_t product = 1;
  for (const std::size_t extent : shape) product *= extent;
  return product;
}

bool NpyHeader::is_numeric() const {
  const auto is_one_of = [this](std::initializer_list<std::size_t> sizes) {
    return std::ranges::find(sizes, item_size) != sizes.end();
  };
  if (kind == 'f') return is_one_of({2, 4, 8});
  if (kind == 'b') return item_size == 1;
  return (kind == 'i' || kind == 'u') && is_one_of({1, 2, 4, 8});
}

void require_numeric(const NpyHeader& header, std::string_view source) {
  if (!header.is_numeric())
    throw FormatError(source, 0,
                      fmt::format("the elements are {}, expected numbers (float16 to float64, "
                                  "integers or bool)",
                                  npy_type_name(header)));
}

void require_text(const NpyHeader& header, std::string_view source) {
  // Texts without characters would make any number of elements fit into zero bytes.
  if (!header.is_text() || header.item_size == 0)
    throw FormatError(
        source, 0,
        fmt::format("the elements are {}, expected Unicode text", npy_type_name(header)));
}

std::string npy_type_name(const NpyHeader& header) {
  switch (header.kind) {
    case 'f':
      return fmt::format("float{}", 8 * header.item_size);
    case 'i':
      return fmt::format("int{}", 8 * header.item_size);
    case 'u':
      return fmt::format("uint{}", 8 * header.item_size);
    case 'b':
      return "bool";
    case 'c':
      return "complex numbers";
    case 'O':
      return "Python objects";
    case 'U':
      return "Unicode text";
    case 'S':
      return "byte strings";
    case 'M':
    case 'm':
      return "dates or times";
    default:
      return "structured or raw data";
  }
}

void decode_npy_numbers(const NpyHeader& header, std::string_view bytes,
                        std::span<double> numbers) {
  decode_npy_column(header, bytes.data(), header.item_size, numbers.data(), 1, numbers.size());
}

void decode_npy_column(const NpyHeader& header, const char* bytes, std::size_t stride,
                       double* numbers, std::size_t number_stride, std::size_t count) {
  with_element_type(header, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i)
      numbers[i * number_stride] = static_cast<double>(load<T>(bytes + i * stride, header.swapped));
  });
}

std::string npy_number_text(const NpyHeader& header, std::string_view bytes) {
  return with_element_type(header, [&]<class T>(T) {
    const T value = load<T>(bytes.data(), header.swapped);
    // Widened to int, because fmt would print one-byte integers as what they are: characters.
    if constexpr (sizeof(T) == 1) return fmt::format_int(int{value}).str();
    if constexpr (std::is_integral_v<T>) return fmt::format_int(value).str();
    if constexpr (std::is_same_v<T, Half>)
      return fmt::format("{}", static_cast<float>(static_cast<double>(value)));
    else
      return fmt::format("{}", value);
  });
}

std::vector<std::string> decode_npy_text(const NpyHeader& header, std::string_view bytes,
                                         std::string_view source) {
  std::vector<std::string> texts(header.count());
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts[i] =
        text_element(bytes.substr(i * header.item_size, header.item_size), header.swapped, source);
  return texts;
}

std::string encode_npy(std::span<const double> values, std::vector<std::size_t> shape) {
  return encode('f', values, std::move(shape));
}

std::string encode_npy(std::span<const std::int64_t> values, std::vector<std::size_t> shape) {
  return encode('i', values, std::move(shape));
}

std::string encode_npy(std::span<const std::string> values, std::vector<std::size_t> shape) {
  std::vector<std::u32string> texts;
  std::size_t longest = 1;  // NumPy has no text of no characters
  for (const auto& value : values) {
    texts.push_back(text_codes(value));
    longest = std::max(longest, texts.back().size());
  }
  std::u32string codes;
  for (const auto& text : texts) codes.append(text).append(longest - text.size(), U'\0');
  std::string file =
      npy_header({.kind = 'U', .item_size = longest * sizeof(char32_t), .shape = std::move(shape)});
  const std::size_t start = file.size();
  file.resize(start + codes.size() * sizeof(char32_t));
  if (!codes.empty()) std::memcpy(file.data() + start, codes.data(), file.size() - start);
  return file;
}

}  // namespace bisector::io
