// Zip archives of a few named entries, read without trusting what they claim and written the same
// byte for byte every time. The only place that knows libzip's types for model bundles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct zip;
struct zip_file;

namespace bisector {

/// What the archive's directory says about an entry, already held against the limits.
struct ArchiveEntry {
  std::string name;
  std::uint64_t index = 0;
  std::uint64_t size = 0;  // uncompressed bytes
};

/// The bytes of one entry, from first to last.
class EntryStream {
 public:
  /// `source` stands in front of errors.
  EntryStream(zip* archive, const ArchiveEntry& entry, std::string source);

  /// Fills the whole span. Throws FormatError when the entry ends before that.
  void read_exactly(std::span<char> bytes);
  /// Bytes that the directory still promises.
  std::uint64_t remaining() const { return remaining_; }
  /// Throws FormatError unless every byte was read and their checksum is right.
  void require_end();

 private:
  struct Close {
    void operator()(zip_file* file) const;
  };
  [[noreturn]] void fail_broken() const;

  std::unique_ptr<zip_file, Close> file_;
  std::string source_;
  std::uint64_t remaining_;
};

class ArchiveReader {
 public:
  /// Opens and looks through the directory. Throws FileError when the file cannot be opened and
  /// FormatError when it is no zip archive, has too many entries, two of one name, a name with a
  /// path, an encrypted entry, one beyond the limits of io/limits.h, or one compressed otherwise
  /// than by deflate.
  explicit ArchiveReader(const std::filesystem::path& path);

  const std::vector<ArchiveEntry>& entries() const { return entries_; }
  EntryStream open(const ArchiveEntry& entry, std::string source) const;

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };

  std::unique_ptr<zip, Discard> archive_;
  std::vector<ArchiveEntry> entries_;
};

/// Collects entries and writes them all at once. Entries are stored uncompressed: doubles hardly
/// shrink, and the bytes then depend on no version of a compressor.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(const std::filesystem::path& path);

  void add(const std::string& name, std::string content);
  /// Writes to a temporary file beside the target and renames it. Throws FileError on failure; the
  /// target is then as it was and no temporary file is left.
  void close();

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::deque<std::string> contents_;  // libzip reads them when it closes the archive
  std::unique_ptr<zip, Discard> archive_;
};

}  // namespace bisector
