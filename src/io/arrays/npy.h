// NumPy's .npy format: the header, and its elements to and from doubles and UTF-8 text. Nothing
// here opens a file, so the same code serves files, zip entries and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bisector::io {

/// The header of an array. parse_npy_header() ensures that count() and bytes() do not
/// overflow; whether the file really holds that much is for its reader to check.
struct NpyHeader {
  char kind = 'f';            // NumPy's letter: 'f' 'i' 'u' 'b' 'U' ..., 'V' for structured data
  std::size_t item_size = 8;  // bytes of an element; four for each character of a 'U' text
  bool swapped = false;       // the byte order is not this machine's
  bool fortran = false;       // the first index runs fastest
  std::vector<std::size_t> shape;

  std::size_t count() const;
  std::size_t bytes() const { return count() * item_size; }
  /// True for f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1: what decode_npy_numbers() reads.
  bool is_numeric() const;
  bool is_text() const { return kind == 'U'; }
};

/// Fills the whole span with the next bytes of the source, or throws.
using ReadExactly = std::function<void(std::span<char>)>;

/// Reads magic, version (1 to 3) and dictionary, and leaves `read` at the first element. `source`
/// names the array in errors. Accepts every element type that NumPy can write, because an archive
/// may hold arrays that are not needed; call is_numeric() or require_numeric() before decoding.
NpyHeader parse_npy_header(const ReadExactly& read, std::string_view source);

/// Throws FormatError, saying what the elements are instead.
void require_numeric(const NpyHeader& header, std::string_view source);
void require_text(const NpyHeader& header, std::string_view source);

/// "float64", "int32", "text", "Python objects" and so on, for errors.
std::string npy_type_name(const NpyHeader& header);

/// Converts elements to doubles: `bytes` holds exactly numbers.size() elements of a numeric array.
void decode_npy_numbers(const NpyHeader& header, std::string_view bytes, std::span<double> numbers);

/// Converts one column: the elements start `stride` bytes apart, the numbers `number_stride`
/// numbers apart.
void decode_npy_column(const NpyHeader& header, const char* bytes, std::size_t stride,
                       double* numbers, std::size_t number_stride, std::size_t count);

/// The first of `bytes` as the shortest text that reads back as the same element: integers without
/// a decimal point, and exact where a double could not hold them.
std::string npy_number_text(const NpyHeader& header, std::string_view bytes);

/// Elements of a 'U' array as UTF-8, without the padding zeros. Throws FormatError for a code that
/// is not a character.
std::vector<std::string> decode_npy_text(const NpyHeader& header, std::string_view bytes,
                                         std::string_view source);

/// Magic, version and dictionary, padded so that the elements start at a multiple of 64 bytes.
std::string npy_header(const NpyHeader& header);

/// Whole .npy files in C order: float64, int64, and text. An empty shape is a single element.
/// Throws InvalidInput for text that is not UTF-8, or that ends in a zero (NumPy would drop it).
std::string encode_npy(std::span<const double> values, std::vector<std::size_t> shape);
std::string encode_npy(std::span<const std::int64_t> values, std::vector<std::size_t> shape);
std::string encode_npy(std::span<const std::string> values, std::vector<std::size_t> shape);

}  // namespace bisector::io
