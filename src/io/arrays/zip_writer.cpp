#include "io/arrays/zip_writer.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

#include "bisector/error.h"

namespace bisector::io {
namespace {

// Midnight of 1 January 1980, the first date that the format can hold: the same input must give the
// same bytes whenever it is written.
constexpr zip_uint16_t kDosTime = 0;
constexpr zip_uint16_t kDosDate = 1 << 5 | 1;

/// The reason of the system if there is one: "No space left on device" says more than "Write
/// error".
std::string reason_of(zip_error_t* error) {
  if (zip_error_system_type(error) == ZIP_ET_SYS)
    return std::generic_category().message(zip_error_code_system(error));
  return zip_error_strerror(error);
}

}  // namespace

void ZipWriter::fail(const std::string& reason) const {
  throw FileError(fmt::format("cannot write {}: {}", path_, reason));
}

ZipWriter::ZipWriter(const std::filesystem::path& path) : path_(path.string()) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("Is a directory");
  int code = 0;
  archive_.reset(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string reason = reason_of(&error);
  zip_error_fini(&error);
  fail(reason);
}

ZipWriter::ZipWriter(std::ostream& out) : path_("an archive"), out_(&out) {
  zip_error_t error;
  zip_error_init(&error);
  memory_.reset(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (memory_) {
    zip_source_keep(memory_.get());  // zip_close() lets go of one of the two
    archive_.reset(zip_open_from_source(memory_.get(), ZIP_TRUNCATE, &error));
    if (!archive_) zip_source_free(memory_.get());
  }
  const std::string reason = archive_ ? "" : reason_of(&error);
  zip_error_fini(&error);
  if (!archive_) fail(reason);
}

void ZipWriter::add(const std::string& name, std::string content) {
  const std::string& kept = contents_.emplace_back(std::move(content));
  zip_t* archive = archive_.get();
  zip_source_t* source = zip_source_buffer(archive, kept.data(), kept.size(), 0);
  if (source == nullptr) fail(reason_of(zip_get_error(archive)));
  const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail(reason_of(zip_get_error(archive)));
  }
  const auto place = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, place, kDosTime, kDosDate, 0) != 0)
    fail(reason_of(zip_get_error(archive)));
}

void ZipWriter::close() {
  // libzip writes to a temporary file in the same directory, renames it when all went well, and
  // removes it otherwise.
  if (zip_close(archive_.get()) != 0) fail(reason_of(zip_get_error(archive_.get())));
  archive_.release();
  if (out_ != nullptr) copy_to_stream();
}

void ZipWriter::copy_to_stream() {
  std::vector<char> piece(1 << 20);
  const auto read = [&] { return zip_source_read(memory_.get(), piece.data(), piece.size()); };
  zip_int64_t got = zip_source_open(memory_.get());
  if (got == 0) {
    while ((got = read()) > 0 && *out_) out_->write(piece.data(), got);
    zip_source_close(memory_.get());
  }
  if (got < 0) fail(reason_of(zip_source_error(memory_.get())));
}

}  // namespace bisector::io
