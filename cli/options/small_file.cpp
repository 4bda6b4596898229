#include "cli/options/small_file.h"

#include <fmt/format.h>

#include <vector>

#include "bisector/error.h"
#include "bisector/io/byte_source.h"

namespace bisector::cli {

std::string read_small_file(const std::filesystem::path& path, const Limits& limits,
                            std::string_view expected) {
  constexpr std::size_t kMost = std::size_t{1} << 26;
  const auto source = open_bytes(path, limits);
  std::string text;
  std::vector<char> part(1 << 16);
  while (const std::size_t count = source->read(part)) {
    text.append(part.data(), count);
    if (text.size() > kMost)
      throw FormatError(source->source(), 0, fmt::format("more than 64 MB, {}", expected));
  }
  return text;
}

}  // namespace bisector::cli
