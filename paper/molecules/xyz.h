// Reads molecules from XYZ files with any number of frames, plain or compressed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "bisector/limits.h"
#include "molecules/molecule.h"

namespace bisector::molecules {

/// A molecule may have this many atoms.
inline constexpr std::size_t kMaxAtoms = 100'000;

/// Reads all molecules of a file: plain text, or text compressed by gzip or zstd.
///
/// A frame consists of the number of atoms, a comment line, and a line for each atom with its
/// symbol or number and three coordinates; the rest of the line is ignored. In the comment, the
/// first word is the name of the molecule and every key=number is a property. A number without a
/// key is a property whose name is its position among the words. In QM9's own files, whose comment
/// begins with "gdb", the fifteen properties have QM9's names (A, B, C, mu, ... Cv).
///
/// Throws FileError, and FormatError with file, line and frame, also for a file without molecules.
std::vector<Molecule> read_molecules(const std::filesystem::path& path, const Limits& limits = {});

}  // namespace bisector::molecules
