// Writing zip archives, the same byte for byte every time.
#pragma once

#include <zip.h>

#include <deque>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

namespace bisector::io {

/// Collects entries and writes them all at once. Entries are stored uncompressed: doubles hardly
/// shrink, and the bytes then depend on no version of a compressor.
class ZipWriter {
 public:
  /// Throws FileError if the path cannot be written. Nothing is created before close().
  explicit ZipWriter(const std::filesystem::path& path);
  /// Assembles the archive in memory and writes it to `out` in close(). The owner of the stream
  /// checks its state.
  explicit ZipWriter(std::ostream& out);

  void add(const std::string& name, std::string content);
  /// Writes to a temporary file next to the target and renames it. Throws FileError on failure;
  /// then the target is unchanged and no temporary file is left.
  void close();

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  struct Free {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
  };
  [[noreturn]] void fail(const std::string& reason) const;
  void copy_to_stream();

  std::string path_;
  std::ostream* out_ = nullptr;
  std::deque<std::string> contents_;            // libzip reads them when it closes the archive
  std::unique_ptr<zip_source_t, Free> memory_;  // the archive, where it goes to a stream
  std::unique_ptr<zip_t, Discard> archive_;
};

}  // namespace bisector::io
