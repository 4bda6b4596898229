#include "io/arrays/npy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "bisector/error.h"

namespace bisector {

using namespace io;

namespace {

/// A file in memory with a place in it, as parse_npy_header() wants it.
class Bytes {
 public:
  explicit Bytes(std::string content) : content_(std::move(content)) {}
  NpyHeader header() {
    return parse_npy_header([this](std::span<char> to) { take(to); }, "array.npy");
  }
  std::string_view rest() const { return std::string_view(content_).substr(at_); }

 private:
  void take(std::span<char> to) {
    if (to.size() > content_.size() - at_) throw FormatError("array.npy", 0, "ends early");
    std::memcpy(to.data(), content_.data() + at_, to.size());
    at_ += to.size();
  }
  std::string content_;
  std::size_t at_ = 0;
};

/// A version 1 header around any dictionary, padded by hand as a person would not.
std::string with_dictionary(const std::string& dictionary, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  file += static_cast<char>(dictionary.size() & 0xFF);
  file += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) file.append(2, '\0');
  return file + dictionary;
}

NpyHeader parse_dictionary(const std::string& dictionary) {
  return Bytes(with_dictionary(dictionary)).header();
}

std::string error_of(const std::string& file) {
  try {
    Bytes(file).header();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<double> numbers(const NpyHeader& header, std::string_view bytes) {
  std::vector<double> values(header.count());
  decode_npy_numbers(header, bytes, values);
  return values;
}

TEST(NpyHeader, ReadsWhatNumpyWrites) {
  const NpyHeader header = parse_dictionary(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }                  \n");
  EXPECT_EQ(header.kind, 'f');
  EXPECT_EQ(header.item_size, 8u);
  EXPECT_FALSE(header.fortran);
  EXPECT_EQ(header.shape, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(header.bytes(), 96u);
  EXPECT_EQ(header.swapped, std::endian::native == std::endian::big);
}

TEST(NpyHeader, ReadsTheOtherSpellings) {
  const NpyHeader header =
      parse_dictionary("{\"shape\":(5L,),\"fortran_order\":True,\"descr\":\">i2\"}");
  EXPECT_EQ(header.kind, 'i');
  EXPECT_EQ(header.item_size, 2u);
  EXPECT_TRUE(header.fortran);
  EXPECT_EQ(header.shape, std::vector<std::size_t>{5});
  EXPECT_TRUE(
      parse_dictionary("{'descr': '|b1', 'fortran_order': False, 'shape': ()}").shape.empty());
}

TEST(NpyHeader, ReadsVersionsTwoAndThree) {
  for (const int version : {2, 3}) {
    Bytes file(
        with_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n", version) +
        "abcd");
    EXPECT_EQ(file.header().item_size, 4u);
    EXPECT_EQ(file.rest(), "abcd");
  }
}

TEST(NpyHeader, KnowsWhatItCannotDecode) {
  const auto refused = [](const std::string& type) {
    const NpyHeader header = parse_dictionary(
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': (2,)}}", type));
    try {
      require_numeric(header, "array.npy");
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused("'|O'"),
            "array.npy: the elements are Python objects, expected numbers (float16 to "
            "float64, integers or bool)");
  EXPECT_NE(refused("[('x', '<f8'), ('y', [('a', '<i4')], (2, 2))]").find("structured"),
            std::string::npos);
  EXPECT_NE(refused("'<U7'").find("Unicode text"), std::string::npos);
  EXPECT_EQ(refused("'<f2'"), "accepted");
  EXPECT_NE(refused("'<c16'").find("complex"), std::string::npos);
  EXPECT_NE(refused("'<M8[ns]'").find("dates"), std::string::npos);
  EXPECT_EQ(refused("'<u4'"), "accepted");
}

TEST(NpyHeader, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("PK\x03\x04 something else"),
            "array.npy: not an NPY array: the first bytes are not those of NumPy");
  EXPECT_EQ(error_of(with_dictionary("{}", 4)), "array.npy: NPY version 4, expected 1, 2 or 3");
  EXPECT_EQ(error_of(with_dictionary("{'descr': '<f8', 'shape': (1,)}")),
            "array.npy: NPY header: expected descr, fortran_order and shape");
  EXPECT_EQ(error_of(with_dictionary("{'descr': '<f8', 'descr': '<f8', 'shape': (1,)}")),
            "array.npy: NPY header: \"descr\" occurs twice");
  EXPECT_EQ(error_of(with_dictionary("{'__import__': 1}")),
            "array.npy: NPY header: unknown key \"__import__\"");
  EXPECT_EQ(error_of(with_dictionary("{'shape': (-1,)}")),
            "array.npy: NPY header: an extent of the shape is not a whole number, or too large");
  EXPECT_EQ(error_of("\x93NUMPY\x01"), "array.npy: ends early");
}

TEST(NpyHeader, RefusesShapesThatOverflow) {
  const auto with_shape = [](const std::string& shape) {
    return error_of(with_dictionary(
        fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}}}", shape)));
  };
  EXPECT_NE(with_shape("(4294967296, 4294967296)").find("larger than any memory"),
            std::string::npos);
  // The zero must not hide the rest of the product.
  EXPECT_NE(with_shape("(4294967296, 4294967296, 0)").find("larger than any memory"),
            std::string::npos);
  EXPECT_NE(with_shape("(99999999999999999999999,)").find("too large"), std::string::npos);
  EXPECT_EQ(with_shape("(4294967296, 0)"), "no error");
}

TEST(NpyHeader, RefusesLongHeadersBeforeReadingThem) {
  std::string file = "\x93NUMPY";
  file += '\x02';
  file += '\0';
  file += "\xFF\xFF\xFF\x7F";
  EXPECT_EQ(error_of(file), "array.npy: NPY header of 2147483647 bytes, expected at most 65535");
}

// Every prefix and every changed byte of a good header is either read or refused with FormatError;
// the sanitizers see to the rest.
TEST(NpyHeader, SurvivesDamage) {
  const std::string good = npy_header({.kind = 'f', .item_size = 8, .shape = {3, 4}});
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(error_of(good.substr(0, length)), "no error") << length;
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = good;
    for (int i = 0; i < 3; ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
    error_of(damaged);
  }
}

TEST(NpyHeader, WritesWhatNumpyWrites) {
  const std::string header = npy_header({.kind = 'f', .item_size = 8, .shape = {3, 4}});
  EXPECT_EQ(header.size(), 128u);
  EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\x01\0\x76\0", 10));
  EXPECT_EQ(header.substr(10, 60), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } ");
  EXPECT_EQ(header.back(), '\n');
}

TEST(NpyHeader, ReadsBackWhatItWrites) {
  for (const std::vector<std::size_t>& shape :
       {std::vector<std::size_t>{}, {7}, {3, 4}, {1000000, 123456, 1}, {0, 5}}) {
    for (const bool swapped : {false, true}) {
      const NpyHeader header{
          .kind = 'i', .item_size = 4, .swapped = swapped, .fortran = swapped, .shape = shape};
      const std::string written = npy_header(header);
      EXPECT_EQ(written.size() % 64, 0u);
      Bytes file(written);
      const NpyHeader back = file.header();
      EXPECT_EQ(back.shape, shape);
      EXPECT_EQ(back.kind, 'i');
      EXPECT_EQ(back.item_size, 4u);
      EXPECT_EQ(back.swapped, swapped);
      EXPECT_EQ(back.fortran, swapped);
      EXPECT_EQ(file.rest(), "");
    }
  }
}

TEST(NpyElements, DecodesEveryNumericType) {
  const auto decode_one = [](const std::string& type, std::string bytes) {
    const NpyHeader header = parse_dictionary(
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (1,)}}", type));
    EXPECT_EQ(header.item_size, bytes.size()) << type;
    return numbers(header, bytes)[0];
  };
  using namespace std::string_literals;
  EXPECT_EQ(decode_one("|b1", "\x01"), 1.0);
  EXPECT_EQ(decode_one("|i1", "\xFE"), -2.0);
  EXPECT_EQ(decode_one("|u1", "\xFE"), 254.0);
  EXPECT_EQ(decode_one("<i2", "\x01\x80"), -32767.0);
  EXPECT_EQ(decode_one(">i2", "\x80\x01"), -32767.0);
  EXPECT_EQ(decode_one("<u2", "\x01\x80"), 32769.0);
  EXPECT_EQ(decode_one("<i4", "\xFF\xFF\xFF\xFF"), -1.0);
  EXPECT_EQ(decode_one(">u4", "\x00\x00\x01\x00"s), 256.0);
  EXPECT_EQ(decode_one("<i8", "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), -2.0);
  EXPECT_EQ(decode_one(">u8", "\x80\0\0\0\0\0\0\0"s), std::ldexp(1.0, 63));
  EXPECT_EQ(decode_one("<f4", "\x00\x00\xC0\x3F"s), 1.5);
  EXPECT_EQ(decode_one(">f4", "\x3F\xC0\x00\x00"s), 1.5);
  EXPECT_EQ(decode_one("<f8", "\0\0\0\0\0\0\xF8\x3F"s), 1.5);
  EXPECT_EQ(decode_one(">f8", "\x3F\xF8\0\0\0\0\0\0"s), 1.5);
}

TEST(NpyElements, WritesNumbersAsTheirShortestText) {
  const auto text = []<class T>(char kind, T value) {
    return npy_number_text({.kind = kind, .item_size = sizeof(T), .shape = {1}},
                           {reinterpret_cast<const char*>(&value), sizeof(T)});
  };
  EXPECT_EQ(text('f', 3.0), "3");
  EXPECT_EQ(text('f', 0.1), "0.1");
  EXPECT_EQ(text('f', 0.1f), "0.1");
  EXPECT_EQ(text('i', std::int8_t{-5}), "-5");
  EXPECT_EQ(text('u', std::uint8_t{65}), "65");
  EXPECT_EQ(text('b', std::uint8_t{1}), "1");
  // One more than the largest whole number up to which doubles are exact.
  EXPECT_EQ(text('i', std::int64_t{9007199254740993}), "9007199254740993");
  EXPECT_EQ(text('u', std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(NpyElements, RoundTripsNumbers) {
  std::mt19937_64 random(2);
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;
  while (doubles.size() < 600) {
    const auto bits = random();
    integers.push_back(static_cast<std::int32_t>(bits));
    doubles.push_back(std::isfinite(std::bit_cast<double>(bits)) ? std::bit_cast<double>(bits) : 0);
  }
  Bytes first(encode_npy(std::span<const double>(doubles), {20, 30}));
  const NpyHeader header = first.header();
  EXPECT_EQ(header.shape, (std::vector<std::size_t>{20, 30}));
  EXPECT_EQ(numbers(header, first.rest()), doubles);
  Bytes second(encode_npy(std::span<const std::int64_t>(integers), {600}));
  const NpyHeader integer_header = second.header();
  EXPECT_EQ(integer_header.kind, 'i');
  EXPECT_EQ(numbers(integer_header, second.rest()),
            std::vector<double>(integers.begin(), integers.end()));
}

TEST(NpyElements, RoundTripsText) {
  const std::vector<std::string> texts{"", "alcohol", "pH", "\u00e9\u20ac\U0001F377", "a b\nc"};
  Bytes file(encode_npy(std::span<const std::string>(texts), {5}));
  const NpyHeader header = file.header();
  EXPECT_EQ(header.kind, 'U');
  EXPECT_EQ(header.item_size, 28u);
  EXPECT_NO_THROW(require_text(header, "array.npy"));
  EXPECT_EQ(decode_npy_text(header, file.rest(), "array.npy"), texts);
}

TEST(NpyElements, DecodesSwappedText) {
  using namespace std::string_literals;
  const NpyHeader header =
      parse_dictionary("{'descr': '>U2', 'fortran_order': False, 'shape': (2,)}");
  EXPECT_EQ(decode_npy_text(header, "\0\0\0a\0\0 \xAC\0\0\0b\0\0\0\0"s, "array.npy"),
            (std::vector<std::string>{"a\u20ac", "b"}));
}

TEST(NpyElements, RefusesWhatIsNoText) {
  const NpyHeader header{.kind = 'U', .item_size = 4, .shape = {1}};
  const char32_t surrogate = 0xD800;
  EXPECT_THROW(decode_npy_text(header, {reinterpret_cast<const char*>(&surrogate), 4}, "array.npy"),
               FormatError);
  EXPECT_THROW(require_text({.kind = 'U', .item_size = 0, .shape = {1}}, "a"), FormatError);
  for (const std::string bad : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80"})
    EXPECT_THROW(encode_npy(std::span<const std::string>(&bad, 1), {1}), InvalidInput);
  const std::string zero_at_end("a\0", 2);
  EXPECT_THROW(encode_npy(std::span<const std::string>(&zero_at_end, 1), {1}), InvalidInput);
}

}  // namespace
}  // namespace bisector
