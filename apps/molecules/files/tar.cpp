#include "apps/molecules/files/tar.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "bisector/error.h"
#include "bisector/text.h"

namespace bisector::molecules {
namespace {

// Offsets and sizes in a header, from POSIX.
constexpr std::size_t kNameSize = 100, kSizeAt = 124, kNumberSize = 12, kChecksumAt = 148,
                      kChecksumSize = 8, kTypeAt = 156;

/// Parses octal digits between blanks and zero bytes; nothing for any other text.
std::optional<std::uint64_t> octal(std::string_view field) {
  const std::size_t first = field.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  field.remove_prefix(first);
  std::uint64_t value = 0;
  std::size_t digits = 0;
  while (digits < field.size() && field[digits] >= '0' && field[digits] <= '7')
    value = value * 8 + static_cast<std::uint64_t>(field[digits++] - '0');
  const bool ends_well = digits == field.size() || field[digits] == '\0' || field[digits] == ' ';
  return digits > 0 && ends_well ? std::optional(value) : std::nullopt;
}

}  // namespace

std::size_t read_fully(ByteSource& source, std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const std::size_t got = source.read(to.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

bool is_tar_header(std::span<const char> block) {
  if (block.size() < kTarBlock) return false;
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < kTarBlock; ++n) {
    const bool is_checksum = n >= kChecksumAt && n < kChecksumAt + kChecksumSize;
    sum += is_checksum ? ' ' : static_cast<unsigned char>(block[n]);
  }
  return octal({block.data() + kChecksumAt, kChecksumSize}) == sum;
}

TarReader::TarReader(std::unique_ptr<ByteSource> archive, const TarBlock& first)
    : archive_(std::move(archive)), header_(first) {}

void TarReader::fail(const std::string& problem) const {
  throw FormatError(member_.empty() ? archive_->source() : member_, 0, problem);
}

void TarReader::skip(std::uint64_t bytes) {
  TarBlock block;
  while (bytes > 0) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kTarBlock));
    if (read_fully(*archive_, std::span(block).first(count)) < count)
      fail("the archive ends in the middle of a file: it is truncated");
    bytes -= count;
  }
}

bool TarReader::next_file() {
  while (true) {
    skip(remaining_ + padding_);
    remaining_ = padding_ = 0;
    if (!std::exchange(is_header_read_, false)) {
      const std::size_t got = read_fully(*archive_, header_);
      if (got == 0) return false;  // some programs omit the final blocks of zeros
      if (got < kTarBlock) fail("the archive ends in the middle of a header: it is truncated");
    }
    if (std::ranges::all_of(header_, [](char c) { return c == '\0'; })) {
      // Read to the last byte: compressed data end with a checksum.
      while (archive_->read(header_) > 0) continue;
      return false;
    }
    if (!is_tar_header(header_)) fail("a damaged header in the tar archive after this file");
    const auto size = octal({header_.data() + kSizeAt, kNumberSize});
    if (!size) fail("a file of unknown size in the tar archive");
    remaining_ = *size;
    padding_ = (kTarBlock - remaining_ % kTarBlock) % kTarBlock;
    const char type = header_[kTypeAt];
    if (type != '0' && type != '\0') continue;  // folders, links, long names
    const std::string_view name(header_.data(), kNameSize);
    member_ = archive_->source() + "/" + printable(std::string(name.substr(0, name.find('\0'))));
    return true;
  }
}

std::size_t TarReader::read(std::span<char> to) {
  if (remaining_ == 0) return 0;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, to.size()));
  const std::size_t got = archive_->read(to.first(count));
  if (got == 0 && count > 0) fail("the archive ends in the middle of this file: it is truncated");
  remaining_ -= got;
  return got;
}

}  // namespace bisector::molecules
