// Archives of molecules built from the bytes: tar members, compressed or not.
#include <bzlib.h>
#include <zlib.h>

#include <string>

#include "memory_file.h"
#include "molecules.h"
#include "molecules/tar_testing.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

std::string gzipped(std::string text) {
  z_stream stream = {};
  require(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 1, Z_FIXED) == Z_OK, "zlib starts");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string bzipped(std::string text) {
  auto size = static_cast<unsigned>(text.size() + text.size() / 100 + 600);
  std::string packed(size, '\0');
  const int status = BZ2_bzBuffToBuffCompress(packed.data(), &size, text.data(),
                                              static_cast<unsigned>(text.size()), 1, 0, 0);
  require(status == BZ_OK, "bzip2 packs");
  packed.resize(size);
  return packed;
}

/// A member whose header is changed as the bytes select. Its checksum is then corrected, unless the
/// bytes select a wrong checksum.
std::string member(Recipe& recipe) {
  const std::string name(recipe.text(99));
  const std::uint8_t odd = recipe.byte();
  std::string text = tar_member(name, recipe.text(), odd % 8 == 7 ? "0\0LxK5gS"[odd / 32] : '0');
  if (odd % 8 == 6) {  // another size
    const std::string_view size = recipe.text(12);
    text.replace(124, size.size(), size);
    set_tar_checksum(text);
  }
  if (odd % 8 == 5) text[recipe.byte()] = static_cast<char>(recipe.byte());
  return text;
}

std::string packed(std::string archive, std::size_t how) {
  if (how == 1) return gzipped(std::move(archive));
  if (how == 2) return bzipped(std::move(archive));
  return archive;
}

}  // namespace

FUZZ_TARGET(xyz_archive, bytes) {
  Recipe recipe(bytes);
  const std::uint8_t how = recipe.byte();
  std::string archive;
  constexpr std::size_t kLargest = 1 << 15;
  while (!recipe.is_empty() && archive.size() < kLargest) archive += member(recipe);
  if (how & 4) archive.append(1024, '\0');
  std::string file = packed(std::move(archive), how & 3);
  if (how & 8) file += packed("behind", how >> 4 & 3);
  if (how & 16 && !file.empty()) file.resize(file.size() - 1 - how / 32 % file.size());
  const MemoryFile memory(file);
  check_molecules(memory.path());
}

}  // namespace bisector::fuzz
