// The header of an .npy file: magic, version, length, and a Python dictionary in text. The
// dictionary is translated to JSON and read as such; nothing is evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "bisector/error.h"
#include "io/arrays/npy.h"
#include "io/text/cells.h"

namespace bisector::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// NumPy itself reads no more than 10,000 bytes unless it is told to trust the file.
constexpr std::size_t kLargestHeader = 65535;
constexpr std::size_t kMaxDimensions = 64;  // as many as NumPy has
constexpr std::size_t kAlignment = 64;
constexpr bool kLittleEndian = std::endian::native == std::endian::little;

using Json = nlohmann::json;

/// Python's texts, tuples and booleans as JSON.
std::string json_of(std::string_view python) {
  std::string json;
  char quote = '\0';  // around the current text
  for (std::size_t at = 0; at < python.size(); ++at) {
    const char c = python[at];
    if (c == quote || (quote == '\0' && (c == '\'' || c == '"'))) {
      quote = quote == '\0' ? c : '\0';
      json += '"';
    } else if (quote != '\0') {
      if (c == '"' || c == '\\') json += '\\';
      json += c;
    } else if (c == ')' || c == ']' || c == '}') {
      // A comma may follow the last element.
      json.erase(json.find_last_not_of(' ') + 1);
      if (json.ends_with(',')) json.pop_back();
      json += c == ')' ? ']' : c;
    } else if (c == 'T' || c == 'F') {
      json += c == 'T' ? 't' : 'f';  // True and False
    } else if (c != 'L') {           // Python 2 marked long integers by it
      json += c == '(' ? '[' : c;
    }
  }
  return json;
}

/// "<f8": byte order, kind and size. A list instead describes the fields of structured data.
template <class Fail>
void read_element_type(const Json& value, NpyHeader& header, const Fail& fail) {
  // Objects have no size, and dates have their unit behind it: neither is ever decoded.
  header.item_size = 0;
  header.kind = 'V';
  if (value.is_array()) return;
  const std::string type = value.is_string() ? value.get<std::string>() : "";
  if (type.size() < 2 || std::string_view("<>|=").find(type[0]) == std::string_view::npos)
    fail(fmt::format("descr is {}, expected a type such as \"<f8\"", shown(type)));
  header.kind = type[1];
  header.swapped = type[0] == (kLittleEndian ? '>' : '<');
  std::from_chars(type.data() + 2, type.data() + type.size(), header.item_size);
  if (header.kind != 'U') return;
  if (header.item_size > std::numeric_limits<std::uint32_t>::max())
    fail(fmt::format("descr is {}, too long a text", shown(type)));
  header.item_size *= 4;
}

template <class Fail>
std::vector<std::size_t> shape_of(const Json& value, const Fail& fail) {
  std::vector<std::size_t> extents;
  if (!value.is_array()) fail("the shape is not a tuple");
  for (const Json& extent : value) {
    if (!extent.is_number_unsigned())
      fail("an extent of the shape is not a whole number, or too large");
    extents.push_back(extent.get<std::size_t>());
  }
  if (extents.size() > kMaxDimensions) fail(fmt::format("more than {} dimensions", kMaxDimensions));
  return extents;
}

NpyHeader parse_dictionary(std::string_view text, std::string_view source) {
  const auto fail = [&](std::string_view problem) {
    throw FormatError(source, 0, fmt::format("NPY header: {}", problem));
  };
  std::set<std::string> keys;
  const auto require_new = [&](int depth, Json::parse_event_t event, Json& key) {
    const bool is_key = depth == 1 && event == Json::parse_event_t::key;
    if (is_key && !keys.insert(key.get<std::string>()).second)
      fail(fmt::format("{} occurs twice", shown(key.get<std::string>())));
    return true;
  };
  const Json dictionary = Json::parse(json_of(text), require_new, false);
  if (!dictionary.is_object()) fail("not a Python dictionary");
  NpyHeader header;
  for (const auto& [key, value] : dictionary.items()) {
    if (key == "descr")
      read_element_type(value, header, fail);
    else if (key == "shape")
      header.shape = shape_of(value, fail);
    else if (key != "fortran_order")
      fail(fmt::format("unknown key {}", shown(key)));
    else if (!value.is_boolean())
      fail("fortran_order is neither True nor False");
    else
      header.fortran = value.get<bool>();
  }
  if (dictionary.size() != 3) fail("expected descr, fortran_order and shape");
  return header;
}

/// Refuses shapes whose number of bytes does not fit: after this, count() and bytes() are safe.
void require_no_overflow(const NpyHeader& header, std::string_view source) {
  constexpr auto kMax = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  std::size_t bytes = std::max<std::size_t>(header.item_size, 1);
  // Zeros are left out, so that no partial product overflows in whatever order it is taken.
  for (const std::size_t extent : header.shape) {
    if (extent == 0) continue;
    if (bytes > kMax / extent)
      throw FormatError(source, 0, "NPY header: the shape is larger than any memory");
    bytes *= extent;
  }
}

/// The length of the dictionary: two bytes in version 1, four in versions 2 and 3.
std::size_t read_length(const ReadExactly& read, std::size_t length_bytes) {
  std::array<char, 4> bytes{};
  read(std::span(bytes).first(length_bytes));
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length;
}

/// A tuple as Python writes it: "()", "(3,)", "(3, 4)".
std::string shape_literal(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

NpyHeader parse_npy_header(const ReadExactly& read, std::string_view source) {
  std::array<char, kMagic.size() + 2> start;
  read(start);
  if (!std::string_view(start.data(), start.size()).starts_with(kMagic))
    throw FormatError(source, 0, "not an NPY array: the first bytes are not those of NumPy");
  const int version = static_cast<unsigned char>(start[kMagic.size()]);
  if (version < 1 || version > 3)
    throw FormatError(source, 0, fmt::format("NPY version {}, expected 1, 2 or 3", version));
  const std::size_t length = read_length(read, version == 1 ? 2 : 4);
  if (length > kLargestHeader)
    throw FormatError(
        source, 0,
        fmt::format("NPY header of {} bytes, expected at most {}", length, kLargestHeader));
  std::string text(length, '\0');
  read(text);
  NpyHeader header = parse_dictionary(text, source);
  require_no_overflow(header, source);
  return header;
}

std::string npy_header(const NpyHeader& header) {
  const bool is_little = kLittleEndian != header.swapped;
  const char order = header.item_size == 1 ? '|' : is_little ? '<' : '>';
  const std::size_t size = header.is_text() ? header.item_size / 4 : header.item_size;
  std::string dictionary =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': {}, 'shape': {}, }}", order, header.kind,
                  size, header.fortran ? "True" : "False", shape_literal(header.shape));
  // Version 1, with a length of two bytes: NumPy's 64 dimensions always fit.
  constexpr std::size_t kBeforeDictionary = 10;
  const std::size_t unpadded = kBeforeDictionary + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  const auto low = static_cast<char>(dictionary.size() & 0xFF);
  const auto high = static_cast<char>(dictionary.size() >> 8);
  return std::string(kMagic) + '\x01' + '\0' + low + high + dictionary;
}

}  // namespace bisector::io
