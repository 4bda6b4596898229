// Reading zip archives, as NumPy's .npz files are: a thin cover of libzip.
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

/// What the archive's directory says about an entry: its word, not yet held against its bytes.
struct ZipFacts {
  std::string name;
  std::uint64_t size = 0, packed_size = 0;  // bytes
  unsigned method = 0;                      // ZIP_CM_STORE, ZIP_CM_DEFLATE or another
};

/// One entry's bytes, from the first to the last. Keeps its archive open.
class ZipEntry {
 public:
  /// The bytes of the unpacked entry, as the archive claims; never more than its packed bytes can
  /// unpack to.
  std::uint64_t size() const { return size_; }
  /// The bytes that it takes in the archive, as the archive claims.
  std::uint64_t packed_size() const { return packed_size_; }
  /// True for bytes that stand in the file as they are.
  bool is_stored() const { return is_stored_; }
  /// The bytes that are still to be read.
  std::uint64_t remaining() const { return size_ - done_; }
  /// Fills the span. Throws FormatError where the entry ends early or is damaged; the last byte is
  /// not given out before the checksum of all has been found right.
  void read_exactly(std::span<char> to);

 private:
  friend class ZipArchive;
  ZipEntry(std::shared_ptr<zip_t> archive, std::string title, zip_file_t* file,
           const zip_stat_t& status);
  void require_end();

  std::shared_ptr<zip_t> archive_;  // closed behind the entry
  std::string title_;
  std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file_;
  std::uint64_t size_, packed_size_, done_ = 0;
  bool is_stored_;
};

class ZipArchive {
 public:
  /// Throws FileError, or FormatError for a file that is no zip archive.
  explicit ZipArchive(const std::filesystem::path& path);

  const std::string& source() const { return source_; }
  /// The entries' names, in the archive's order.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const;
  /// The facts of every entry, in the archive's order. Throws FormatError for one without them.
  std::vector<ZipFacts> directory() const;
  /// Several entries may be open at a time. Throws FormatError where there is none of that name, or
  /// it is encrypted, packed in an unknown way, or claims an impossible size.
  ZipEntry open(const std::string& name) const;

 private:
  std::string source_;
  std::shared_ptr<zip_t> archive_;
  std::vector<std::string> names_;
};

}  // namespace bisector::io
