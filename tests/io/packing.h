// Packed bytes, made by the libraries that others unpack them with.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace bisector {

/// `window_bits` as zlib has them: they say which head and tail the packed bytes get.
inline std::string deflated(std::string_view text, int window_bits) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::string gzipped(std::string_view text) { return deflated(text, MAX_WBITS + 16); }

/// As in a zip archive, without head and tail.
inline std::string raw_deflated(std::string_view text) { return deflated(text, -MAX_WBITS); }

}  // namespace bisector
