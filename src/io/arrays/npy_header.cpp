// The header of an .npy file: magic, version, length, and a Python dictionary in text. The
// dictionary is read by a small parser of exactly what NumPy writes there; nothing is evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

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

/// A walk over the text of the dictionary; every step throws FormatError where the text differs.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  NpyHeader parse();

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw FormatError(source_, 0, fmt::format("NPY header: {}", problem));
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("no '{}' at byte {} of the dictionary", wanted, at_));
  }
  std::string_view quoted();
  void entry(std::string_view key, NpyHeader& header);
  void element_type(NpyHeader& header);
  bool boolean();
  std::vector<std::size_t> tuple();
  std::size_t whole_number();
  void skip_brackets();

  std::string_view text_, source_;
  std::size_t at_ = 0;
};

NpyHeader DictionaryParser::parse() {
  NpyHeader header;
  std::vector<std::string_view> seen;
  expect('{');
  while (!accept('}')) {
    const std::string_view key = quoted();
    if (std::ranges::find(seen, key) != seen.end())
      fail(fmt::format("{} stands twice", shown(key)));
    seen.push_back(key);
    expect(':');
    entry(key, header);
    if (!accept(',')) {
      expect('}');
      break;
    }
  }
  skip_space();
  if (at_ != text_.size()) fail("text after the dictionary");
  // Three keys exist, none can stand twice, and entry() refuses any other.
  if (seen.size() != 3) fail("expected descr, fortran_order and shape");
  return header;
}

std::string_view DictionaryParser::quoted() {
  const char quote = accept('"') ? '"' : '\'';
  if (quote == '\'') expect('\'');
  const std::size_t end = text_.find(quote, at_);
  if (end == std::string_view::npos) fail("a quote is not closed");
  const std::string_view content = text_.substr(at_, end - at_);
  at_ = end + 1;
  return content;
}

void DictionaryParser::entry(std::string_view key, NpyHeader& header) {
  if (key == "descr")
    element_type(header);
  else if (key == "fortran_order")
    header.fortran = boolean();
  else if (key == "shape")
    header.shape = tuple();
  else
    fail(fmt::format("unknown key {}", shown(key)));
}

/// "<f8": byte order, kind and size. A list instead describes the fields of structured data.
void DictionaryParser::element_type(NpyHeader& header) {
  skip_space();
  if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
    skip_brackets();
    header.kind = 'V';
    header.item_size = 0;
    return;
  }
  const std::string_view type = quoted();
  if (type.size() < 2 || std::string_view("<>|=").find(type[0]) == std::string_view::npos)
    fail(fmt::format("descr is {}, expected a type such as \"<f8\"", shown(type)));
  header.kind = type[1];
  header.swapped = type[0] == (kLittleEndian ? '>' : '<');
  // Objects have no size, and dates have their unit behind it: neither is ever decoded.
  header.item_size = 0;
  std::from_chars(type.data() + 2, type.data() + type.size(), header.item_size);
  if (header.kind == 'U') {
    if (header.item_size > std::numeric_limits<std::uint32_t>::max())
      fail(fmt::format("descr is {}, too long a text", shown(type)));
    header.item_size *= 4;
  }
}

bool DictionaryParser::boolean() {
  skip_space();
  for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
    if (text_.substr(at_).starts_with(word)) {
      at_ += std::string_view(word).size();
      return value;
    }
  }
  fail("fortran_order is neither True nor False");
}

std::vector<std::size_t> DictionaryParser::tuple() {
  std::vector<std::size_t> extents;
  expect('(');
  while (!accept(')')) {
    extents.push_back(whole_number());
    if (extents.size() > kMaxDimensions)
      fail(fmt::format("more than {} dimensions", kMaxDimensions));
    if (!accept(',')) {
      expect(')');
      break;
    }
  }
  return extents;
}

std::size_t DictionaryParser::whole_number() {
  skip_space();
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  if (error != std::errc()) fail("an extent of the shape is not a whole number, or too large");
  at_ = static_cast<std::size_t>(end - text_.data());
  accept('L');  // Python 2 marked long integers so
  return value;
}

void DictionaryParser::skip_brackets() {
  std::size_t depth = 0;
  do {
    skip_space();
    if (at_ == text_.size()) fail("a bracket without its end");
    const char c = text_[at_];
    if (c == '\'' || c == '"') {
      quoted();
      continue;
    }
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    ++at_;
  } while (depth > 0);
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
  NpyHeader header = DictionaryParser(text, source).parse();
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
