// Properties of every .npz file, for both of its readers.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/arrays/array_reader.h"
#include "memory_file.h"
#include "models.h"
#include "rows.h"

namespace bisector::fuzz {

/// A folder of this process for bundles, which are written under a temporary name and renamed.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "bisector-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "there is a folder for temporary files");
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path file() const { return folder_ / "model.npz"; }

 private:
  std::filesystem::path folder_;
};

inline const std::filesystem::path& scratch_bundle() {
  static const Scratch scratch;
  static const std::filesystem::path path = scratch.file();
  return path;
}

inline void check_bundle_round_trip(const Model& model) {
  if (!attempt([&] { return write_bundle(scratch_bundle(), model), true; })) return;
  const Model copy = read_bundle(scratch_bundle());
  require(copy == model, "a written bundle reads as it was");
  require_explains_alike(model, copy);
}

inline void check_archive(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto model = attempt([&] { return read_bundle(file.path()); });
  if (model) check_bundle_round_trip(*model);
  check_rows([&](int) { return io::open_npz(file.path(), {}); });
}

}  // namespace bisector::fuzz
