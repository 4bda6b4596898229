#include "io/arrays/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "bisector/error.h"
#include "io/text/cells.h"

namespace bisector::io {
namespace {

// Deflate's best case is a little above 1030 bytes from one.
constexpr std::uint64_t kMaxUnpacked = 1100;
constexpr std::uint64_t kSlack = 1100;

[[noreturn]] void fail_to_open(const std::string& source, int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string reason = zip_error_code_system(&error) != 0
                                 ? std::generic_category().message(zip_error_code_system(&error))
                                 : zip_error_strerror(&error);
  zip_error_fini(&error);
  if (code == ZIP_ER_OPEN || code == ZIP_ER_NOENT || code == ZIP_ER_READ)
    throw FileError(fmt::format("cannot open {}: {}", source, reason));
  throw FormatError(source, 0,
                    fmt::format("not a readable zip archive, expected a whole file: {}", reason));
}

/// An archive may claim any size; what its bytes can unpack to is known.
void require_possible_size(const zip_stat_t& status, const std::string& title) {
  const bool is_stored = status.comp_method == ZIP_CM_STORE;
  if (!is_stored && status.comp_method != ZIP_CM_DEFLATE)
    throw FormatError(title, 0, "packed by an unknown method, expected it stored or deflated");
  const std::uint64_t most =
      is_stored ? status.comp_size : (status.comp_size + kSlack) * kMaxUnpacked;
  if (status.size > most)
    throw FormatError(
        title, 0,
        fmt::format("{} bytes packed into {}, more than possible", status.size, status.comp_size));
}

}  // namespace

ZipEntry::ZipEntry(std::shared_ptr<zip_t> archive, std::string title, zip_file_t* file,
                   const zip_stat_t& status)
    : archive_(std::move(archive)),
      title_(std::move(title)),
      file_(file, zip_fclose),
      size_(status.size),
      packed_size_(status.comp_size),
      is_stored_(status.comp_method == ZIP_CM_STORE) {}

void ZipEntry::read_exactly(std::span<char> to) {
  // Damaged archives can hold more bytes than they declare; the declared size is the limit.
  if (to.size() > remaining()) throw FormatError(title_, 0, "the array ends early");
  while (!to.empty()) {
    const zip_int64_t got = zip_fread(file_.get(), to.data(), to.size());
    if (got < 0)
      throw FormatError(title_, 0, fmt::format("damaged: {}", zip_file_strerror(file_.get())));
    if (got == 0) throw FormatError(title_, 0, "the array ends early");
    to = to.subspan(static_cast<std::size_t>(got));
    done_ += static_cast<std::uint64_t>(got);
  }
  if (done_ == size_) require_end();
}

/// libzip compares the checksum when it is asked for more than there is.
void ZipEntry::require_end() {
  char byte;
  if (zip_fread(file_.get(), &byte, 1) != 0)
    throw FormatError(title_, 0, fmt::format("damaged: {}", zip_file_strerror(file_.get())));
}

ZipArchive::ZipArchive(const std::filesystem::path& path) : source_(path.string()) {
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (archive == nullptr) fail_to_open(source_, code);
  archive_ = std::shared_ptr<zip_t>(archive, zip_discard);
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive, 0));
  for (zip_uint64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(archive, i, 0);
    if (name != nullptr) names_.emplace_back(name);
  }
}

bool ZipArchive::has(const std::string& name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::vector<ZipFacts> ZipArchive::directory() const {
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  std::vector<ZipFacts> facts;
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive_.get(), 0));
  for (zip_uint64_t i = 0; i < count; ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive_.get(), i, 0, &status) != 0 || (status.valid & kNeeded) != kNeeded)
      throw FormatError(source_, 0, fmt::format("entry {} of the archive is damaged", i + 1));
    facts.push_back({status.name, status.size, status.comp_size, status.comp_method});
  }
  return facts;
}

ZipEntry ZipArchive::open(const std::string& name) const {
  const std::string title = fmt::format("{}: {}", source_, printed(name));
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat(archive_.get(), name.c_str(), 0, &status) != 0)
    throw FormatError(title, 0, zip_strerror(archive_.get()));
  require_possible_size(status, title);
  zip_file_t* file = zip_fopen(archive_.get(), name.c_str(), 0);
  if (file == nullptr) throw FormatError(title, 0, zip_strerror(archive_.get()));
  return ZipEntry(archive_, title, file, status);
}

}  // namespace bisector::io
