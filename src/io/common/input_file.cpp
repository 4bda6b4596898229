#include "io/common/input_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "bisector/error.h"
#include "io/common/system_file.h"

namespace bisector::io {
namespace {

std::string system_reason() { return std::generic_category().message(errno); }

}  // namespace

// System calls instead of std::FILE, because fread() waits for a whole block from a slow pipe.
InputFile::InputFile(const std::filesystem::path& path)
    : source_(path == "-" ? "standard input" : path.string()),
      descriptor_(kStandardInput),
      owned_(path != "-") {
  if (!owned_) return;
  descriptor_ = open_for_reading(path);
  if (descriptor_ < 0) throw FileError(fmt::format("cannot open {}: {}", source_, system_reason()));
}

InputFile::~InputFile() {
  if (owned_) close_file(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : source_(std::move(other.source_)),
      descriptor_(other.descriptor_),
      owned_(std::exchange(other.owned_, false)) {}

void InputFile::fail() const {
  throw FileError(fmt::format("cannot read {}: {}", source_, system_reason()));
}

std::size_t InputFile::read(std::span<char> to) {
  const std::ptrdiff_t got = read_some(descriptor_, to);
  if (got < 0) fail();
  return static_cast<std::size_t>(got);
}

void InputFile::read_exactly(std::span<char> to) {
  while (!to.empty()) {
    const std::size_t got = read(to);
    if (got == 0) throw FormatError(source_, 0, "the file ends early");
    to = to.subspan(got);
  }
}

void InputFile::read_exactly_at(std::uint64_t offset, std::span<char> to) {
  while (!to.empty()) {
    const std::ptrdiff_t got = read_some_at(descriptor_, offset, to);
    if (got < 0) fail();
    if (got == 0) throw FormatError(source_, 0, "the file ends early");
    offset += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

void InputFile::seek(std::uint64_t offset) {
  if (set_position(descriptor_, offset) < 0) fail();
}

std::uint64_t InputFile::position() const {
  const std::int64_t position = position_of(descriptor_);
  if (position < 0) fail();
  return static_cast<std::uint64_t>(position);
}

std::optional<double> InputFile::fraction_read() const {
  const std::int64_t place = position_of(descriptor_);
  const auto status = status_of(descriptor_);
  if (place < 0 || !status || !status->is_regular) return std::nullopt;
  // A file may shrink while it is read.
  if (static_cast<std::uint64_t>(place) >= status->size) return 1.0;
  return static_cast<double>(place) / static_cast<double>(status->size);
}

std::uint64_t InputFile::size() const {
  const auto status = status_of(descriptor_);
  if (!status) fail();
  if (!status->is_regular)
    throw FileError(fmt::format("cannot read {}: expected a regular file", source_));
  return status->size;
}

}  // namespace bisector::io
