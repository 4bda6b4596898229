#include "apps/molecules/files/molecule_file.h"

#include <algorithm>
#include <utility>

#include "apps/molecules/files/tar.h"
#include "apps/molecules/files/xyz_frame.h"
#include "apps/molecules/files/xyz_lines.h"
#include "bisector/error.h"
#include "bisector/io/byte_source.h"

namespace bisector::molecules {

class MoleculeReader::Implementation {
 public:
  Implementation(const std::filesystem::path& path, const Limits& limits, std::size_t max_atoms)
      : bytes_(open_bytes(path, limits)), max_atoms_(max_atoms) {
    head_size_ = read_fully(*bytes_, head_);
    if (is_tar_header(std::span(head_).first(head_size_)))
      archive_.emplace(std::move(bytes_), head_);
    else
      lines_.emplace([this](std::span<char> to) { return read_text(to); }, bytes_->source());
  }

  std::optional<Molecule> next() {
    while (lines_ || next_member()) {
      if (auto molecule = read_xyz_frame(*lines_, frame_ + 1, max_atoms_)) {
        ++frame_;
        return molecule;
      }
      if (!archive_) return std::nullopt;
      lines_.reset();
    }
    return std::nullopt;
  }

 private:
  /// Returns first what was read to recognize the format.
  std::size_t read_text(std::span<char> to) {
    if (head_begin_ == head_size_) return bytes_->read(to);
    const std::size_t count = std::min(to.size(), head_size_ - head_begin_);
    std::copy_n(head_.data() + head_begin_, count, to.data());
    head_begin_ += count;
    return count;
  }

  bool next_member() {
    if (!archive_->next_file()) return false;
    frame_ = 0;
    lines_.emplace([this](std::span<char> to) { return archive_->read(to); }, archive_->member());
    return true;
  }

  std::unique_ptr<ByteSource> bytes_;
  std::size_t max_atoms_;
  TarBlock head_;
  std::size_t head_size_ = 0, head_begin_ = 0;
  std::optional<TarReader> archive_;
  std::optional<XyzLines> lines_;
  std::size_t frame_ = 0;
};

MoleculeReader::MoleculeReader(const std::filesystem::path& path, const Limits& limits,
                               std::size_t max_atoms)
    : implementation_(std::make_unique<Implementation>(path, limits, max_atoms)) {}
MoleculeReader::MoleculeReader(MoleculeReader&&) noexcept = default;
MoleculeReader::~MoleculeReader() = default;

std::optional<Molecule> MoleculeReader::next() { return implementation_->next(); }

std::vector<Molecule> read_molecules(const std::filesystem::path& path, const Limits& limits,
                                     std::size_t max_atoms) {
  MoleculeReader reader(path, limits, max_atoms);
  std::vector<Molecule> molecules;
  while (auto molecule = reader.next()) molecules.push_back(std::move(*molecule));
  if (molecules.empty()) throw FormatError(path.string(), 0, "no molecule, expected XYZ frames");
  return molecules;
}

}  // namespace bisector::molecules
