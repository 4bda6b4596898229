// Packed bytes, made by the libraries that others unpack them with, and tar archives by hand.
#pragma once

#include <bzlib.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bisector {

inline std::string gzipped(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
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

inline std::string bzipped(std::string_view text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
  std::string packed(size, '\0');
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 9, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

/// One member: its header and its content in blocks of 512.
inline std::string tar_member(const std::string& name, std::string_view content, char type = '0') {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char number[16];
  std::snprintf(number, sizeof number, "%011zo", content.size());
  header.replace(124, 11, number);
  header[156] = type;
  header.replace(148, 8, 8, ' ');
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(number, sizeof number, "%06o", sum);
  header.replace(148, 7, std::string(number) + '\0');
  std::string member = header + std::string(content);
  member.resize((member.size() + 511) / 512 * 512);
  return member;
}

inline std::string tar_of(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string archive;
  for (const auto& [name, content] : members) archive += tar_member(name, content);
  return archive + std::string(1024, '\0');
}

}  // namespace bisector
