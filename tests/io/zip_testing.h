// Zip archives written by hand, so that tests can also write wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bisector {

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320 & (0 - (crc & 1)));
  }
  return ~crc;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string result;
  for (int i = 0; i < bytes; ++i) result += static_cast<char>(value >> (8 * i) & 0xFF);
  return result;
}

/// Deflate without any compression: blocks of plain bytes.
inline std::string deflated(std::string_view bytes) {
  std::string result;
  do {
    const std::string_view block = bytes.substr(0, 65535);
    bytes.remove_prefix(block.size());
    result += bytes.empty() ? '\x01' : '\x00';
    result += little_endian(block.size(), 2) + little_endian(~block.size(), 2);
    result += block;
  } while (!bytes.empty());
  return result;
}

struct ZipContent {
  std::string name, bytes;
  bool is_deflated = false;
  std::uint64_t claimed_size = 0;  // zero: the true one
  std::uint32_t crc_error = 0;     // mixed into the true checksum
  std::string packed = {};         // the bytes deflated, where not by deflated()
};

inline std::string zip_archive(const std::vector<ZipContent>& entries) {
  std::string file, directory;
  for (const auto& entry : entries) {
    const std::string own = entry.is_deflated ? deflated(entry.bytes) : entry.bytes;
    const std::string& packed = entry.packed.empty() ? own : entry.packed;
    const std::uint64_t size = entry.claimed_size != 0 ? entry.claimed_size : entry.bytes.size();
    const std::string common = little_endian(20, 2) + little_endian(0, 2) +
                               little_endian(entry.is_deflated ? 8 : 0, 2) + little_endian(0, 4) +
                               little_endian(crc32(entry.bytes) ^ entry.crc_error, 4) +
                               little_endian(packed.size(), 4) + little_endian(size, 4) +
                               little_endian(entry.name.size(), 2) + little_endian(0, 2);
    directory += "PK\x01\x02" + little_endian(20, 2) + common + std::string(10, '\0') +
                 little_endian(file.size(), 4) + entry.name;
    file += "PK\x03\x04" + common + entry.name + packed;
  }
  const std::string end = "PK\x05\x06" + little_endian(0, 4) + little_endian(entries.size(), 2) +
                          little_endian(entries.size(), 2) + little_endian(directory.size(), 4) +
                          little_endian(file.size(), 4) + little_endian(0, 2);
  return file + directory + end;
}

}  // namespace bisector
