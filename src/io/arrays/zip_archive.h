// Reading zip archives, such as NumPy's .npz files, with libzip.
#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bisector::io {

/// An entry as the directory of the archive describes it; its bytes were not checked.
struct ZipFacts {
  std::string name;
  std::uint64_t size = 0, packed_size = 0;  // bytes
  unsigned method = 0;                      // ZIP_CM_STORE, ZIP_CM_DEFLATE or another
};

/// The bytes of one entry, read in order. It keeps its archive open.
class ZipEntry {
 public:
  /// The decompressed size according to the archive; at most what its compressed bytes can become.
  std::uint64_t size() const { return size_; }
  /// The compressed size according to the archive.
  std::uint64_t packed_size() const { return packed_size_; }
  /// True if the entry is not compressed.
  bool is_stored() const { return is_stored_; }
  /// The bytes that are still to be read.
  std::uint64_t remaining() const { return size_ - done_; }
  /// Fills the span. Throws FormatError if the entry ends early or is damaged; the checksum is
  /// checked before the last byte is returned.
  void read_exactly(std::span<char> to);

 private:
  friend class ZipArchive;
  ZipEntry(std::shared_ptr<zip_t> archive, std::string title, zip_file_t* file,
           const zip_stat_t& status);
  void require_end();

  std::shared_ptr<zip_t> archive_;  // closed after the entry
  std::string title_;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
  std::uint64_t size_, packed_size_, done_ = 0;
  bool is_stored_;
};

class ZipArchive {
 public:
  /// Throws FileError, or FormatError for a file that is not a zip archive.
  explicit ZipArchive(const std::filesystem::path& path);

  const std::string& source() const { return source_; }
  /// The names of the entries in the order of the archive.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const;
  /// All entries in the order of the archive. Throws FormatError for a damaged one.
  std::vector<ZipFacts> directory() const;
  /// Several entries may be open at a time. Throws FormatError if there is none of that name, or if
  /// it is encrypted, has an unknown compression, or an impossible size.
  ZipEntry open(const std::string& name) const;

 private:
  std::string source_;
  std::shared_ptr<zip_t> archive_;
  std::vector<std::string> names_;
};

}  // namespace bisector::io
