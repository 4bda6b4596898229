// Reads molecules from XYZ files with any number of frames, plain or compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "apps/molecules/molecule.h"
#include "bisector/limits.h"

namespace bisector::molecules {

/// A molecule may have this many atoms, unless the user raises the limit.
inline constexpr std::size_t kMaxAtoms = 100'000;

/// Reads the molecules of a file one by one. The file is plain text, compressed text (gzip, bzip2,
/// xz, zstd) or a tar archive of such texts; the content decides, not the name.
///
/// A frame consists of the number of atoms, a comment line, and a line for each atom with its
/// symbol or number and three coordinates; the rest of the line is ignored. In the comment, the
/// first word is the name of the molecule and every key=number is a property. A number without a
/// key is a property whose name is its position among the words. In QM9's own files, whose comment
/// begins with "gdb", the fifteen properties have QM9's names (A, B, C, mu, ... Cv).
class MoleculeReader {
 public:
  /// Throws FileError or FormatError.
  explicit MoleculeReader(const std::filesystem::path& path, const Limits& limits = {},
                          std::size_t max_atoms = kMaxAtoms);
  MoleculeReader(MoleculeReader&&) noexcept;
  ~MoleculeReader();

  /// The next molecule; nothing after the last. Throws FormatError with file, line and frame.
  std::optional<Molecule> next();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads all molecules. Throws as the reader does, and FormatError if there are none.
std::vector<Molecule> read_molecules(const std::filesystem::path& path, const Limits& limits = {},
                                     std::size_t max_atoms = kMaxAtoms);

}  // namespace bisector::molecules
