#include "cli/writers/npy_writer.h"

#include <fmt/format.h>

#include <bit>
#include <string>

namespace bisector::cli {
namespace {

// Large enough for every shape, and a multiple of 64 so that the elements are aligned.
constexpr std::size_t kHeaderSize = 128;

std::string header(std::size_t rows, std::size_t columns, std::size_t depth) {
  constexpr char kOrder = std::endian::native == std::endian::little ? '<' : '>';
  const std::string description =
      fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}, {}{}), }}", kOrder,
                  rows, columns, depth == 0 ? "" : fmt::format(", {}", depth));
  constexpr std::size_t kStart = 10;  // magic, version 1.0 and the length, low byte first
  const std::size_t length = kHeaderSize - kStart;
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(length & 0xff);
  text += static_cast<char>(length >> 8);
  text += description + std::string(length - 1 - description.size(), ' ') + '\n';
  return text;
}

}  // namespace

NpyWriter::NpyWriter(std::ostream& out, std::size_t columns, bool can_go_back, std::size_t depth)
    : out_(out), columns_(columns), depth_(depth), can_go_back_(can_go_back) {
  if (can_go_back_) out_ << header(0, columns_, depth_);
}

void NpyWriter::write(const Matrix& rows) {
  const auto* bytes = reinterpret_cast<const char*>(rows.values().data());
  const std::size_t size = rows.values().size() * sizeof(double);
  if (can_go_back_)
    out_.write(bytes, static_cast<std::streamsize>(size));
  else
    kept_.append(bytes, size);
  rows_ += rows.rows();
}

void NpyWriter::finish() {
  if (can_go_back_) out_.seekp(0);
  out_ << header(rows_, columns_, depth_) << kept_;
}

}  // namespace bisector::cli
