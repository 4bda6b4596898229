#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "bisector/error.h"
#include "io/archive.h"
#include "io/limits.h"
#include "io/open_file.h"
#include "io/text_lines.h"

namespace bisector {
namespace {

/// An archive that cannot be opened: the file's fault is a FormatError, the machine's a FileError.
[[noreturn]] void fail_to_open(const std::string& path, int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string reason = zip_error_strerror(&error);
  // A broken directory can make libzip seek to nowhere, which is still the file's fault.
  const bool is_machine = code == ZIP_ER_OPEN || code == ZIP_ER_MEMORY;
  zip_error_fini(&error);
  if (is_machine) throw FileError(fmt::format("cannot open {}: {}", path, reason));
  throw FormatError(path, 0, fmt::format("not a readable zip archive: {}", reason));
}

zip_stat_t entry_facts(zip_t* archive, std::uint64_t index, const std::string& path) {
  constexpr std::uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  zip_stat_t facts;
  zip_stat_init(&facts);
  if (zip_stat_index(archive, index, 0, &facts) != 0 || (facts.valid & kNeeded) != kNeeded)
    throw FormatError(path, 0, fmt::format("entry {} of the archive is broken", index + 1));
  return facts;
}

void require_plain_name(const std::string& name, const std::string& path) {
  if (name.empty() || name.find_first_of("/\\") != std::string::npos)
    throw FormatError(path, 0,
                      fmt::format("entry {}, expected a name without a path", quote(name)));
}

void require_fair_size(const zip_stat_t& facts, std::uint64_t file_size,
                       const std::string& source) {
  const auto fail = [&](const std::string& problem) { throw FormatError(source, 0, problem); };
  if (facts.comp_size > file_size)
    fail(
        fmt::format("{} bytes in a file of {}: the archive is broken", facts.comp_size, file_size));
  if (facts.comp_method == ZIP_CM_STORE) {
    if (facts.size != facts.comp_size)
      fail(
          fmt::format("{} bytes stored as {}: the archive is broken", facts.size, facts.comp_size));
    return;
  }
  if (facts.comp_method != ZIP_CM_DEFLATE)
    fail(fmt::format("compression method {}, expected stored or deflated", facts.comp_method));
  if (facts.size > kMaxInflatedBytes)
    fail(fmt::format("{} bytes when decompressed, expected at most {}", facts.size,
                     kMaxInflatedBytes));
  if (facts.size > kFreeInflatedBytes && facts.size > kMaxInflationRatio * facts.comp_size)
    fail(fmt::format("{} bytes compressed to {}, expected a ratio of at most {}", facts.size,
                     facts.comp_size, kMaxInflationRatio));
}

}  // namespace

void EntryStream::Close::operator()(zip_file* file) const { zip_fclose(file); }

EntryStream::EntryStream(zip* archive, const ArchiveEntry& entry, std::string source)
    : file_(zip_fopen_index(archive, entry.index, 0)),
      source_(std::move(source)),
      remaining_(entry.size) {
  if (!file_) throw FormatError(source_, 0, fmt::format("unreadable: {}", zip_strerror(archive)));
}

void EntryStream::fail_broken() const {
  const std::string reason = zip_file_strerror(file_.get());
  throw FormatError(source_, 0, fmt::format("the archive is broken: {}", reason));
}

void EntryStream::read_exactly(std::span<char> bytes) {
  while (!bytes.empty()) {
    const zip_int64_t count = zip_fread(file_.get(), bytes.data(), bytes.size());
    if (count < 0) fail_broken();
    if (count == 0 || static_cast<std::uint64_t>(count) > remaining_)
      throw FormatError(source_, 0, "the array ends too early");
    remaining_ -= static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void EntryStream::require_end() {
  char extra;
  // libzip compares the checksum when it reaches the end.
  const zip_int64_t count = zip_fread(file_.get(), &extra, 1);
  if (count < 0) fail_broken();
  if (count > 0 || remaining_ > 0)
    throw FormatError(source_, 0, "the array has more bytes than its shape says");
}

void ArchiveReader::Discard::operator()(zip* archive) const { zip_discard(archive); }

ArchiveReader::ArchiveReader(const std::filesystem::path& path) {
  open_input_file(path);  // for its messages
  const std::string source = path.string();
  int code = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (!archive_) fail_to_open(source, code);
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(archive_.get(), 0));
  if (count > kMaxArchiveEntries)
    throw FormatError(
        source, 0,
        fmt::format("{} entries in the archive, expected at most {}", count, kMaxArchiveEntries));
  const std::uint64_t file_size = std::filesystem::file_size(path);
  std::unordered_set<std::string> names;
  for (std::uint64_t index = 0; index < count; ++index) {
    const zip_stat_t facts = entry_facts(archive_.get(), index, source);
    ArchiveEntry entry{facts.name, index, facts.size};
    require_plain_name(entry.name, source);
    if (!names.insert(entry.name).second)
      throw FormatError(source, 0, fmt::format("entry {} stands twice", quote(entry.name)));
    require_fair_size(facts, file_size, fmt::format("{}: entry {}", source, quote(entry.name)));
    entries_.push_back(std::move(entry));
  }
}

EntryStream ArchiveReader::open(const ArchiveEntry& entry, std::string source) const {
  return EntryStream(archive_.get(), entry, std::move(source));
}

}  // namespace bisector
