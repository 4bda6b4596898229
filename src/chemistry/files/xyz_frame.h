// One frame of an XYZ text.
#pragma once

#include <cstddef>
#include <optional>

#include "bisector/chemistry/molecule.h"
#include "chemistry/files/xyz_lines.h"

namespace bisector::chemistry {

/// Reads the frame at hand, the `frame`-th of its file; nothing where only blank lines are left.
/// Throws FormatError with line and frame, also for more than `most_atoms` atoms.
std::optional<Molecule> read_xyz_frame(XyzLines& lines, std::size_t frame, std::size_t most_atoms);

}  // namespace bisector::chemistry
