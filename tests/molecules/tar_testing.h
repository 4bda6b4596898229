// Tar archives written by hand, so that tests can also write wrong ones.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bisector {

/// Makes the checksum of the header at the front right.
inline void set_tar_checksum(std::string& header) {
  header.replace(148, 8, 8, ' ');
  unsigned sum = 0;
  for (std::size_t n = 0; n < 512; ++n) sum += static_cast<unsigned char>(header[n]);
  char number[16];
  std::snprintf(number, sizeof number, "%06o", sum);
  header.replace(148, 7, std::string(number) + '\0');
}

/// One member: its header and its content in blocks of 512.
inline std::string tar_member(const std::string& name, std::string_view content, char type = '0') {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char number[16];
  std::snprintf(number, sizeof number, "%011zo", content.size());
  header.replace(124, 11, number);
  header[156] = type;
  set_tar_checksum(header);
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
