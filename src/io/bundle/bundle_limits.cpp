#include "io/bundle/bundle_limits.h"

#include <fmt/format.h>

#include <unordered_set>

#include "bisector/error.h"
#include "io/common/limits.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

void require_stored_size(const ZipFacts& facts, const std::string& title) {
  if (facts.size != facts.packed_size)
    throw FormatError(title, 0,
                      fmt::format("{} bytes stored as {}: the archive is damaged", facts.size,
                                  facts.packed_size));
}

void require_inflated_size(const ZipFacts& facts, const Limits& limits, const std::string& title) {
  if (facts.size > limits.max_unpacked_bytes)
    throw FormatError(
        title, 0,
        fmt::format("{} bytes when unpacked, expected at most {} (limit unpacked-bytes)",
                    facts.size, limits.max_unpacked_bytes));
  if (!limits.allow_unpacking(facts.packed_size, facts.size))
    throw FormatError(
        title, 0,
        fmt::format("{} bytes packed into {}, expected a ratio below {} (limit expansion)",
                    facts.size, facts.packed_size, limits.max_expansion));
}

void require_fair_size(const ZipFacts& facts, std::uint64_t file_size, const Limits& limits,
                       const std::string& title) {
  if (facts.packed_size > file_size)
    throw FormatError(title, 0,
                      fmt::format("{} bytes in a file of {}: the archive is damaged",
                                  facts.packed_size, file_size));
  if (facts.method == ZIP_CM_STORE)
    require_stored_size(facts, title);
  else if (facts.method == ZIP_CM_DEFLATE)
    require_inflated_size(facts, limits, title);
  else
    throw FormatError(
        title, 0, fmt::format("packed by method {}, expected it stored or deflated", facts.method));
}

}  // namespace

void require_within_limits(const ZipArchive& archive, std::uint64_t file_size,
                           const Limits& limits) {
  const std::string& source = archive.source();
  const std::vector<ZipFacts> directory = archive.directory();
  if (directory.size() > kMaxArchiveEntries)
    throw FormatError(source, 0,
                      fmt::format("{} entries in the archive, expected at most {}",
                                  directory.size(), kMaxArchiveEntries));
  std::unordered_set<std::string> names;
  for (const ZipFacts& facts : directory) {
    const std::string title = fmt::format("{}: entry {}", source, shown(facts.name));
    if (facts.name.find_first_of("/\\") != std::string::npos)
      throw FormatError(title, 0, "expected a name without a path");
    if (!names.insert(facts.name).second) throw FormatError(title, 0, "the name occurs twice");
    require_fair_size(facts, file_size, limits, title);
  }
}

}  // namespace bisector::io
