// Files that tests write for themselves.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace bisector {

/// A file of its own folder in the test's temporary folder, so that it can have any name; removed
/// with the object.
class TempFile {
 public:
  TempFile(const std::string& name, std::string_view content) : path_(folder() / name) {
    std::filesystem::create_directories(path_.parent_path());
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TempFile() {
    std::error_code ignored;
    std::filesystem::remove_all(path_.parent_path(), ignored);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  static std::filesystem::path folder() {
    static std::atomic<int> counter{0};
    return std::filesystem::path(testing::TempDir()) /
           ("bisector_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
  }
  std::filesystem::path path_;
};

}  // namespace bisector
