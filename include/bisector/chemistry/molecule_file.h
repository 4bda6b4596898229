// Reading molecules: XYZ files of any number of frames, plain or packed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "bisector/chemistry/molecule.h"
#include "bisector/export.h"
#include "bisector/limits.h"

namespace bisector::chemistry {

/// An open file of molecules, read one by one: plain text, .gz or .bz2 of it, or a .tar of such
/// texts, packed or not; recognized by content.
///
/// A frame is the number of atoms, a line of comment, and a line for each atom: its symbol or
/// number and three coordinates; what follows on the line is not read. Of the comment the first
/// word is the molecule's name and every key=number a property; a word that is a number and has no
/// key is a property under its position among the words. QM9's own dialect, whose comment begins
/// with "gdb", has its fifteen properties under QM9's names (A, B, C, mu, ... Cv).
class BISECTOR_EXPORT MoleculeReader {
 public:
  /// Throws FileError, or FormatError.
  explicit MoleculeReader(const std::filesystem::path& path, const Limits& limits = {});
  MoleculeReader(MoleculeReader&&) noexcept;
  ~MoleculeReader();

  /// The next molecule, nothing behind the last. Throws FormatError with file, line and frame.
  std::optional<Molecule> next();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Everything at once. Throws as the reader does, and FormatError where there is no molecule.
BISECTOR_EXPORT std::vector<Molecule> read_molecules(const std::filesystem::path& path,
                                                     const Limits& limits = {});

}  // namespace bisector::chemistry
